// What defines the functions of vector_functions.hpp. For the one source that cmake/parts.cmake writes, with
// GPARRAY_VECTOR_FUNCTIONS: the list in kernel/libm.hpp.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <type_traits>

#include <host/support/vector_functions.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class R, int bytes>
struct vector_type {
  typedef R type __attribute__((vector_size(bytes)));
};
template<class R, int bytes>
using vector = typename vector_type<R, bytes>::type;

// What is called where libmvec lacks a function: libm's, for each lane. One for each level of instructions,
// as these say in which registers vectors are passed.
#define GPARRAY_LANE_BY_LANE(letter, target_name)                                            \
  template<class R, int bytes, R (*f)(R)>                                                    \
  __attribute__((target(target_name))) vector<R, bytes> letter##_lanes(vector<R, bytes> x) { \
    for (std::size_t i = 0; i < bytes / sizeof(R); ++i) x[i] = f(x[i]);                      \
    return x;                                                                                \
  }                                                                                          \
  template<class R, int bytes, R (*f)(R, R)>                                                 \
  __attribute__((target(target_name))) vector<R, bytes> letter##_lanes(vector<R, bytes> x,   \
                                                                       vector<R, bytes> y) { \
    for (std::size_t i = 0; i < bytes / sizeof(R); ++i) x[i] = f(x[i], y[i]);                \
    return x;                                                                                \
  }
GPARRAY_LANE_BY_LANE(b, "sse2")
GPARRAY_LANE_BY_LANE(d, "avx2")
GPARRAY_LANE_BY_LANE(e, "avx512f")

template<class R, int bytes>
using unary = vector<R, bytes> (*)(vector<R, bytes>);
template<class R, int bytes>
using binary = vector<R, bytes> (*)(vector<R, bytes>, vector<R, bytes>);

}  // namespace

// RUN(type, symbol, lanes) for all functions.
#define GPARRAY_UNARY_LEVEL(run, name, letter, doubles, floats, bytes)                                      \
  run((unary<double, bytes>), _ZGV##letter##N##doubles##v_##name, (&letter##_lanes<double, bytes, ::name>)) \
      run((unary<float, bytes>), _ZGV##letter##N##floats##v_##name##f,                                      \
          (&letter##_lanes<float, bytes, ::name##f>))
#define GPARRAY_BINARY_LEVEL(run, name, letter, doubles, floats, bytes)  \
  run((binary<double, bytes>), _ZGV##letter##N##doubles##vv_##name,      \
      (&letter##_lanes<double, bytes, ::name>))                          \
      run((binary<float, bytes>), _ZGV##letter##N##floats##vv_##name##f, \
          (&letter##_lanes<float, bytes, ::name##f>))
#define GPARRAY_EACH_LEVEL(level, run, name) \
  level(run, name, b, 2, 4, 16) level(run, name, d, 4, 8, 32) level(run, name, e, 8, 16, 64)

// Addresses are written while the library is loaded, and never again: they lie in pages of their own.
#define GPARRAY_FUNCTION_PAGE \
  __attribute__((section("gparray_functions"), used, no_reorder, visibility("hidden")))
#define GPARRAY_DEFINE(type, symbol, lanes)                                                         \
  GPARRAY_FUNCTION_PAGE std::type_identity_t<GPARRAY_BARE type> gparray##symbol = lanes;            \
  __asm__(".pushsection .text\n.p2align 4\n.globl " #symbol "\n.hidden " #symbol "\n.type " #symbol \
          ", @function\n" #symbol ":\n\tendbr64\n\tjmp *gparray" #symbol "(%rip)\n.size " #symbol   \
          ", . - " #symbol "\n.popsection\n");
#define GPARRAY_BARE(...) __VA_ARGS__
#define GPARRAY_DEFINE_UNARY(name) GPARRAY_EACH_LEVEL(GPARRAY_UNARY_LEVEL, GPARRAY_DEFINE, name)
#define GPARRAY_DEFINE_BINARY(name) GPARRAY_EACH_LEVEL(GPARRAY_BINARY_LEVEL, GPARRAY_DEFINE, name)
extern "C" {
alignas(4096) GPARRAY_FUNCTION_PAGE void* gparray_first_function = nullptr;
GPARRAY_VECTOR_FUNCTIONS(GPARRAY_DEFINE_UNARY, GPARRAY_DEFINE_BINARY)
alignas(4096) GPARRAY_FUNCTION_PAGE void* gparray_behind_functions = nullptr;
}

std::span<const vector_function> vector_functions() {
#define GPARRAY_ROW(type, symbol, lanes)                \
  {#symbol, reinterpret_cast<void**>(&gparray##symbol), \
   reinterpret_cast<void*>(static_cast<GPARRAY_BARE type>(lanes))},
#define GPARRAY_UNARY_ROW(name) GPARRAY_EACH_LEVEL(GPARRAY_UNARY_LEVEL, GPARRAY_ROW, name)
#define GPARRAY_BINARY_ROW(name) GPARRAY_EACH_LEVEL(GPARRAY_BINARY_LEVEL, GPARRAY_ROW, name)
  static const vector_function all[] = {GPARRAY_VECTOR_FUNCTIONS(GPARRAY_UNARY_ROW, GPARRAY_BINARY_ROW)};
  return all;
}

namespace {

/// Before anything that could compute, other libraries' and programs' static objects included.
__attribute__((constructor(101))) void find_vector_functions() {
  if (void* const library = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    for (const vector_function& each : vector_functions())
      if (void* const found = dlsym(library, each.name)) std::memcpy(each.pointer, &found, sizeof(found));
  }
#if !defined(__SANITIZE_ADDRESS__)  // which moves them apart
  char* const first = reinterpret_cast<char*>(&gparray_first_function);
  mprotect(first, static_cast<std::size_t>(reinterpret_cast<char*>(&gparray_behind_functions) - first),
           PROT_READ);
#endif
}

}  // namespace
}  // namespace host
GPARRAY_END_NAMESPACE
