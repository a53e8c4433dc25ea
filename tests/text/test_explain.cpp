// gp::explain: what it says, and that it does nothing else.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;

namespace {

#ifdef GPARRAY_HAS_CUDA
constexpr bool has_cuda = true;
#else
constexpr bool has_cuda = false;
#endif

}  // namespace

TEST_CASE("an expression's operands, steps and dimensions") {
  const gp::ndarray<float> a = gp::ones<float>({40, 30}), column = gp::ones<float>({40, 1});
  const auto gaps = gp::ones<double>({40, 60})(gp::all, gp::slice(gp::none, gp::none, 2));
  const std::string text = gp::explain(gp::sqrt(a) * 2.f + column - gaps);
  CHECK(contains(text, "float64 array of shape (40,30) on "));
  CHECK(contains(text, "plan of 4 operands and 5 steps over (40,30)"));
  CHECK(contains(text, "float32 array with strides (120,4): contiguous"));
  CHECK(contains(text, "float32 2.0"));
  CHECK(contains(text, "float32 array with strides (4,0): one element for each row"));
  CHECK(contains(text, "float64 array with strides (480,16): strided"));
  CHECK(contains(text, "sqrt<float32>(v0), float32"));
  CHECK(contains(text, "cast<float64>("));
  CHECK(contains(text, "subtract<float64>("));
}

TEST_CASE("contiguous dimensions are one") {
  const gp::ndarray<float> a = gp::ones<float>({4, 5, 6});
  CHECK(contains(gp::explain(gp::exp(a) + a), "plan of 1 operands and 2 steps over (120,)"));
}

TEST_CASE("a temporary becomes part of an expression as far as a plan goes") {
  // 16 operands: arrays, and numbers as they are converted.
  const gp::ndarray<float> a = gp::ones<float>({40}), b = gp::zeros<float>({40}).eval();
  CHECK(contains(gp::explain((a + 1 + 2.f + 3.f) * (b + 4. + 5.f)), "plan of 7 operands and 6 steps"));
  CHECK(contains(gp::explain((a + 1.f + 2.f + 3.f + 4.f) * (b + 5.f + 6.f + 7.f + 8.f)),
                 "plan of 10 operands and 9 steps"));
  auto sum = a + 1.f;
  for (int i = 2; i <= 15; ++i) sum = std::move(sum) + static_cast<float>(i);
  CHECK(contains(gp::explain(sum), "plan of 16 operands and 15 steps"));
  // Beside 16 arrays a GPU's kernel has room for more numbers.
  CHECK(contains(gp::explain(sum + 16.f), gp::default_device().is_cpu()
                                              ? "plan of 2 operands and 1 steps"
                                              : "plan of 17 operands and 16 steps"));
  // Numbers, arrays and steps that occur twice count once.
  CHECK(contains(gp::explain((a + 1.f) * (b + 1.f)), "plan of 3 operands and 3 steps"));
  const auto c = a + b;
  CHECK(contains(gp::explain(c * c + c), "plan of 2 operands and 3 steps"));
  // 128 steps, of which one may be needed to convert the result.
  auto sines = gp::sin(a);
  for (int i = 1; i < 127; ++i) sines = gp::sin(std::move(sines));
  CHECK(contains(gp::explain(sines), "plan of 1 operands and 127 steps"));
  CHECK(contains(gp::explain(gp::sin(std::move(sines))), "plan of 1 operands and 1 steps"));
}

TEST_CASE("turns of a loop are one plan, and a kernel goes round it") {
  gp::ndarray<double> x = gp::linspace(0., 1., 10000), v = gp::zeros(10000);
  for (int step = 0; step < 60; ++step) {
    v -= 0.05 * x * x;
    x += 0.1 * v;
  }
  const std::string text = gp::explain(x);
  CHECK(contains(text, "plan of 4 operands and 300 steps"));
  CHECK(contains(text, "times round a loop of 5 steps") == has_cuda);
}

