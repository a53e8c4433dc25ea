// Graphs and the driver's stream-ordered memory on a fake device: what is kept, what is reused, what is left
// over when something fails. Without a GPU.
#include <algorithm>
#include <memory>
#include <optional>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "cuda/support/fake_device.hpp"

namespace gp = gparray;
using namespace gparray::core;
using fake_cuda::model;

namespace {

struct fixture : fake_default_device {
  gp::core::memory_pool& pool(gp::memory_space space = gp::memory_space::device) {
    return *gpu->pool(space, 0);
  }
};

/// Most of what graphs do: temporaries, a split reduction, data from pageable memory, a forked stream, loops,
/// an update, launches on two streams.
void everything() {
  const gp::ndarray<float> x = gp::zeros<float>({1 << 21});
  gp::ndarray<float> y = gp::zeros<float>({1 << 21}), total = gp::zeros<float>({}), made;
  gp::ndarray<bool> go = gp::zeros<bool>({});
  const auto work = [&] {
    y(gp::ellipsis) = x * 2.f + y * x;
    total(gp::ellipsis) = gp::sum(y);
    made = y + gp::ndarray<float>{1};
    gp::stream side;
    side.wait(gp::current_stream());
    {
      const gp::stream_guard on(side);
      made(0) = 3.f;
    }
    gp::current_stream().wait(side);
    gp::while_loop(go, [&] {
      total(gp::ellipsis) = gp::sum(x);
      gp::while_loop(go, [&] { go(gp::ellipsis) = total < 1.f; });
    });
  };
  gp::graph g = gp::capture(work);
  gp::stream other;
  g.launch();
  g.launch(other);
  g.update(work);
  g.launch();
  (void)g.dot();
  (void)g.node_count();
  gp::while_loop(go, [&] { y += 1.f; });
}

}  // namespace

TEST_CASE("cuda fake graph: captured work is recorded, launched on the stream, and runs as one call") {
  fixture f;
  gp::ndarray<float> x = gp::zeros<float>({1000}), y = gp::zeros<float>({1000});
  gp::graph g = gp::capture([&] { y(gp::ellipsis) = x + 1.f; });
  CHECK(g.node_count() == 1);
  CHECK(model.executables.size() == 1);
  gp::stream s;
  model.calls.clear();
  g.launch();
  g.launch(s);
  CHECK(model.calls == std::vector<std::string>{"cudaGraphLaunch", "cudaGraphLaunch"});
  REQUIRE(model.graph_launches.size() == 2);
  CHECK(model.graph_launches[0].second == nullptr);
  CHECK(model.graph_launches[1].second == static_cast<cudaStream_t>(s.native_handle()));
  CHECK(g.dot() == "digraph dot {}\n");
  CHECK_THROWS_AS(g.launch(gp::default_stream(gp::device::cpu())), gp::device_error);
}

TEST_CASE("cuda fake graph: the graph keeps what it uses, and its own memory is nobody else's") {
  fixture f;
  const std::size_t before = f.pool().stats().used_bytes;
  constexpr std::int64_t n = 1 << 20;
  gp::ndarray<float> result;
  const void* input_address = nullptr;
  {
    std::optional<gp::graph> g;
    {
      gp::ndarray<float> x = gp::zeros<float>({n});
      input_address = x.raw_data();
      g = gp::capture([&] { result = x + 1.f; });
    }
    // x is gone, but not its memory; and the result's is not handed out either.
    const gp::ndarray<float> next = gp::zeros<float>({n}), after = gp::zeros<float>({n});
    CHECK(next.raw_data() != input_address);
    CHECK(after.raw_data() != input_address);
    CHECK(next.raw_data() != result.raw_data());
    CHECK(after.raw_data() != result.raw_data());
    g->launch();
  }
  // The graph is gone, its result is not.
  CHECK(f.pool().stats().used_bytes >= before + n * 4);
  const gp::ndarray<float> next = gp::zeros<float>({n});
  CHECK(next.raw_data() == input_address);
  result = {};
  CHECK(f.pool().stats().used_bytes - before <= static_cast<std::size_t>(next.nbytes()) + 512);
}

TEST_CASE("cuda fake graph: temporaries are reused within a stream of the graph, not across its streams") {
  fixture f;
  const gp::ndarray<float> x = gp::zeros<float>({1 << 20});
  gp::ndarray<float> y = gp::zeros<float>({1 << 20});
  std::vector<const void*> first, second;
  gp::graph g = gp::capture([&] {
    for (int i = 0; i < 3; ++i) {
      const gp::ndarray<float> t = x * 2.f;
      first.push_back(t.raw_data());
    }
    gp::stream side;
    side.wait(gp::current_stream());
    {
      const gp::stream_guard on(side);
      for (int i = 0; i < 2; ++i) {
        const gp::ndarray<float> t = x * 3.f;
        second.push_back(t.raw_data());
      }
    }
    gp::current_stream().wait(side);
  });
  CHECK(first[0] == first[1]);
  CHECK(first[0] == first[2]);
  CHECK(second[0] == second[1]);
  CHECK(first[0] != second[0]);
  CHECK(g.node_count() == 5);
}

