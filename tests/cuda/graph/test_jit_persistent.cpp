// The generated kernels of persistent loops: compiled by NVRTC, which needs no GPU; and at work, compiled by
// g++ and run by the threads of one emulated block, on the memory of a fake device.
#include <array>
#include <cmath>
#include <functional>

#include "cuda/support/emulated_kernels.hpp"
#include "cuda/support/persistent_fixture.hpp"
#include "support/error_text.hpp"

namespace gp = gparray;
using persistent::fixture;
using persistent::model;

namespace {

temporary_folder* folder;  // of the test that runs

/// Loops have one block with all teams: the fake device has no room for more. So a cluster takes 16 KB a
/// phase, a cooperative launch 64 KB a step.
struct emulation_fixture : fixture {
  emulation_fixture() : fixture(make) {
    folder = &files;
    model.largest_cluster = model.multiprocessors = 1;
  }
  ~emulation_fixture() { folder = nullptr; }

  static gp::core::cuda::loaded_kernel make(const gp::core::compile_request& request, int) {
    ++persistent::n_made;
    const std::string text = request.source + "\n" + emulation::entry +
                             "unsigned n_bytes() {\n"
                             "  return sizeof(gparray::core::cuda::persistent_parameters);\n}\n" +
                             emulation::entry +
                             "void run(const void* p, unsigned blocks, unsigned threads) {\n"
                             "  emulated::run_blocks(&" +
                             request.name_expressions.front() + ", p, blocks, threads);\n}\n";
    persistent::sources.push_back(request.source);
    void* library = emulation::load(*folder, text);
    model.cluster_param_bytes = reinterpret_cast<unsigned (*)()>(dlsym(library, "n_bytes"))();
    return {dlsym(library, "run"), std::shared_ptr<void>(library, dlclose), {}, 0};
  }

  /// Does what the loops that were recorded since would do.
  void run() {
    for (const auto& l : model.cluster_launches) {
      REQUIRE(l.blocks == 1);
      const auto kernel = reinterpret_cast<emulation::run_function>(const_cast<void*>(l.kernel));
      kernel(l.params.data(), l.blocks, l.threads);
    }
    model.cluster_launches.clear();
  }

  temporary_folder files;
};

/// The same loop on the CPU and, as a persistent kernel, on the fake device: make(values, condition) gives
/// the body. Every array must end with the same bits. Returns how often the body ran.
template<class T>
std::int64_t compare(
    emulation_fixture& f, std::vector<gp::ndarray<T>> values, std::int64_t most,
    const std::function<std::function<void()>(std::vector<gp::ndarray<T>>&, gp::ndarray<bool>&)>& make,
    bool begin = true) {
  for (gp::ndarray<T>& v : values) v = v.copy();
  std::vector<gp::ndarray<T>> on_fake;
  std::vector<std::vector<T>> expected;
  std::int64_t n = 0;
  for (const gp::ndarray<T>& v : values) on_fake.push_back(gp::asarray(v, {.device = gp::device::cuda(0)}));
  {
    const gp::device_guard cpu(gp::device::cpu());
    gp::ndarray<bool> go = gp::full({}, begin);
    n = gp::while_loop(go, make(values, go), {.max_iterations = most}).item();
    for (const gp::ndarray<T>& v : values) expected.push_back(v.to_vector());
  }
  gp::ndarray<bool> go =
      gp::asarray(gp::full({}, begin, {.device = gp::device::cpu()}), {.device = gp::device::cuda(0)});
  const std::size_t before = f.persistent();
  const auto steps = gp::while_loop(go, make(on_fake, go), {.max_iterations = most});
  CAPTURE(f.reason());
  REQUIRE(f.persistent() == before + 1);
  f.run();
  CHECK(steps.item() == n);
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(on_fake[i].to_vector() == expected[i]);
  return n;
}

gp::ndarray<double> ramp(gp::dims shape, double scale) {
  const gp::device_guard cpu(gp::device::cpu());
  gp::ndarray<double> flat = gp::arange<double>(1, 1.0 + static_cast<double>(gp::zeros(shape).size()));
  return gp::remainder(flat * 37.0, 101.0).reshape(shape) * scale;
}

}  // namespace

