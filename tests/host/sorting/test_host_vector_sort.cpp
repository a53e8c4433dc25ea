// Highway's vector sort, compiled into the library: the processors of most tests have AVX-512 and do not take
// it.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <host/sorting/vector_sort.hpp>

namespace {

namespace host = gparray::host;

template<class K>
void check_sorted(std::vector<K> keys) {
  std::vector<K> expected = keys;
  std::sort(expected.begin(), expected.end());
  host::vector_sort(keys.data(), static_cast<std::int64_t>(keys.size()));
  CAPTURE(sizeof(K));
  CAPTURE(keys.size());
  CHECK(keys == expected);
}

/// Random keys, few different ones, and those that quicksorts have trouble with.
template<class K>
void check_keys() {
  std::mt19937_64 words(7);
  for (const std::size_t n : {0, 1, 2, 3, 17, 63, 64, 65, 255, 256, 1000, 4097, 100000}) {
    std::vector<K> keys(n);
    for (K& key : keys) key = static_cast<K>(words());
    check_sorted(keys);
    for (K& key : keys) key = static_cast<K>(key % 3);
    check_sorted(keys);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<K>(n - i);
    check_sorted(keys);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<K>(i % 2 == 0 ? K(-1) : K(i));
    check_sorted(keys);
  }
}

TEST_CASE("keys of 2, 4 and 8 bytes are sorted") {
  if (!host::has_vector_sort) {
    MESSAGE("not checked: built without Highway, or the processor has no AVX2");
    return;
  }
  check_keys<unsigned short>();
  check_keys<unsigned>();
  check_keys<unsigned long>();
}

}  // namespace
