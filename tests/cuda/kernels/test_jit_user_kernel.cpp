// ElementwiseKernel and ReductionKernel without a GPU: NVRTC compiles what is generated.
#include <string>

#include <doctest/doctest.h>

#include <core/kernels/user_kernel_cache.hpp>
#include <core/kernels/user_kernel_source.hpp>
#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
namespace core = gparray::core;
using gp::dtype;

namespace {

core::kernel_signature parse(const std::string& inputs, const std::string& outputs = "T z") {
  return core::parse_signature("ElementwiseKernel", "test", inputs, outputs);
}

void compile_as(const core::kernel_signature& s, std::string source,
                const std::vector<std::string>& options = {}) {
#ifdef GPARRAY_TEST_NVRTC
  core::compile_request r = core::kernel_request(s, std::move(source), options);
  r.architecture = "sm_90";
  try {
    CHECK(core::compile(r).image.size() > 0);
  } catch (const gp::compile_error& e) {
    FAIL_CHECK(e.what() << "\n" << r.source);
  }
#else
  (void)s, (void)source, (void)options;
#endif
}

core::kernel_variant variant(const core::kernel_signature& s, std::vector<dtype> types, std::string forms,
                             std::size_t ndim, std::size_t kept = 1, bool indexes_64_bits = false) {
  core::kernel_variant v;
  v.types.parameters = std::move(types);
  for (std::size_t i = 0; i < s.size(); ++i) {
    v.forms.push_back(static_cast<core::operand_form>(forms[i]));
    v.raw_ndim.push_back(forms[i] == 'r' || forms[i] == 'c' ? 2 : 0);
  }
  v.ndim = ndim;
  v.kept_ndim = kept;
  v.indexes_64_bits = indexes_64_bits;
  return v;
}

}  // namespace

TEST_CASE("NVRTC compiles elementwise kernels of every dtype and form of operand") {
  const auto s = parse("T x, raw T y, T s", "T z");
  for (int d = 0; d < gp::dtype_count; ++d) {
    const auto t = static_cast<dtype>(d);
    core::elementwise_text text;
    text.operation =
        t == dtype::bool_ ? "z = x && y[i] && s" : "z = x * y[i] + y[_ind.get()] * s + 1; z += x";
    CAPTURE(gp::name(t));
    compile_as(s, core::elementwise_source(s, text, variant(s, {t, t, t, t}, "srvs", 2)));
    compile_as(s, core::elementwise_source(s, text, variant(s, {t, t, t, t}, "pcvp", 2, 1, true)));
  }
  // What CuPy's documentation shows, and the pieces around the loop.
  const auto norm =
      core::parse_signature("ElementwiseKernel", "add_reverse", "T x, raw T y, complex64 c", "T z, bool b");
  compile_as(
      norm,
      core::elementwise_source(
          norm,
          {.operation = "z = twice(x) + y[_ind.size() - i - 1] + sum + N + abs(exp(c) * 2.f + pow(c, 2) - 1 "
                        "/ acos(c) + c.real()); b = isnan(z)",
           .preamble = "template<class V> __device__ V twice(V v) { return v + v; }\n__device__ T half_of(T "
                       "t) { return t / 2; }",
           .loop_prep = "T sum = half_of(y[n - 1]) + static_cast<T>(y.shape()[0])",
           .after_loop = "(void)sum"},
          variant(norm, {dtype::float64, dtype::float64, dtype::complex64, dtype::float64, dtype::bool_},
                  "pcppp", 1)),
      {"-DN=3", "--use_fast_math"});
}

TEST_CASE("NVRTC finds the functions of every dtype, and a user's own first") {
  const auto s = parse("T x, T y", "T z");
  const std::string preamble =
      "template<class V> __device__ V round(V v) { return v; }\n"
      "template<class V> __device__ V root(V v) { return sqrt(v); }";
  const std::string every =
      "z = root(x) + exp(x) * sin(y) + pow(x, y) + pow(x, 2) + pow(2.f, x) + x / 2 - 1.5f;"
      "z += abs(x) + tanh(x) + T(isnan(x)) + T(isfinite(x)); z = T(1) / (T(1) + exp(-x));";
  const std::string real = every +
                           "static_assert(sizeof(round(x)) == sizeof(T)); z = max(x, 0) + min(1.5f, y);"
                           "z += fmod(x, 3) + atan2(1, y) + floor(x) + log1p(x) + T(signbit(x));";
  const std::string complex = every +
                              "complex<double> d = x; z = conj(pow(2, x)) * asin(y) - complex<float>(0, 1);"
                              "d *= x; z += d.real() + norm(z);";
  for (int d = 0; d < gp::dtype_count; ++d) {
    const auto t = static_cast<dtype>(d);
    if (t == dtype::bool_) continue;
    core::elementwise_text text{
        .operation = is_complex(t) ? complex : real, .preamble = preamble, .loop_prep = "", .after_loop = ""};
    if (itemsize(t) >= 4 && !is_complex(t)) text.operation += "atomicAdd(&z, 1); atomicAdd(&z, x);";
    if (t == dtype::int64 || t == dtype::uint64)
      text.operation +=
          "atomicMax(&z, x); atomicMin(&z, 0); atomicCAS(&z, x, y); atomicExch(&z, x);"
          "atomicAnd(&z, x); atomicOr(&z, x); atomicXor(&z, x);";
    CAPTURE(gp::name(t));
    compile_as(s, core::elementwise_source(s, text, variant(s, {t, t, t}, "pps", 2)));
  }
}

