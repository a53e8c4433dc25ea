// Transfers on a fake GPU whose work waits until it is asked for: what is copied, when, and on which stream.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;
using floats = std::vector<float>;

namespace {

const gp::device gpu0 = gp::device::cuda(0), gpu1 = gp::device::cuda(1), cpu = gp::device::cpu();

gp::ndarray<float> on_cpu(const floats& values) {
  const gp::device_guard there(cpu);
  return gp::ndarray<float>(values);
}

}  // namespace

TEST_CASE("transfer: to the host and back") {
  fake::installed fake;
  const gp::ndarray<float> a{{1, 2, 3}, {4, 5, 6}};
  const gp::ndarray<float> host = gp::asnumpy(a + 1.f);
  CHECK(host.device() == cpu);
  CHECK(host.space() == gp::memory_space::host);
  CHECK(host.is_c_contiguous());
  CHECK(host.to_vector() == floats{2, 3, 4, 5, 6, 7});
  CHECK(gp::asnumpy(host).raw_data() == host.raw_data());  // there already
  const auto back = gp::asarray(host);
  CHECK(back.device() == gpu0);
  CHECK(back.shape() == gp::dims{2, 3});
  CHECK(gp::to_device(back, gpu0).raw_data() == back.raw_data());
  CHECK((back - a).to_vector() == floats(6, 1.f));
}

TEST_CASE("transfer: strided views are packed where they are") {
  fake::installed fake;
  const gp::ndarray<float> a{{1, 2, 3, 4}, {5, 6, 7, 8}};
  const gp::ndarray<float> view = a("::-1, ::2");
  fake.gpu.copies.clear();
  CHECK(gp::asnumpy(view).to_vector() == floats{5, 7, 1, 3});
  REQUIRE(fake.gpu.copies.size() == 1);
  CHECK(fake.gpu.copies[0].bytes == 16);  // not the 32 of the base
}

TEST_CASE("transfer: a source in pageable memory may be changed at once, a pinned copy is asynchronous") {
  fake::installed fake;
  gp::ndarray<float> host = on_cpu({1, 2, 3});
  const auto a = gp::asarray(host);
  host.fill(0);
  CHECK(fake.gpu.waiting() == 1);  // still under way
  CHECK(a.to_vector() == floats{1, 2, 3});

  const auto pinned = gp::empty_pinned<float>({3});
  CHECK(pinned.device() == cpu);
  CHECK(pinned.space() == gp::memory_space::pinned);
  gp::stream s;
  gp::asnumpy(a, {.stream = s, .out = pinned});
  CHECK(!s.done());
  s.synchronize();
  CHECK(pinned.to_vector() == floats{1, 2, 3});
}

TEST_CASE("transfer: an expression sent on another stream is computed first") {
  fake::installed fake;
  gp::stream s;
  const gp::ndarray<float> a{1, 2, 3};
  CHECK(gp::asnumpy(a * 2.f, s).to_vector() == floats{2, 4, 6});
  const auto named = a * 3.f;
  CHECK(gp::to_device(named, cpu, s).to_vector() == floats{3, 6, 9});
  CHECK(fake.gpu.live_events == 0);
}