TEST_CASE("emulated persistent loop: stencil, reduction, comparison, copy, with either barrier") {
  emulation_fixture f;
  using arrays = std::vector<gp::ndarray<double>>;
  const auto body = [](arrays& v, gp::ndarray<bool>& go) -> std::function<void()> {
    return [&v, &go] {
      v[1]("1:-1, 1:-1") =
          0.25 * (v[0](":-2, 1:-1") + v[0]("2:, 1:-1") + v[0]("1:-1, :-2") + v[0]("1:-1, 2:"));
      v[2](gp::ellipsis) = gp::max(gp::abs(v[1] - v[0]));
      go(gp::ellipsis) = v[2] > 12.0;
      v[0](gp::ellipsis) = v[1];
    };
  };
  const gp::ndarray<double> p = ramp({24, 24}, 1.0);
  const arrays values{p, p.copy(), gp::zeros({}, {.device = gp::device::cpu()})};
  const std::int64_t n = compare<double>(f, values, 1000, body);
  CHECK(n > 3);
  // The same kernel again: on other values, at most so often, and never.
  for (const std::int64_t most : {2, 1, 0}) CHECK(compare<double>(f, values, most, body) == most);
  CHECK(compare<double>(f, values, 5, body, false) == 0);
  CHECK(persistent::n_made == 1);
  // Without clusters the loop is a cooperative launch.
  model.compute_capability = 8;
  CHECK(compare<double>(f, values, 1000, body) == n);
  CHECK(compare<double>(f, values, 3, body) == 3);
  CHECK(persistent::n_made == 2);
  CHECK(f.persistent() == 7);
}

TEST_CASE(
    "emulated persistent loop: reductions in parts, maps of any strides, a condition that the first step "
    "writes") {
  emulation_fixture f;
  using arrays = std::vector<gp::ndarray<std::int64_t>>;
  arrays values;
  {
    const gp::device_guard cpu(gp::device::cpu());
    values = {gp::arange<std::int64_t>(300 * 32).reshape({300, 32}) % std::int64_t{17},
              gp::zeros<std::int64_t>({32}),
              gp::zeros<std::int64_t>({20}),
              gp::zeros<std::int64_t>({}),
              gp::zeros<std::int64_t>({}),
              gp::arange<std::int64_t>(7),
              gp::arange<std::int64_t>(20 * 33).reshape({20, 33})};
  }
  const std::int64_t n =
      compare<std::int64_t>(f, values, 100, [](arrays& v, gp::ndarray<bool>& go) -> std::function<void()> {
        return [&v, &go] {
          go(gp::ellipsis) = v[4] < 3;
          v[4] += 1;
          v[1](gp::ellipsis) = gp::sum(v[0], 0);               // columns, in splits
          v[3](gp::ellipsis) = gp::sum(v[0]) + gp::max(v[6]);  // of everything, in splits and not
          v[2](gp::ellipsis) = gp::sum(v[6] * v[6], 1);        // rows, computed
          v[6]("::2, ::-1") = v[6]("1::2") + v[3];             // strided
          v[0](gp::slice(0, 20)) = v[0](gp::slice(0, 20)) + v[2](gp::all, gp::newaxis) % 5;
          v[5](gp::ellipsis) = gp::argmax(v[6], 0)(gp::slice(0, 7)) + v[5];
        };
      });
  CHECK(n == 4);
}

