// Highway's vector sort for AVX2, compiled into the library. Processors with AVX-512 have avx512_sort, which
// is quicker.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

#if defined(GPARRAY_HAS_VQSORT) && defined(__x86_64__)
/// Whether the processor at hand has what it was compiled for. Tests do without, as other processors do.
inline bool has_vector_sort = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}();

/// Sorts keys of 2, 4 or 8 bytes. Wants has_vector_sort.
template<class K>
void vector_sort(K* keys, std::int64_t n);
#else
inline bool has_vector_sort = false;
template<class K>
void vector_sort(K*, std::int64_t) {}
#endif

}  // namespace host
GPARRAY_END_NAMESPACE
