// The run-time compiler: images, logs, options, name expressions and gparray's own headers. It needs no GPU.
#ifdef GPARRAY_TEST_NVRTC
#include <string>

#include <doctest/doctest.h>

#include <gparray/error.hpp>
#include <plan/compiler.hpp>

#include "support/error_text.hpp"

namespace {

namespace gp = gparray;
using gp::core::compile;
using gp::core::compile_request;
using gp::core::compiled_program;

compile_request request(const std::string& body) {
  return {.source = body, .architecture = "sm_90", .options = {}, .name_expressions = {}};
}

std::string error_of(const compile_request& r) {
  try {
    compile(r);
  } catch (const gp::compile_error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a program becomes machine code that holds its kernel") {
  const compiled_program p = compile(request("extern \"C\" __global__ void scale(float* x) { x[0] *= 2; }"));
  CHECK(
      p.image.starts_with("\x7f"
                          "ELF"));
  CHECK(contains(p.image, "scale"));
  CHECK(p.log.empty());
}

TEST_CASE("errors carry the whole log, with file and line") {
  compile_request r = request("extern \"C\" __global__ void f(float* x) {\n  x[0] = y;\n  x[1] = z;\n}");
  r.file_name = "broken.cu";
  const std::string text = error_of(r);
  CHECK(contains(text, "broken.cu(2): error: identifier \"y\" is undefined"));
  CHECK(contains(text, "broken.cu(3): error: identifier \"z\" is undefined"));
  CHECK(contains(text, "sm_90"));

  r.options = {"--no-such-option"};
  CHECK(contains(error_of(r), "unrecognized option --no-such-option"));
}

TEST_CASE("options: macros, the language standard, the architecture") {
  compile_request r = request("static_assert(__cplusplus == CXX && N == 3 && __CUDA_ARCH__ == ARCH);");
  r.options = {"-DCXX=201703L", "-DN=3", "-DARCH=900"};
  CHECK(error_of(r) == "");
  r.options = {"-DCXX=202002L", "-std=c++20", "-DN=3", "-DARCH=900"};
  CHECK(error_of(r) == "");
  r.options = {"-DCXX=202002L", "--std=c++20", "-DN=3", "-DARCH=800", "-arch=sm_80"};
  CHECK(error_of(r) == "");
  r.options.pop_back();
  CHECK(contains(error_of(r), "static assertion failed"));
}

TEST_CASE("an architecture newer than the compiler gets text for the driver") {
  compile_request r = request("extern \"C\" __global__ void scale(float* x) { x[0] *= 2; }");
  r.architecture = "sm_999";
  const std::string image = compile(r).image;
  CHECK(contains(image, ".visible .entry scale"));
}

TEST_CASE("name expressions give the symbols of templates") {
  compile_request r = request("template<class T> __global__ void scale(T* x, T by) { x[0] *= by; }");
  r.name_expressions = {"scale<float>", "scale<double>"};
  const compiled_program p = compile(r);
  REQUIRE(p.lowered_names.size() == 2);
  CHECK(p.lowered_names[0] == "_Z5scaleIfEvPT_S0_");
  CHECK(p.lowered_names[1] == "_Z5scaleIdEvPT_S0_");
  CHECK(contains(p.image, p.lowered_names[1]));
  r.name_expressions = {"scale<nothing>"};
  CHECK(contains(error_of(r), "nothing"));
}

// A product and a sum stay two roundings in gparray's own kernels, and contract in users', as with nvcc.
TEST_CASE("own kernels find the portable headers and never contract") {
  const std::string body = "extern \"C\" __global__ void f(double* x) { x[0] = x[1] * x[2] + x[3]; }";
  compile_request own = request("#include \"functors.hpp\"\n" + body);
  CHECK(contains(error_of(own), "functors.hpp"));
  own.kernel_headers = true;
  own.architecture = "compute_90";  // text, to look into
  const std::string text = compile(own).image;
  CHECK(contains(text, "mul.rn.f64"));
  CHECK(contains(text, "add.rn.f64"));
  CHECK_FALSE(contains(text, "fma"));

  compile_request user = request("#include <gparray/dtype/float16.hpp>\n" + body);
  user.architecture = "compute_90";
  CHECK(contains(compile(user).image, "fma.rn.f64"));
}

TEST_CASE("the toolkit's headers are found") {
  CHECK(error_of(request("#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n")) == "");
}

#endif
