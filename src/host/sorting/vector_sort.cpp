#include <host/sorting/vector_sort.hpp>

#if defined(GPARRAY_HAS_VQSORT) && defined(__x86_64__)
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Highway reads this file once for each target. What it does not switch off is the one that x86-64 begins
// with, for which nothing is made here, and AVX2 without what sorting has no use for.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#define HWY_DISABLE_F16C
#define HWY_DISABLE_PCLMUL_AES
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE <host/sorting/vector_sort.cpp>
// clang-format off: the first one includes this file for each target; the others are to be read for each.
#include <hwy/foreach_target.h>

#include <hwy/highway.h>
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>
// clang-format on

#if HWY_TARGET == HWY_AVX2
HWY_BEFORE_NAMESPACE();
GPARRAY_BEGIN_NAMESPACE
namespace host {

template<class K>
void vector_sort(K* keys, std::int64_t n) {
  if (n == 0) return;  // Highway asserts that there are some
  namespace vectors = hwy::HWY_NAMESPACE;
  using ascending = vectors::detail::OrderAscending<K>;
  const vectors::SortTag<K> lanes;
  const vectors::detail::SharedTraits<vectors::detail::TraitsLane<ascending>> order;
  const auto count = static_cast<std::size_t>(n);
  // Each takes a buffer on the stack. Since Highway 1.0.4 one that is given is used, even a null one.
  if constexpr (requires { vectors::Sort(lanes, order, keys, count); }) {
    vectors::Sort(lanes, order, keys, count);
  } else {
    K* const own_buffer = nullptr;
    vectors::Sort(lanes, order, keys, count, own_buffer);
  }
}
template void vector_sort(unsigned short*, std::int64_t);
template void vector_sort(unsigned*, std::int64_t);
template void vector_sort(unsigned long*, std::int64_t);

}  // namespace host
GPARRAY_END_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
// What Highway's headers want of its libraries, which gparray does not load.
namespace hwy {

// The beginning of the sequence that draws pivots: equal keys are indistinguishable, so any will do.
constexpr std::uint64_t first_bits[3] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb};

// Until Highway 1.0.3.
void Sorter::Fill24Bytes(const void*, std::size_t, void* bytes) {
  std::memcpy(bytes, first_bits, sizeof(first_bits));
}

// Since 1.0.4.
bool Fill16BytesSecure(void* bytes) {
  std::memcpy(bytes, first_bits, 16);
  return true;
}

// Called by the assertions of builds that are not optimised.
void Abort(const char* file, int line, const char* format, ...) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, format);
  std::abort();
}

}  // namespace hwy
#endif
#endif