TEST_CASE("emulated persistent loop: joined reductions, of one block and of several") {
  emulation_fixture f;
  using arrays = std::vector<gp::ndarray<std::int64_t>>;
  std::vector<gp::ndarray<std::int64_t>> values;
  {
    const gp::device_guard cpu(gp::device::cpu());
    values = {gp::arange<std::int64_t>(12 * 130).reshape({12, 130}) % std::int64_t{17}};
    for (const gp::dims& shape : {gp::dims{}, gp::dims{130}, gp::dims{12}})
      for (int i = 0; i < 2; ++i) values.push_back(gp::zeros<std::int64_t>(shape));
  }
  const auto set = [](arrays& v, std::size_t first, auto&& a, auto&& b) {
    const auto [one, other] = gp::eval(std::forward<decltype(a)>(a), std::forward<decltype(b)>(b));
    v[first](gp::ellipsis) = one;
    v[first + 1](gp::ellipsis) = other;
  };
  const std::int64_t n =
      compare<std::int64_t>(f, values, 100, [&](arrays& v, gp::ndarray<bool>& go) -> std::function<void()> {
        return [&v, &go, &set] {
          set(v, 1, gp::sum(v[0]), gp::max(v[0]));  // side by side
          set(v, 3, gp::min(v[0], 0), gp::sum(v[0], 0));
          set(v, 5, gp::argmax(v[0], 1), gp::max(v[0], 1));
          v[0](gp::ellipsis) = (v[0] * v[0] + v[1] + v[2] + v[3] + v[4]) % std::int64_t{1009};
          go(gp::ellipsis) = v[2] < 1007;
        };
      });
  CHECK(n > 1);
  REQUIRE(!persistent::sources.empty());
  CHECK(contains(persistent::sources.back(), "joined_reduction"));
}

TEST_CASE(
    "emulated persistent loop: a sum merged by one warp, of few splits and many, and what it then knows") {
  emulation_fixture f;
  using arrays = std::vector<gp::ndarray<double>>;
  const gp::ndarray<double> nothing = gp::zeros({}, {.device = gp::device::cpu()});
  // Sums of whole numbers, so that every order gives the same bits: in 9, 34 and 90 splits, the last not
  // whole.
  const auto check = [&](const gp::dims& shape, int n_additions, const auto& total) {
    const gp::ndarray<double> p = ramp(shape, 1.0);
    CAPTURE(p.size());
    double sum = 0;
    {
      const gp::device_guard cpu(gp::device::cpu());
      sum = total(p).item();
    }
    const double limit = 10.0 * n_additions * sum;
    const std::int64_t n = compare<double>(f, {p, nothing, nothing, nothing}, 9,
                                           [&](arrays& v, gp::ndarray<bool>& go) -> std::function<void()> {
                                             return [&v, &go, &total, limit, n_additions] {
                                               v[1](gp::ellipsis) = total(v[0]);
                                               for (int i = 0; i < n_additions; ++i) v[2] += v[1];
                                               v[3](gp::ellipsis) = v[2] + 1.0;
                                               v[2](gp::ellipsis) = v[3] * 2.0;  // no longer what it was
                                               go(gp::ellipsis) = v[2] < limit;
                                               v[0](0) += 1.0;
                                             };
                                           });
    CHECK(n == 3);  // 2, 6, 14 times the sum of all additions
    CHECK(contains(persistent::sources.back(), "merge_whole<"));
  };
  const auto squares = [](const auto& x) -> gp::ndarray<double> { return gp::sum(x * x); };
  check({70, 61}, 2, squares);
  check({131, 131}, 2, squares);
  // Each step of one element makes room for more work.
  check({370, 371}, 22, [](const auto& x) -> gp::ndarray<double> { return gp::sum(x); });
}