TEST_CASE("copyto: across devices, dtypes and layouts") {
  fake::installed fake;
  gp::ndarray<double> target{{0, 0, 0}, {0, 0, 0}};
  SUBCASE("broadcast and widened: the narrow dtype travels") {
    fake.gpu.copies.clear();
    gp::copyto(target, on_cpu({1, 2, 3}));
    CHECK(fake.gpu.copies.at(0).bytes == 12);
    CHECK(target.to_vector() == std::vector<double>{1, 2, 3, 1, 2, 3});
  }
  SUBCASE("widened alone: sent as it is, and converted there") {
    fake.gpu.copies.clear();
    gp::copyto(target, on_cpu({1, 2, 3, 4, 5, 6}).reshape({2, 3}));
    REQUIRE(fake.gpu.copies.size() == 1);
    CHECK(fake.gpu.copies[0].bytes == 24);
    CHECK(target.to_vector() == std::vector<double>{1, 2, 3, 4, 5, 6});
  }
  SUBCASE("of one form: bytes go to their place") {
    const gp::ndarray<float> floats_there{0, 0, 0};
    const auto allocations = [&] {
      const gp::memory_pool pool = gp::default_memory_pool(gp::memory_space::device, gpu0);
      return pool.hits() + pool.misses();
    };
    const auto before = allocations();
    gp::copyto(floats_there, on_cpu({1, 2, 3}));
    CHECK(allocations() == before);
    CHECK(floats_there.to_vector() == floats{1, 2, 3});
  }
  SUBCASE("into a strided view") {
    gp::copyto(target("::-1, 1"), on_cpu({8, 9}));
    CHECK(target.to_vector() == std::vector<double>{0, 9, 0, 0, 8, 0});
  }
  SUBCASE("narrowed on the way to the host") {
    gp::copyto(target(0), 2.5);
    gp::ndarray<float> host = on_cpu(floats(6, 0.f));
    fake.gpu.copies.clear();
    gp::copyto(host("::-2"), target(0));
    CHECK(fake.gpu.copies.at(0).bytes == 12);
    CHECK(host.to_vector() == floats{0, 2.5f, 0, 2.5f, 0, 2.5f});
  }
  SUBCASE("with a mask on the other side") {
    gp::ndarray<bool> mask;
    {
      const gp::device_guard there(cpu);
      mask = gp::ndarray<bool>{true, false, true};
    }
    gp::copyto(target, on_cpu({1, 2, 3}), {.where = mask});
    CHECK(target.to_vector() == std::vector<double>{1, 0, 3, 1, 0, 3});
    gp::copyto(target, 7., {.where = gp::asarray(mask)});
    CHECK(target.to_vector() == std::vector<double>{7, 0, 7, 7, 0, 7});
  }
  SUBCASE("nothing to copy") {
    fake.gpu.copies.clear();
    gp::copyto(target("0:0"), on_cpu({1, 2, 3}));
    CHECK(fake.gpu.copies.empty());
  }
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("copyto: where one side's memory is seen by both, a kernel copies") {
  fake::installed fake;
  const gp::ndarray<float> on_gpu{1, 2, 3};
  for (const gp::memory_space space : {gp::memory_space::mapped, gp::memory_space::managed}) {
    const gp::device_guard there(space == gp::memory_space::managed ? gpu1 : gpu0);
    const auto shared = gp::empty_in<float>(space, {3});
    fake.gpu.copies.clear();
    gp::copyto(shared, on_gpu);
    gp::copyto(on_gpu, shared);
    CHECK(fake.gpu.copies.empty());
    gp::default_stream(gpu0).synchronize();
    CHECK(on_gpu.to_vector() == floats{1, 2, 3});
  }
  const auto pinned = gp::empty_pinned<float>({3});
  fake.gpu.copies.clear();
  gp::copyto(pinned, on_gpu);
  CHECK(fake.gpu.copies.size() == 1);
}

TEST_CASE(
    "copyto, assignment: between the CPU and shared memory of a GPU it is a copy behind the GPU's work") {
  fake::installed fake;
  for (const gp::memory_space space : {gp::memory_space::mapped, gp::memory_space::managed}) {
    const gp::ndarray<float> shared = gp::zeros<float>({3}, {.space = space, .device = gpu0});
    fake.gpu.copies.clear();
    gp::copyto(shared, on_cpu({1, 2, 3}));
    CHECK(fake.gpu.copies.size() == 1);
    shared("...") += 1.f;  // under way
    const gp::ndarray<float> host = on_cpu({0, 0, 0});
    host("::-1") = shared;
    CHECK(fake.gpu.copies.size() == 2);
    CHECK(host.to_vector() == floats{4, 3, 2});
  }
}

TEST_CASE("copyto: what does not fit is refused before anything is written") {
  fake::installed fake;
  const gp::ndarray<float> target{0, 0, 0};
  CHECK_THROWS_WITH_AS(gp::copyto(target, on_cpu({1, 2})),
                       "could not broadcast input array from shape (2,) into shape (3,)", gp::value_error);
  CHECK_THROWS_AS(gp::copyto(target, on_cpu({1, 2, 3}), {.where = gp::ndarray<bool>{true, false}}),
                  gp::value_error);
  CHECK_THROWS_AS(gp::copyto(target, on_cpu({1, 2, 3}), {.where = gp::ndarray<float>{1, 0, 1}}),
                  gp::type_error);
  CHECK_THROWS_WITH_AS(
      gp::copyto(target, on_cpu({1, 2, 3}), {.stream = gp::default_stream(gpu1)}),
      "copyto: the stream is of cuda:1, but the data goes from cpu to cuda:0; use a stream of cuda:0",
      gp::device_error);
  CHECK(target.to_vector() == floats{0, 0, 0});
}

TEST_CASE("asnumpy: out is checked") {
  fake::installed fake;
  const gp::ndarray<float> a{1, 2, 3};
  CHECK_THROWS_AS(gp::asnumpy(a, {.out = on_cpu({0, 0})}), gp::value_error);
  CHECK_THROWS_AS(gp::asnumpy(a, {.out = gp::ndarray<float>{0, 0, 0}}), gp::device_error);
  CHECK_THROWS_AS(gp::asnumpy(a, {.out = gp::empty_pinned<double>({3})}), gp::type_error);
  const auto out = on_cpu({0, 0, 0, 0, 0, 0});
  gp::asnumpy(a, {.out = out("::2")});
  CHECK(out.to_vector() == floats{1, 0, 2, 0, 3, 0});
}

TEST_CASE("transfer: between two GPUs both streams keep the order") {
  fake::installed fake;
  gp::stream s(gpu0), t(gpu1);
  const gp::stream_guard on_s(s), on_t(t);
  auto a = std::make_unique<gp::ndarray<float>>(floats(1000, 1.f));
  *a += 1.f;
  auto b = gp::to_device(*a, gpu1);
  CHECK(b.device() == gpu1);
  CHECK(fake.gpu.copies.back().where.device == 1);
  CHECK(fake.gpu.copies.back().where.stream == t.native_handle());
  // The source may be dropped, and its memory written by the next array of its stream.
  a.reset();
  const gp::ndarray<float> next(floats(1000, -1.f));
  s.synchronize();
  CHECK(b.to_vector() == floats(1000, 2.f));
  CHECK_THROWS_AS(b + next, gp::device_error);
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("transfer: a copy between two GPUs waits for the work that makes its source") {
  fake::installed fake;
  const gp::ndarray<float> a = gp::ndarray<float>{1, 2, 3} * 2.f;
  CHECK(!gp::default_stream(gpu0).done());
  CHECK(gp::to_device(a, gpu1).to_vector() == floats{2, 4, 6});  // only the target's stream is synchronised
  CHECK(fake.gpu.live_events == 0);
}

TEST_CASE("transfer: pinned memory of one GPU used by a stream of another is kept until that is done") {
  fake::installed fake;
  auto pinned = std::make_unique<gp::ndarray<float>>(gp::zeros_pinned<float>({1000}));
  const void* const address = pinned->raw_data();
  gp::stream t(gpu1);
  {
    const gp::device_guard there(gpu1);
    const gp::ndarray<float> a(floats(1000, 3.f));
    t.wait(gp::default_stream(gpu1));
    gp::asnumpy(a, t, *pinned);
  }
  pinned.reset();
  const auto next = gp::empty_pinned<float>({1000});
  CHECK(next.raw_data() != address);
  gp::default_stream(gpu0).synchronize();  // waits for t
  CHECK(gp::empty_pinned<float>({1000}).raw_data() == address);
  CHECK(fake.gpu.misuses == 0);
}