TEST_CASE("macros of a user's change the user's texts alone") {
  const auto s = parse("float32 x", "float32 z");
  const auto source = core::elementwise_source(s,
                                               {.operation = "z = x + N + T + twice(R) + LAST  // a comment",
                                                .preamble = "",
                                                .loop_prep = "",
                                                .after_loop = ""},
                                               variant(s, {dtype::float32, dtype::float32}, "ps", 2));
  compile_as(s, source,
             {"-DN=3", "-D", "T=4", "--define-macro=R=(2 == 2)", "-Dtwice(a)=(2 * (a))", "-DLAST"});
}

TEST_CASE("NVRTC compiles reductions of every dtype and form of operand") {
  const auto s = core::parse_signature("ReductionKernel", "total", "T x, raw T y, T s", "T z");
  for (int d = 0; d < gp::dtype_count; ++d) {
    const auto t = static_cast<dtype>(d);
    if (t == dtype::bool_) continue;
    const core::reduction_text text{.map = "x * s + y[0]",
                                    .reduce = "a + b",
                                    .post_map = "z = a * s",
                                    .identity = "0",
                                    .preamble = "",
                                    .reduce_type = ""};
    CAPTURE(gp::name(t));
    compile_as(s, core::reduction_source(s, text, variant(s, {t, t, t, t}, "srvs", 2, 2)));
    compile_as(s, core::reduction_source(s, text, variant(s, {t, t, t, t}, "pcvp", 1, 1, true)));
  }
  // The largest element and where it is: a struct is reduced, and there is no identity.
  const auto arg = core::parse_signature("ReductionKernel", "largest", "T x", "T value, int64 index");
  compile_as(arg, core::reduction_source(
                      arg,
                      {.map = "best(x, i)",
                       .reduce = "a.value < b.value || (a.value == b.value && b.index < a.index) ? b : a",
                       .post_map = "value = a.value; index = a.index",
                       .identity = "",
                       .preamble = "struct best { T value; long index; __device__ best() {}\n"
                                   "__device__ best(T v, long p) : value(v), index(p) {} };",
                       .reduce_type = "best"},
                      variant(arg, {dtype::float32, dtype::float32, dtype::int64}, "sss", 2, 1)));
}

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("messages of the compiler point into the user's text") {
  const auto broken = error_of<gp::compile_error>(
      [] { gp::ElementwiseKernel("float32 x", "float32 z", "float y = x;\nz = yy", "broken"); });
  CHECK_MESSAGE(broken.find("broken (operation)(2): error: identifier \"yy\" is undefined") != broken.npos,
                broken);
  const auto post = error_of<gp::compile_error>(
      [] { gp::ReductionKernel("float32 x", "float32 z", "x", "a + b", "z = c", "0", "broken"); });
  CHECK_MESSAGE(post.find("broken (post_map_expr)(1): error: identifier \"c\" is undefined") != post.npos,
                post);
  const auto constant =
      error_of<gp::compile_error>([] { gp::ElementwiseKernel("float32 x", "float32 z", "x = 1; z = x"); });
  CHECK_MESSAGE(constant.find("kernel (operation)(1): error") != constant.npos, constant);
}

TEST_CASE("users' kernels contract unless told not to") {
  const auto s = parse("float32 x, float32 y", "float32 z");
  const auto source = core::elementwise_source(
      s, {.operation = "z = x * y + 1.f", .preamble = "", .loop_prep = "", .after_loop = ""},
      variant(s, {dtype::float32, dtype::float32, dtype::float32}, "ppp", 1));
  core::compile_request r = core::kernel_request(s, source, {});
  r.architecture = "compute_90";
  CHECK(core::compile(r).image.find("fma.rn.f32") != std::string::npos);
  r = core::kernel_request(s, source, {"-fmad=false"});
  r.architecture = "compute_90";
  // An option that is there twice is a warning.
  CHECK(core::compile(r).log == "");
  CHECK(core::compile(r).image.find("fma.rn.f32") == std::string::npos);
}
#endif