TEST_CASE("cuda fake graph: memory of a launch on another stream is kept back until that is done") {
  fixture f;
  const std::size_t before = f.pool().stats().used_bytes;
  gp::stream s;
  {
    gp::ndarray<float> x = gp::zeros<float>({1 << 20});
    gp::graph g = gp::capture([&] { const gp::ndarray<float> t = (x + 1.f).eval(); });
    g.launch(s);
  }
  CHECK(f.pool().stats().used_bytes == before);
  CHECK(f.pool().stats().pending_bytes >= (2u << 22));  // x, and the graph's own
  f.pool().free_all_blocks();
  CHECK(f.pool().stats().pending_bytes == 0);
}

TEST_CASE("cuda fake graph: calls that would wait throw, and the capture goes on") {
  fixture f;
  gp::ndarray<float> x = gp::zeros<float>({1000}), y = gp::zeros<float>({1000});
  int refused = 0;
  const auto refuse = [&](const char* who, const auto& call) {
    try {
      call();
      FAIL_CHECK(std::string(who));
    } catch (const gp::value_error& e) {
      CAPTURE(std::string(e.what()));
      CHECK(std::string(e.what()).find("a graph is being captured") != std::string::npos);
      ++refused;
    }
  };
  gp::event mark;
  gp::graph other = gp::capture([&] { x += 1.f; });
  gp::graph g = gp::capture([&] {
    y(gp::ellipsis) = x + 1.f;
    refuse("item", [&] { (void)y.item(0); });
    refuse("to_vector", [&] { (void)y.to_vector(); });
    refuse("asnumpy", [&] { (void)gp::asnumpy(y); });
    refuse("synchronize", [] { gp::synchronize(); });
    refuse("stream.synchronize", [] { gp::current_stream().synchronize(); });
    refuse("stream.done", [] { (void)gp::current_stream().done(); });
    mark.record();
    refuse("event.synchronize", [&] { mark.synchronize(); });
    refuse("event.done", [&] { (void)mark.done(); });
    refuse("graph.launch", [&] { other.launch(); });
    y += 1.f;
  });
  CHECK(refused == 9);
  CHECK(g.node_count() == 2);
  CHECK(model.captures.empty());
}

TEST_CASE("cuda fake graph: streams that take no part, streams that are not joined, graphs within graphs") {
  fixture f;
  gp::ndarray<float> x = gp::zeros<float>({1000}), y = gp::zeros<float>({1000});
  gp::stream s;
  const auto capture_error = [&](auto work) -> std::string {
    try {
      gp::capture(work);
    } catch (const gp::error& e) {
      CHECK(model.captures.empty());
      CHECK(model.graphs.empty());
      CHECK(gp::current_stream() == gp::default_stream());
      return e.what();
    }
    return "";
  };
  CHECK(capture_error([&] { const gp::stream_guard on(s); }).find("this stream is no part of the graph") !=
        std::string::npos);
  CHECK(capture_error([&] { gp::copyto(x, y, {.stream = s}); }).find("this stream is no part of the graph") !=
        std::string::npos);
  CHECK(capture_error([&] {
          s.wait(gp::current_stream());
          const gp::stream_guard on(s);
          x += 1.f;
        }).find("must wait in the end for every stream") != std::string::npos);
  CHECK(capture_error([&] { gp::capture([] {}); }).find("capturing a graph already") != std::string::npos);
  gp::graph g = gp::capture([&] { x += 1.f; });
  CHECK(g.node_count() == 1);
}

TEST_CASE("cuda fake graph: data from pageable memory are taken when they are recorded") {
  fixture f;
  gp::ndarray<float> x = gp::zeros<float>({4});
  const std::size_t before = f.pool(gp::memory_space::pinned).stats().used_bytes;
  {
    gp::graph g = gp::capture([&] { x(gp::ellipsis) = gp::ndarray<float>{1, 2, 3, 4}; });
    CHECK(f.pool(gp::memory_space::pinned).stats().used_bytes == before + 512);
    CHECK(g.node_count() == 2);
  }
  CHECK(f.pool(gp::memory_space::pinned).stats().used_bytes == before);
}

