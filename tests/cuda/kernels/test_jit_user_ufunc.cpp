// Functions made with GPARRAY_UFUNC in generated kernels: NVRTC compiles their text for every dtype, and what
// it says of a bad one points to the user's file. It needs no GPU.
#ifdef GPARRAY_TEST_NVRTC
#include <string>

#include <doctest/doctest.h>

#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <gparray/gparray.hpp>

namespace gp = gparray;
namespace core = gparray::core;
using gp::dtype;

namespace functions {

GPARRAY_UFUNC(arithmetic, (x, y), x > y ? T(2) * x - y : static_cast<T>(x + y));
GPARRAY_UFUNC(five, (a, b, c, d, e), fma(a, b, c) + fmin(d, e));
// Parameters may have the names of functions.
GPARRAY_UFUNC(clamped, (x, min, max), x<min ? min : x> max ? max : abs(x));
// What GPARRAY_UFUNC itself refuses.
namespace gparray_ufunc_host_only {
struct definition {
  static constexpr gp::detail::user_function function{
      "host_only", "(x)", "x + std::numeric_limits<T>::epsilon()", __FILE__, __LINE__, 1};
  template<class T>
  static auto apply(T x) {
    return x + std::numeric_limits<T>::epsilon();
  }
};
}  // namespace gparray_ufunc_host_only
// Every function of ufunc_math.hpp, of a number of T, a literal and an integer.
GPARRAY_UFUNC(trigonometry, (x),
              sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x) + cosh(x) + tanh(x) +
                  asinh(x) + acosh(x) + atanh(x) + atan2(x, 1) + hypot(x, 2));
GPARRAY_UFUNC(exponents, (x),
              exp(x) + exp2(x) + expm1(x) + log(x) + log2(x) + log10(x) + log1p(x) + sqrt(x) + cbrt(x) +
                  pow(x, 2) + pow(2.0, x) + erf(x) + erfc(x) + tgamma(x) + lgamma(x));
GPARRAY_UFUNC(rounding, (x),
              floor(x) + ceil(x) + trunc(x) + round(x) + rint(x) + nearbyint(x) + fabs(x) + abs(x) +
                  fmod(x, 3) + remainder(x, 3) + fdim(x, 1) + copysign(x, -1) + nextafter(x, 9) + fmin(x, 1) +
                  fmax(x, 2.f) + fma(x, 2, 1));
GPARRAY_UFUNC(tests, (x),
              isnan(x) || isinf(x) || (isfinite(x) && signbit(x)) || min(x, 1) < max(x, 2.5) ||
                  x == T(INFINITY) || x == T(NAN));

}  // namespace functions

namespace {

using namespace functions;

/// A plan of one step on side-by-side vectors, as a generated kernel.
core::compile_request request_of(const gp::detail::user_loop& loop, bool strided) {
  core::map_plan plan;
  plan.ndim = 1;
  plan.shape[0] = plan.size = 1000;
  plan.n_inputs = loop.function->arity;
  for (int i = 0; i < plan.n_inputs; ++i) {
    plan.inputs[i].kind = core::input_kind::array;
    plan.inputs[i].type = loop.type;
    plan.inputs[i].data = nullptr;
    plan.inputs[i].strides[0] = static_cast<std::int64_t>(itemsize(loop.type));
  }
  plan.n_steps = 1;
  plan.steps[0] = {gp::ufunc::user, loop.type, {0, 1, 2, 3, 4}, &loop};
  plan.out.type = loop.result;
  plan.out.data = nullptr;
  plan.out.strides[0] = static_cast<std::int64_t>(itemsize(loop.result)) * (strided ? 2 : 1);
  core::cuda::fused_plan fused;
  REQUIRE(core::cuda::plan_map(plan, 0, fused));
  return core::cuda::kernel_request(fused.key, "sm_90");
}

template<class F, class V>
std::string compile_error_of(bool strided = false) {
  const core::compile_request request = request_of(gp::detail::user_loop_of<F, V>::loop, strided);
  try {
    const core::compiled_program program = core::compile(request);
    CHECK(program.lowered_names.size() == 1);
    CHECK_MESSAGE(program.log.empty(), program.log);
    return "";
  } catch (const gp::compile_error& e) {
    return std::string(e.what()) + "\n" + request.source;
  }
}

template<class V>
void check_dtype() {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CHECK(compile_error_of<gparray_ufunc_arithmetic::definition, V>() == "");
  CHECK(compile_error_of<gparray_ufunc_arithmetic::definition, V>(true) == "");
}

}  // namespace

TEST_CASE("NVRTC compiles a user's function for every dtype, and its functions") {
  check_dtype<bool>();
  check_dtype<std::int8_t>();
  check_dtype<std::int16_t>();
  check_dtype<std::int32_t>();
  check_dtype<std::int64_t>();
  check_dtype<std::uint8_t>();
  check_dtype<std::uint16_t>();
  check_dtype<std::uint32_t>();
  check_dtype<std::uint64_t>();
  check_dtype<gp::float16>();
  check_dtype<gp::bfloat16>();
  check_dtype<float>();
  check_dtype<double>();
  CHECK(compile_error_of<gparray_ufunc_five::definition, float>() == "");
  CHECK(compile_error_of<gparray_ufunc_clamped::definition, double>() == "");
  CHECK(compile_error_of<gparray_ufunc_trigonometry::definition, float>() == "");
  CHECK(compile_error_of<gparray_ufunc_trigonometry::definition, double>() == "");
  CHECK(compile_error_of<gparray_ufunc_trigonometry::definition, std::int32_t>() == "");
  CHECK(compile_error_of<gparray_ufunc_exponents::definition, float>() == "");
  CHECK(compile_error_of<gparray_ufunc_exponents::definition, std::int64_t>() == "");
  CHECK(compile_error_of<gparray_ufunc_rounding::definition, float>() == "");
  CHECK(compile_error_of<gparray_ufunc_rounding::definition, double>() == "");
  CHECK(compile_error_of<gparray_ufunc_tests::definition, float>() == "");
  CHECK(compile_error_of<gparray_ufunc_tests::definition, gp::float16>() == "");
}

TEST_CASE("text that only the CPU understands is reported at the user's line") {
  const std::string error = compile_error_of<gparray_ufunc_host_only::definition, float>();
  const std::string location = std::string(__FILE__) + "(" +
                               std::to_string(gparray_ufunc_host_only::definition::function.line) +
                               "): error";
  CHECK_MESSAGE(error.find(location) != std::string::npos, error);
  CHECK(error.find("numeric_limits") != std::string::npos);
}

TEST_CASE("kernels of different functions have different keys") {
  const auto a =
      request_of(gp::detail::user_loop_of<gparray_ufunc_trigonometry::definition, float>::loop, false);
  const auto b =
      request_of(gp::detail::user_loop_of<gparray_ufunc_exponents::definition, float>::loop, false);
  CHECK(a.source != b.source);
}

#endif
