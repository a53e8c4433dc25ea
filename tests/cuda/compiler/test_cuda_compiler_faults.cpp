// NVRTC, the loading of programs and the table of kernels: whichever call fails, the error is the documented
// one, nothing is lost, and the next try works.
#ifdef GPARRAY_TEST_NVRTC
#include <string>

#include <doctest/doctest.h>

#include <core/compiler/compile_service.hpp>
#include <cuda/compiler/nvrtc.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <gparray/gparray.hpp>

#include "cuda/support/failing_calls.hpp"
#include "cuda/support/fake_device.hpp"
#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;
using namespace gparray::core;
using failing_calls::calls;
using fake_cuda::model;

namespace {

int live_programs = 0;

/// The compiler itself, whose calls can fail.
struct failing_compiler {
  failing_compiler() {
    live_programs = 0;
    table.nvrtcCreateProgram = [](nvrtcProgram* made, const char* source, const char* name, int n,
                                  const char* const* headers, const char* const* names) {
      ++live_programs;
      return real().nvrtcCreateProgram(made, source, name, n, headers, names);
    };
    table.nvrtcDestroyProgram = [](nvrtcProgram* program) {
      --live_programs;
      return real().nvrtcDestroyProgram(program);
    };
    failing_calls::fail(0);
    failing_calls::wrap(table);
    cuda::exchange_nvrtc(&table);
  }
  ~failing_compiler() { cuda::exchange_nvrtc(nullptr); }
  failing_compiler(const failing_compiler&) = delete;
  failing_compiler& operator=(const failing_compiler&) = delete;

  static const cuda::nvrtc_table& real() {
    static const cuda::nvrtc_table& loaded = cuda::nvrtc();
    return loaded;
  }
  cuda::nvrtc_table table = real();
};

const compile_request requests[] = {
    {.source = "template<class T> __global__ void scale(T* x) { x[0] *= 2; }",
     .architecture = "sm_90",
     .options = {},
     .name_expressions = {"scale<float>", "scale<double>"}},
    // A GPU newer than the compiler gets text.
    {.source = "extern \"C\" __global__ void scale(float* x) { x[0] *= 2; }",
     .architecture = "sm_999",
     .options = {},
     .name_expressions = {}},
    {.source = "extern \"C\" __global__ void scale(float* x) { x[0] *= y; }",
     .architecture = "sm_90",
     .options = {},
     .name_expressions = {}},
};

/// What comes of a request: the image and the names, or the compiler's log.
std::string outcome(compile_service& service, const compile_request& request) {
  try {
    const compiled_program p = service.compile(request);
    std::string result = p.image;
    for (const std::string& name : p.lowered_names) result += " " + name;
    return result;
  } catch (const gp::compile_error& e) {
    return e.what();
  }
}

/// The compiler behind caches in which nothing is.
struct empty_service {
  temporary_folder folder;
  compile_service service{
      {run_compiler, load_compiler, compiler_additions}, 1 << 20, (folder.path / "cache").string(), 1 << 20};
};

/// False if the request takes fewer calls than k.
bool fails_well(const compile_request& request, const std::string& expected, int k, bool of_memory) {
  empty_service own;
  compile_service& service = own.service;
  failing_calls::fail(k, of_memory);
  bool happened = false;
  try {
    const std::string result = outcome(service, request);
    CHECK(result == expected);
    CHECK(calls.failed.empty());
  } catch (const gp::out_of_memory& e) {
    happened = true;
    CHECK(of_memory);
    CHECK(std::string(e.what()).find("NVRTC") != std::string::npos);
  } catch (const gp::library_error& e) {
    happened = true;
    CHECK_FALSE(of_memory);
    CHECK(std::string(e.what()).find("nvrtc") == 0);
  }
  failing_calls::fail(0);
  CHECK(live_programs == 0);
  CHECK(outcome(service, request) == expected);
  CHECK(live_programs == 0);
  return happened;
}

/// Everything that is done with a program, whose kernel stays in the list.
void load_and_launch(std::vector<gp::RawKernel>& kernels) {
  const gp::RawModule module(
      {.code =
           "__device__ float table[4]; extern \"C\" __global__ void scale(float* x) { x[0] *= table[0]; }"});
  kernels.push_back(module.get_function("scale"));
  gp::ndarray<float> x = gp::zeros<float>({4});
  kernels.back()(1, 1, x);
  module.get_global("table");
}

}  // namespace

TEST_CASE("NVRTC: whichever call fails, the next try compiles") {
  const failing_compiler compiler;
  for (const compile_request& request : requests) {
    empty_service own;
    const std::string expected = outcome(own.service, request);
    for (const bool of_memory : {false, true}) {
      CAPTURE(request.source);
      CAPTURE(of_memory);
      int k = 1;
      while (fails_well(request, expected, k, of_memory)) ++k;
      CHECK(k > 5);
    }
  }
}

TEST_CASE("programs: whichever call fails, the next try loads and launches") {
  int n_calls = 0, n_failures = 0;
  for (int k = 0; k == 0 || k <= n_calls; ++k) {
    CAPTURE(k);
    fake_default_device fake;
    gp::zeros<float>({4});  // what every array takes
    const auto first = static_cast<int>(model.calls.size());
    if (k > 0) model.fail_at = first + k;
    std::vector<gp::RawKernel> kernels;
    try {
      load_and_launch(kernels);
    } catch (const gp::cuda_error& e) {
      ++n_failures;
      CHECK(std::string(e.what()).find(model.calls[static_cast<std::size_t>(model.fail_at) - 1]) == 0);
    }
    if (k == 0) n_calls = static_cast<int>(model.calls.size()) - first;
    else CHECK_NOTHROW(load_and_launch(kernels));
    kernels.clear();
    CHECK(model.libraries.empty());
    CHECK(fake.gpu->pool(gp::memory_space::device, 0)->stats().used_bytes == 0);
  }
  CHECK(n_calls >= 4);
  CHECK(n_failures >= 4);
}

namespace {

int n_tries = 0;
template<class Error>
cuda::loaded_kernel fails_once(const cuda::kernel_key&) {
  if (n_tries++ == 0) throw Error("for the time being");
  return {};
}

template<class Error>
void check_second_try(bool works) {
  n_tries = 0;
  cuda::kernel_table table(4, fails_once<Error>);
  const cuda::kernel_key key{};
  CHECK_THROWS_AS(table.find(key, false, true), Error);
  if (works) CHECK(table.find(key, false, true) != nullptr);
  else CHECK_THROWS_AS(table.find(key, false, true), Error);
  CHECK(n_tries == (works ? 2 : 1));
}

}  // namespace

TEST_CASE("a kernel that nothing can replace is tried again, unless its text is at fault") {
  check_second_try<gp::out_of_memory>(true);
  check_second_try<gp::library_error>(true);
  check_second_try<gp::compile_error>(false);
}
#endif