TEST_CASE("cuda fake graph: a reduction's counters are zeroed once, outside of the graph") {
  fixture f;
  const gp::ndarray<float> x = gp::zeros<float>({2 << 20});
  gp::ndarray<float> a, b;
  model.calls.clear();
  gp::graph g = gp::capture([&] {
    a = gp::sum(x);
    b = gp::sum(x);
  });
  CHECK(g.node_count() == 2);
  CHECK(model.count("cudaMemsetAsync") == 1);
}

TEST_CASE("cuda fake graph: counters are not in memory that the graph's temporaries use") {
  fixture f;
  const gp::ndarray<float> x = gp::zeros<float>({1 << 18});
  const gp::graph g = gp::capture([&] {
    const char* temporary = nullptr;
    {
      const gp::ndarray<float> t = x * 2.f;
      temporary = reinterpret_cast<const char*>(t.raw_data());
    }
    recording& r = *recording_on(0);
    const char* counters = static_cast<const char*>(r.zeroed(1 << 16, r.origin().stream));
    CHECK((counters < temporary - (1 << 16) || counters >= temporary + x.nbytes()));
    CHECK(r.zeroed(1 << 16, r.origin().stream) == counters);
  });
}

TEST_CASE("cuda fake graph: update changes the executable graph if it can") {
  fixture f;
  gp::ndarray<float> x = gp::zeros<float>({1000}), y = gp::zeros<float>({1000});
  gp::graph g = gp::capture([&] { x += 1.f; });
  CHECK(g.update([&] { y += 1.f; }));
  CHECK(model.count("cudaGraphInstantiate") == 1);
  CHECK(!g.update([&] {
    y += 1.f;
    y += 1.f;
  }));
  CHECK(model.count("cudaGraphInstantiate") == 2);
  CHECK(model.executables.size() == 1);
  CHECK(model.graphs.size() == 1);
  CHECK_THROWS_WITH_AS(g.update([] { throw std::runtime_error("mine"); }), "mine", std::runtime_error);
  CHECK(g.node_count() == 2);
  g.launch();
}

TEST_CASE(
    "cuda fake graph: a loop is a conditional node, its condition set in front of it and at the end of its "
    "body") {
  fixture f;
  gp::ndarray<float> x = gp::zeros<float>({1000});
  gp::ndarray<bool> go = gp::zeros<bool>({});
  gp::graph g = gp::capture([&] {
    gp::while_loop(go, [&] {
      x += 1.f;
      go(gp::ellipsis) = gp::max(x) < 5.f;
    });
  });
  CHECK(g.node_count() == 2 + 4);  // condition and loop; sum, maximum, comparison, condition
  CHECK(model.count("cudaStreamBeginCaptureToGraph") == 1);
  CHECK(model.captures.empty());
}

TEST_CASE("cuda fake graph: whichever call fails, nothing is leaked or left capturing") {
  int n_calls = 0, n_failures = 0;
  for (int k = 0; k == 0 || k <= n_calls; ++k) {
    CAPTURE(k);
    fixture f;
    model.fail_at = k;
    bool reported = k == 0;
    try {
      everything();
      if (k == 0) n_calls = static_cast<int>(model.calls.size());
    } catch (const gp::cuda_error& e) {
      ++n_failures;
      reported = true;
      CAPTURE(std::string(e.what()));
      CHECK(std::string(e.what()).find(model.calls[static_cast<std::size_t>(k) - 1]) == 0);
    } catch (const gp::value_error&) {
      // Where the failure of a question is an answer, it may be one that the capture does not allow.
      const std::string& call = model.calls[static_cast<std::size_t>(k) - 1];
      reported = call == "cudaPointerGetAttributes" || call == "cudaStreamIsCapturing";
      CHECK_MESSAGE(reported, call);
    }
    CHECK(recordings_under_way.load() == 0);
    CHECK(model.captures.empty());
    CHECK(model.graphs.empty());
    CHECK(model.executables.empty());
    CHECK(gp::current_stream() == gp::default_stream());
    CHECK(f.pool().stats().used_bytes == 0);
    CHECK(f.pool(gp::memory_space::pinned).stats().used_bytes == 0);
    f.gpu.reset();
    // A pool that cannot record when a dying stream's memory is free again keeps that memory.
    if (!reported) model.memory.clear();
    CHECK(model.is_empty());
  }
  CHECK(n_calls > 100);
  CHECK(n_failures > n_calls / 2);
}