TEST_CASE("emulated persistent loop: a map computed in parts by the reduction that reads it, in place") {
  emulation_fixture f;
  using arrays = std::vector<gp::ndarray<double>>;
  const gp::ndarray<double> nothing = gp::zeros({}, {.device = gp::device::cpu()});
  // One row; rows that begin and end within those of the array; rows longer than a part, that begin apart.
  struct {
    gp::dims shape;
    const char* where;
  } const cases[]{{{4270}, ":"}, {{61, 70}, "2:-3, 5:-1"}, {{70, 61}, ":, :-1"}, {{6, 700}, "1:, 1:-2"}};
  for (const auto& c : cases) {
    CAPTURE(c.where);
    // Whole numbers: every order of additions gives the same bits.
    const std::int64_t n = compare<double>(f, {ramp(c.shape, 1.0), nothing}, 5,
                                           [&](arrays& v, gp::ndarray<bool>& go) -> std::function<void()> {
                                             return [&v, &go, &c] {
                                               v[0](c.where) += 3.0;
                                               v[1](gp::ellipsis) = gp::sum(v[0] * v[0]);
                                               go(gp::ellipsis) = v[1] < 1e9;
                                             };
                                           });
    CHECK(n == 5);
    CHECK(contains(persistent::sources.back(), "vector_map_part<"));
    CHECK(contains(persistent::sources.back(), "barrier.compute_and_wait("));
  }
}

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("kernels of persistent loops with joined reductions compile for a GPU") {
  fixture f([](const gp::core::compile_request& request, int) {
    persistent::sources.push_back(request.source);
    gp::core::compile_request wanted = request;
    wanted.architecture = "sm_90";
    gp::core::compile(wanted);
    return gp::core::cuda::loaded_kernel{&persistent::kernel_stand_in, {}, {}, 0};
  });
  gp::ndarray<float> x = gp::zeros<float>({300, 200}), y = gp::zeros<float>({200}), s = gp::zeros<float>({});
  gp::ndarray<bool> go = gp::zeros<bool>({});
  gp::while_loop(go, [&] {
    const auto [least, most] = gp::eval(gp::min(x, 0), gp::max(x, 0));
    y(gp::ellipsis) = most - least;
    const auto [sum, deviation] = gp::eval(gp::sum(x), gp::std(x));
    s(gp::ellipsis) = sum;
    go(gp::ellipsis) = deviation > 0.0f;
  });
  CAPTURE(f.reason());
  CHECK(f.persistent() == 1);
  REQUIRE(persistent::sources.size() == 1);
  CHECK(contains(persistent::sources[0], "std_reduction<float>"));
  CHECK(contains(persistent::sources[0], "joined_params<"));
}

TEST_CASE("kernels of persistent loops compile for a GPU, with the barriers of a cluster or a grid") {
  static std::vector<std::string> texts;
  texts.clear();
  fixture f([](const gp::core::compile_request& request, int) {
    gp::core::compile_request wanted = request;
    wanted.architecture = "compute_90";  // text, to look into
    texts.push_back(gp::core::compile(wanted).image);
    wanted.architecture = "sm_90";
    CHECK(
        gp::core::compile(wanted).image.starts_with("\x7f"
                                                    "ELF"));
    return gp::core::cuda::loaded_kernel{&persistent::kernel_stand_in, {}, {}, 0};
  });
  gp::ndarray<float> x = gp::zeros<float>({300, 200}), y = gp::zeros<float>({200}),
                     z = gp::zeros<float>({300});
  gp::ndarray<double> e = gp::zeros({300, 200});
  gp::ndarray<bool> go = gp::zeros<bool>({});
  const auto body = [&] {
    y(gp::ellipsis) = gp::var(x, 0);
    z(gp::ellipsis) = gp::sum(gp::sqrt(gp::abs(x)) * x, 1);
    e("::2, ::-1") = e("1::2") * 2.0 + x("::2");
    go(gp::ellipsis) = gp::linalg::norm(e - 1.0) > 3.0;
  };
  gp::while_loop(go, body);  // a grid
  x = gp::zeros<float>({60, 40});
  y = gp::zeros<float>({40});
  z = gp::zeros<float>({60});
  e = gp::zeros({60, 40});
  gp::while_loop(go, body);
  CHECK(f.reason() == f.count_before.reason);
  REQUIRE(texts.size() == 2);
  std::swap(texts[0], texts[1]);
  CHECK(contains(texts[0], "barrier.cluster.arrive.release"));
  CHECK(contains(texts[0], "barrier.cluster.wait.acquire"));
  CHECK(contains(texts[1], "red.release.gpu.global.add.u64"));
  CHECK(contains(texts[1], "ld.acquire.gpu.global.u64"));
  CHECK_FALSE(contains(texts[1], "barrier.cluster"));
  // What other blocks write must not come out of the read-only cache, as the tables of some functions do.
  CHECK_FALSE(contains(texts[1], "ld.global.nc"));
  CHECK_FALSE(contains(texts[0], "ld.global.nc"));
}
#endif
