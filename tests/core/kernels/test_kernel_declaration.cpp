// What is read from the declaration of a kernel, and what is left alone because it is not certain.
#include <string>

#include <doctest/doctest.h>

#include <core/kernels/kernel_declaration.hpp>

namespace {

using namespace gparray::core;

std::string shown(const std::optional<std::vector<declared_parameter>>& parameters) {
  if (!parameters) return "unknown";
  std::string text;
  for (const declared_parameter& p : *parameters) {
    if (!text.empty()) text += ", ";
    if (!p.known) text += "?";
    else text += std::string(p.type ? gparray::name(*p.type) : "any") + (p.is_pointer ? "*" : "");
  }
  return text;
}

std::string of_source(const std::string& parameters) {
  return shown(declaration_in_source("extern \"C\" __global__ void f(" + parameters + ") { }", "f"));
}

}  // namespace

TEST_CASE("parameters of arithmetic types and pointers to them") {
  CHECK(of_source("") == "");
  CHECK(of_source("void") == "");
  CHECK(of_source("float* x, float by, int n") == "float32*, float32, int32");
  CHECK(of_source("const double *__restrict__ x, double const * y") == "float64*, float64*");
  CHECK(of_source("unsigned long long* a, long long b, unsigned c, unsigned short d") ==
        "uint64*, int64, uint32, uint16");
  CHECK(of_source("signed char* a, unsigned char* b, short int c, long int d") ==
        "int8*, uint8*, int16, int64");
  CHECK(of_source("size_t n, int64_t* i, const uint8_t u") == "uint64, int64*, uint8");
  CHECK(of_source("const __half* h, __nv_bfloat16 b, bool c") == "float16*, bfloat16, bool");
  CHECK(of_source("float, unsigned int, int*") == "float32, uint32, int32*");
  CHECK(of_source("float* x /* in, out */, // and\n int n") == "float32*, int32");
}

TEST_CASE("which pointers may be written through") {
  const auto writes = [](const std::string& parameters) {
    std::string text;
    const auto declared = declaration_in_source("__global__ void f(" + parameters + ") { }", "f");
    for (const declared_parameter& p : declared.value()) text += p.writes ? 'w' : '-';
    return text;
  };
  CHECK(writes("float* x, const float* y, float const* __restrict__ z, int n, const int m") == "w----");
  CHECK(writes("float* const x, void* p, const void* q, const char* s") == "ww--");
  const auto symbol = declaration_of_symbol("_Z1fPfPKfi");  // f(float*, const float*, int)
  REQUIRE(symbol);
  CHECK((*symbol)[0].writes);
  CHECK_FALSE((*symbol)[1].writes);
}

TEST_CASE("pointers that may point to anything") {
  CHECK(of_source("void* p, const char* bytes, float** rows") == "any*, any*, any*");
}

TEST_CASE("what is not certain is not known") {
  CHECK(of_source("real* x, float2 y, cuda::std::complex<float>* z, my_struct s") == "?, ?, ?, ?");
  CHECK(of_source("int (*table)[4], int n") == "?, int32");
  CHECK(of_source("int shape[4]") == "?");
  const auto in = [](const std::string& text) { return shown(declaration_in_source(text, "f")); };
  CHECK(in("template<class T> __global__ void f(T* x) { }") == "unknown");
  CHECK(in("#define float double\n__global__ void f(float* x) { }") == "unknown");
  CHECK(in("#define f g\n__global__ void f(float* x) { }") == "unknown");
  CHECK(in("__global__ void g(float* x) { }") == "unknown");
  CHECK(in("__global__ void f(float* x) { }\n__global__ void f(int* x) { }") == "unknown");
  CHECK(in("#define N 3\n__global__ void f(float* x) { }") == "float32*");
  CHECK(in("// __global__ void f(int* x)\n__global__ void f(float* x) { g(1); }") == "float32*");
  CHECK(in("__global__ void __launch_bounds__(256, (2)) f(float* x) { }") == "float32*");
  CHECK(in("const char* s = \"__global__ void f(int x)\"; __global__\nvoid\nf\n(float* x) { }") ==
        "float32*");
}

TEST_CASE("mangled symbols carry their parameters") {
  CHECK(shown(declaration_of_symbol("_Z5scaleIfEvPT_S0_")) == "float32*, float32");
  CHECK(shown(declaration_of_symbol("_Z5scalePdyb")) == "float64*, uint64, bool");
  CHECK(shown(declaration_of_symbol("_ZN2ns1kE6float2PKvPKcPKl")) == "?, any*, any*, int64*");
  CHECK(shown(declaration_of_symbol("_Z1fv")) == "");
  CHECK(shown(declaration_of_symbol("scale")) == "unknown");
}

TEST_CASE("the kernels of a source") {
  CHECK(kernels_in_source("__global__ void a() { b(); }\nvoid c() { }\n__global__ void d(int);") ==
        std::vector<std::string>{"a", "d"});
}