TEST_CASE("nothing is computed") {
  const gp::ndarray<float> a = gp::ones<float>({10});
  auto pending = gp::exp(a) + a;
  const std::string text = gp::explain(pending);
  CHECK(pending.pending());
  CHECK(text == gp::explain(gp::exp(a) + a));
  pending.eval();
  CHECK(contains(gp::explain(pending), "in memory: there is nothing to compute"));
  CHECK(contains(gp::explain(gp::zeros<float>({0, 3}) + 1.f), "no elements: nothing is computed"));
}

TEST_CASE("reductions: what is reduced, and over how many elements") {
  const gp::ndarray<float> a = gp::ones<float>({40, 30});
  const std::string text = gp::explain(a * a, gp::reduction::sum, 1);
  CHECK(contains(text, "sum of a float32 array of shape (40,30) on "));
  CHECK(contains(text, "multiply<float32>(v0, v0), float32"));
  CHECK(contains(text, "then sum of 30 elements for each of 40 results of float32"));
  CHECK(contains(gp::explain(a * a, gp::reduction::moments, {0, 1}),
                 "then moments of 1200 elements for each of 1 results of float32 and float32"));
  CHECK(contains(gp::explain(a > 0.f, gp::reduction::ptp), "results of int8"));
  CHECK_THROWS_AS(gp::explain(a * a, gp::reduction::sum, 2), gp::axis_error);
  CHECK_THROWS_AS(gp::explain(a * a, gp::reduction::argmax, {0, 1}), gp::value_error);
}

TEST_CASE("where it runs, and the kernel of a GPU") {
  const gp::ndarray<float> a = gp::ones<float>({40, 30});
  const std::string map = gp::explain(gp::sin(a) * a), sum = gp::explain(gp::sin(a) * a, gp::reduction::sum);
  if (gp::default_device().is_cpu()) {
    CHECK(contains(map, "on the CPU: fused by tiles: all steps on "));
    CHECK(contains(sum, "on the CPU: one pass over memory"));
    CHECK(contains(gp::explain(gp::sin(a)), "on the CPU: one loop"));
    CHECK(contains(map, has_cuda ? "on a GPU: one kernel" : "this build of gparray has no CUDA backend"));
  }
  if (!has_cuda) return;
  CHECK(contains(map, "generated kernel: threads along rows of the output, 16 bytes each"));
  CHECK(contains(map, "architecture: sm_"));
  CHECK(contains(map, "struct expression {"));
  CHECK(contains(map, "kernel::invoke<kernel::sin_op, float>(v0)"));
  CHECK(contains(map, "vector_map<gparray::core::cuda::expression>"));
  CHECK(contains(sum, "one kernel, which computes what it reduces"));
  CHECK(contains(sum, "reduce_whole<gparray::kernel::sum_reduction<float>, "));
  CHECK(contains(gp::explain(gp::sin(a)), "one kernel that was compiled ahead of time"));
}

TEST_CASE("which tier runs on a GPU") {
  if (!gp::default_device().is_cuda()) return;
  const gp::jit before = gp::jit_mode();
  const gp::ndarray<float> a = gp::ones<float>({41, 30});
  const auto tier = [&] { return gp::explain(gp::sin(a) - gp::cos(a) * 3.f); };
  gp::set_jit_mode(gp::jit::off);
  CHECK(contains(tier(), "tier: step by step, as the jit mode is off"));
  gp::set_jit_mode(gp::jit::async);
  CHECK(contains(tier(), "tier: step by step the first time"));
  gp::set_jit_mode(gp::jit::sync);
  CHECK(contains(tier(), "tier: fused; the first use waits for the compiler"));
  (gp::sin(a) - gp::cos(a) * 3.f).eval();
  CHECK(contains(tier(), "tier: fused, by a kernel "));
  gp::set_jit_mode(before);
}
