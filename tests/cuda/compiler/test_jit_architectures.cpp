// Generated kernels of every kind for every GPU that is supported: what is newer than the oldest has a twin.
// NVRTC needs no GPU.
#ifdef GPARRAY_TEST_NVRTC
#include <algorithm>
#include <nvrtc.h>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <core/kernels/user_kernel_cache.hpp>
#include <core/kernels/user_kernel_source.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <gparray/gparray.hpp>
#include <plan/compiler.hpp>

#include "cuda/support/persistent_fixture.hpp"
#include "support/error_text.hpp"

using namespace gparray;
using namespace gparray::core;

namespace {

/// Those of the portable list, which CUDA 13.0 and all later ones so far have.
std::vector<int> architectures() {
  int count = 0;
  REQUIRE(nvrtcGetNumSupportedArchs(&count) == NVRTC_SUCCESS);
  std::vector<int> known(static_cast<std::size_t>(count)), result;
  REQUIRE(nvrtcGetSupportedArchs(known.data()) == NVRTC_SUCCESS);
  for (const int each : {75, 80, 86, 89, 90, 100, 120})
    if (std::find(known.begin(), known.end(), each) != known.end()) result.push_back(each);
  REQUIRE(result.size() == 7);
  return result;
}

/// Machine code: what an architecture lacks, the text's assembler says.
void check_compiles(compile_request request, int architecture) {
  CAPTURE(architecture);
  request.architecture = "sm_" + std::to_string(architecture);
  try {
    const compiled_program p = compile(request);
    CHECK(
        p.image.starts_with("\x7f"
                            "ELF"));
    CHECK(p.log == "");
  } catch (const compile_error& e) {
    FAIL_CHECK(e.what());
  }
}

cuda::kernel_key key_of(cuda::kernel_form form, dtype type) {
  cuda::kernel_key key;
  key.form = form;
  key.out = type;
  key.lanes = 2;
  key.dims = 2;
  key.flat = form != cuda::kernel_form::strided;
  if (form == cuda::kernel_form::dense) {
    const reduction joined[] = {reduction::sum, reduction::max, reduction::argmax};
    key.set_reductions(joined);
    return key;
  }
  const reduction one[] = {form == cuda::kernel_form::scan ? reduction::sum : reduction::argmax};
  if (!cuda::is_map(form)) key.set_reductions(one);
  key.n_inputs = key.n_steps = 2;
  key.inputs[0] = key.inputs[1] = {cuda::access::contiguous, type};
  if (cuda::may_jump(form)) key.inputs[1].jumps = 3;
  key.steps[0] = {ufunc::multiply, type, {0, 1, 0}};
  key.steps[1] = {ufunc::add, type, {2, 0, 0}};
  return key;
}

int device_architecture;

cuda::loaded_kernel compile_for_device(const compile_request& request, int) {
  check_compiles(request, device_architecture);
  persistent::sources.push_back(request.source);
  return {&persistent::kernel_stand_in, {}, {}, 0};
}

}  // namespace

TEST_CASE("fused maps and reductions of every form compile for every GPU") {
  using cuda::kernel_form;
  // What kernels ask about is whether 8.0 and 9.0 are there, so other GPUs get one form of each kind.
  for (const int architecture : architectures()) {
    const bool all = architecture == 75 || architecture == 80 || architecture == 90;
    for (int n = 0; n < cuda::n_kernel_forms; ++n) {
      const auto form = static_cast<kernel_form>(n);
      if (!all && form != kernel_form::strided && form != kernel_form::dense) continue;
      CAPTURE(static_cast<int>(form));
      check_compiles(cuda::kernel_request(key_of(form, dtype::float32), ""), architecture);
    }
  }
}

TEST_CASE("bytes that are loaded at addresses, several for each word, compile in no time") {
  // NVVM did not end where it saw how these addresses were computed.
  using cuda::access;
  cuda::kernel_key key;
  key.form = cuda::kernel_form::inner;
  key.out = dtype::bool_;
  const reduction all[] = {reduction::all};
  key.set_reductions(all);
  const access modes[] = {access::contiguous,    access::constant_bits, access::row_value,
                          access::constant_bits, access::constant_bits, access::contiguous};
  key.n_inputs = 6;
  for (int i = 0; i < 6; ++i) key.inputs[i] = {modes[i], i < 5 ? dtype::int64 : dtype::int8};
  const kernel_step steps[] = {
      {ufunc::multiply, dtype::int64, {0, 1, 0}}, {ufunc::multiply, dtype::int64, {2, 3, 0}},
      {ufunc::add, dtype::int64, {7, 4, 0}},      {ufunc::add, dtype::int64, {6, 8, 0}},
      {ufunc::load, dtype::int8, {9, 0, 0}},      {ufunc::equal, dtype::int8, {10, 5, 0}}};
  key.n_steps = 6;
  std::ranges::copy(steps, key.steps);
  const compile_request request = cuda::kernel_request(key, "");
  CHECK(contains(request.source, "words::joined"));
  for (const int architecture : {75, 90}) check_compiles(request, architecture);
}

TEST_CASE("loops on the device compile for every GPU, with the barrier that it has") {
  for (const int architecture : {75, 90, 120}) {
    const persistent::fixture f(compile_for_device);
    persistent::model.compute_capability = architecture / 10;
    device_architecture = architecture;
    ndarray<float> x = zeros<float>({60, 40}), y = zeros<float>({40});
    ndarray<bool> go = zeros<bool>({});
    while_loop(go, [&] {
      y(ellipsis) = sum(x, 0);
      x(ellipsis) = x * 0.5f + y;
      go(ellipsis) = max(abs(x)) > 1.f;
    });
    CAPTURE(f.reason());
    CHECK(f.persistent() == 1);
    REQUIRE(persistent::sources.size() == 1);
    CHECK(contains(persistent::sources[0], architecture >= 90 ? "cluster_barrier" : "grid_barrier"));
  }
}

TEST_CASE("users' element-wise kernels compile for every GPU") {
  const auto s =
      parse_signature("ElementwiseKernel", "test", "float16 x, bfloat16 y, float64 w", "float32 z");
  kernel_variant v;
  v.types.parameters = {dtype::float16, dtype::bfloat16, dtype::float64, dtype::float32};
  for (int i = 0; i < 4; ++i) {
    v.forms.push_back(static_cast<operand_form>('p'));
    v.raw_ndim.push_back(0);
  }
  v.ndim = 1;
  v.kept_ndim = 1;
  const std::string source = elementwise_source(
      s, {.operation = "z = exp(x) + y * w", .preamble = "", .loop_prep = "", .after_loop = ""}, v);
  for (const int architecture : architectures()) check_compiles(kernel_request(s, source, {}), architecture);
}

TEST_CASE("a GPU that the compiler does not know gets text for the newest one before it") {
  // 7.6 and 13.7 do not exist; a letter is nobody's to change.
  compile_request r{.source = "extern \"C\" __global__ void scale(float* x) { x[0] *= 2; }",
                    .architecture = "",
                    .options = {},
                    .name_expressions = {}};
  r.architecture = "sm_76";
  CHECK(contains(compile(r).image, ".target sm_75"));
  r.architecture = "sm_137";
  CHECK(contains(compile(r).image, ".target sm_" + std::to_string(architectures().back() / 10)));
  r.architecture = "sm_90a";
  CHECK(
      compile(r).image.starts_with("\x7f"
                                   "ELF"));
  r.architecture = "sm_30";
  CHECK(contains(error_of<compile_error>([&] { compile(r); }), "sm_30"));
}
#endif