namespace {

int loaded = 0;

/// Users' kernels can be loaded, and are counted.
void count_loaded_kernels() {
  loaded = 0;
  cuda::runtime.cudaLibraryLoadData = [](cudaLibrary_t* library, const void*, cudaJitOption*, void**,
                                         unsigned, cudaLibraryOption*, void**, unsigned) {
    *library = reinterpret_cast<cudaLibrary_t>(&++loaded);
    return cudaSuccess;
  };
  cuda::runtime.cudaLibraryUnload = [](cudaLibrary_t) { return --loaded, cudaSuccess; };
  cuda::runtime.cudaLibraryGetKernel = [](cudaKernel_t* kernel, cudaLibrary_t, const char*) {
    return *kernel = reinterpret_cast<cudaKernel_t>(&loaded), cudaSuccess;
  };
  cuda::runtime.cudaFuncGetAttributes = [](cudaFuncAttributes* a, const void*) {
    *a = {};
    a->maxThreadsPerBlock = 1024;
    return cudaSuccess;
  };
  cuda::runtime.cudaGetDriverEntryPointByVersion = [](const char*, void**, unsigned, unsigned long long,
                                                      cudaDriverEntryPointQueryResult* result) {
    return *result = cudaDriverEntryPointSymbolNotFound, cudaSuccess;
  };
}

gp::RawKernel scale_kernel() {
  return gp::RawModule({.code = ".version 8.0\n.target sm_70\n.address_size 64\n"
                                ".visible .entry\tscale(.param .u64 x) { ret; }"})
      .get_function("scale");
}

}  // namespace

TEST_CASE("cuda fake graph: users' kernels stay loaded as long as a graph launches them") {
  fixture f;
  static int waited;
  waited = 0;
  count_loaded_kernels();
  cuda::runtime.cudaDeviceSynchronize = [] {
    ++waited;
    return model.captures.empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
  };
  gp::ndarray<float> x = gp::zeros<float>({10});
  std::optional<gp::graph> g;
  {
    const gp::RawKernel k = scale_kernel();
    g = gp::capture([&] { k(1, 1, x); });
    CHECK(g->node_count() == 1);
  }
  CHECK(loaded == 1);
  g->launch();
  g.reset();
  CHECK(loaded == 0);

  // The last kernel of a program goes while a graph is recorded, which nobody may wait for.
  std::optional<gp::RawKernel> k = scale_kernel();
  (*k)(1, 1, x);
  waited = 0;
  g = gp::capture([&] {
    k.reset();
    x += 1.f;
  });
  CHECK(waited == 0);
  CHECK(loaded == 1);
  g.reset();
  CHECK(loaded == 0);

  // A stream that takes no part in the graph would run the kernel at once.
  k = scale_kernel();
  const gp::stream aside;
  CHECK_THROWS_AS(gp::capture([&] { (*k)(1, 1, {.stream = aside}, x); }), gp::value_error);
}

TEST_CASE("cuda fake: the driver's stream-ordered memory") {
  fixture f;
  const auto source = std::make_shared<gp::cuda_async_allocator>();
  {
    const gp::allocator_guard guard(gp::memory_space::device, gp::device::cuda(0), source);
    const gp::ndarray<float> x = gp::zeros<float>({1000});
    CHECK(model.async_memory.size() == 1);
    CHECK(f.pool().stats().used_bytes == 0);
    model.capacity = 1 << 20;
    try {
      (void)gp::zeros<float>({1 << 20});
      FAIL("no exception");
    } catch (const gp::out_of_memory& e) {
      const std::string text = e.what();
      CHECK(text.find("out of cuda:0 (the driver's stream-ordered pool) memory: asked for 4.00 MiB (4194304 "
                      "bytes); the pool has 3.91 KiB in use and 1.00 MiB cached; free outside the pool: ") ==
            0);
      CHECK(text.find("limit: none. Remedy: drop arrays") != std::string::npos);
    }
    model.fail_at = static_cast<int>(model.calls.size()) + 1;
    CHECK_THROWS_AS((void)gp::zeros<float>({10}), gp::cuda_error);
  }
  CHECK(model.async_memory.empty());
}

// The event that the memory's own stream waits for must come behind the kernel.
TEST_CASE("cuda fake: memory of a user's allocator is returned behind a kernel on another stream") {
  fixture f;
  count_loaded_kernels();
  const gp::RawKernel scale = scale_kernel();
  const gp::stream aside;
  const gp::allocator_guard guard(gp::memory_space::device, gp::device::cuda(0),
                                  std::make_shared<gp::cuda_async_allocator>());
  const gp::ndarray<float> x = gp::zeros<float>({10});
  model.calls.clear();
  scale(1, 1, {.stream = aside}, x);
  const auto launched =
      std::ranges::find_if(model.calls, [](const auto& c) { return c.starts_with("cudaLaunchKernel"); });
  REQUIRE(launched != model.calls.end());
  CHECK(std::ranges::count(launched, model.calls.end(), "cudaEventRecord") == 1);
  CHECK(std::ranges::count(model.calls.begin(), launched, "cudaEventRecord") == 0);
}
