// What the CPU's sort and search are made of, against the standard library's.
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <host/sorting/avx512_sort.hpp>
#include <host/sorting/merge.hpp>
#include <host/sorting/order_keys.hpp>
#include <host/sorting/select_keys.hpp>
#include <host/sorting/sort_keys.hpp>
#include <host/sorting/vector_sort.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/sort_key.hpp>
#include <plan/order_plan.hpp>

using namespace gparray;

namespace {

template<class K>
std::vector<K> random_keys(std::int64_t n, std::uint64_t different) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n) + different);
  std::vector<K> keys(static_cast<std::size_t>(n));
  for (K& key : keys) key = static_cast<K>(different ? random() % different : random());
  return keys;
}

template<class K>
void check_keys(std::int64_t most) {
  // About the limits between comparing, counting and digits, and where a batch of counters ends.
  for (const std::int64_t n : {0, 1, 2, 5, 31, 257, 511, 512, 513, 2047, 2048, 2051, 40000, 600001}) {
    if (n > most) break;
    for (const std::uint64_t different : {0, 1, 3, 300}) {
      std::vector<K> keys = random_keys<K>(n, different), expected = keys, spare(keys.size());
      std::sort(expected.begin(), expected.end());
      host::sort_keys(keys.data(), host::wants_spare<K>(n) ? spare.data() : nullptr, n);
      CHECK(keys == expected);
    }
  }
}

using item = host::numbered<unsigned, unsigned>;

/// Keys that ascend and numbers that tell equal keys apart.
std::vector<item> run_of(std::int64_t n, unsigned different, unsigned first_number) {
  std::vector<unsigned> keys = random_keys<unsigned>(n, different);
  std::sort(keys.begin(), keys.end());
  std::vector<item> items;
  for (const unsigned key : keys) items.push_back({key, first_number++});
  return items;
}

template<class T>
void check_search(dtype type) {
  std::mt19937 random(11);
  std::vector<T> sorted, values;
  const auto draw = [&] {
    return static_cast<T>(static_cast<int>(random() % 41) -
                          (kernel::is_signed_integer<T> || kernel::is_real<T> ? 20 : 0));
  };
  for (int i = 0; i < 100; ++i) values.push_back(draw());
  if constexpr (kernel::is_real<T>) {
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    for (const T special : {inf, -inf, T(0), -T(0)}) values.push_back(special);
    values.insert(values.begin() + 40, nan);
    values.push_back(nan);
  }
  for (const std::size_t n : {0, 1, 2, 3, 7, 8, 9, 100, 1000}) {
    sorted.clear();
    for (std::size_t i = 0; i < n; ++i) sorted.push_back(draw());
    if constexpr (kernel::is_real<T>)
      for (std::size_t i = 0; i < n / 5; ++i) sorted[i * 5] = std::numeric_limits<T>::quiet_NaN();
    std::sort(sorted.begin(), sorted.end(), kernel::sorts_before<T>);
    for (const bool right : {false, true}) {
      std::vector<std::int64_t> positions(values.size());
      host::search({type, right, static_cast<std::int64_t>(n), static_cast<std::int64_t>(values.size()),
                    sorted.data(), values.data(), positions.data()});
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at =
            right ? std::upper_bound(sorted.begin(), sorted.end(), values[i], kernel::sorts_before<T>)
                  : std::lower_bound(sorted.begin(), sorted.end(), values[i], kernel::sorts_before<T>);
        CHECK(positions[i] == at - sorted.begin());
      }
    }
  }
}

/// Elements of any bits, NaN and zeros among them, in no order or in a bad one.
template<class T>
std::vector<T> bit_patterns(std::int64_t n, int order) {
  using K = kernel::unsigned_t<T>;
  std::vector<K> bits = random_keys<K>(n, 0);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (i % 11 == 3) bits[i] = kernel::to_bits(T(0));
    if (i % 13 == 5) bits[i] = kernel::sign_mask<T>;
    if (i % 17 == 7) bits[i] = static_cast<K>(-1);
    if (order == 3) bits[i] %= 3;
  }
  std::vector<T> elements;
  for (const K each : bits) elements.push_back(kernel::from_bits<T>(each));
  const auto before = [](T a, T b) { return kernel::sort_key(a) < kernel::sort_key(b); };
  if (order == 1) std::sort(elements.begin(), elements.end(), before);
  if (order == 2) std::sort(elements.rbegin(), elements.rend(), before);
  return elements;
}

/// The keys of elements, in order.
template<class T>
std::vector<kernel::unsigned_t<T>> keys_behind(const std::vector<T>& elements) {
  std::vector<kernel::unsigned_t<T>> keys;
  for (const T each : elements) keys.push_back(kernel::sort_key(each));
  std::sort(keys.begin(), keys.end());
  return keys;
}

template<class T>
void check_avx512_sort() {
  using K = kernel::unsigned_t<T>;
  constexpr kernel::sort_rule rule = kernel::sort_rule_of<T>();
  // About the sizes of vectors and of what registers hold, and longer.
  std::vector<std::int64_t> lengths{1000, 4097, 20001};
  for (std::int64_t n = 0; n < 530; ++n)
    if (n < 34 || (n + 1) % 16 < 3) lengths.push_back(n);
  for (const std::int64_t n : lengths)
    for (const int order : {0, 1, 2, 3}) {
      const std::vector<T> in = bit_patterns<T>(n, order);
      const std::vector<K> expected = keys_behind(in);
      std::vector<K> bits(in.size()), out(in.size() + 1, K(77)), keys;
      for (std::size_t i = 0; i < in.size(); ++i) bits[i] = kernel::to_bits(in[i]);
      for (const T each : in) keys.push_back(kernel::sort_key(each));
      host::avx512_sort(bits.data(), out.data(), n, rule);
      host::avx512_sort(bits.data(), bits.data(), n, rule);
      bool same = out.back() == 77;
      for (std::size_t i = 0; i < in.size(); ++i)
        same = same && kernel::sort_key(kernel::from_bits<T>(out[i])) == expected[i] && out[i] == bits[i];
      CHECK_MESSAGE(same, n << " elements, order " << order);
      for (const int splits : {0, 1, host::most_splits}) {
        std::vector<K> got = keys;
        host::avx512_sort(got.data(), n, splits);
        CHECK(got == expected);
      }
    }
}

template<class K>
void check_avx512_split() {
  for (std::int64_t n = 0; n < 400; n += n < 150 ? 1 : 7)
    for (const K bound : {K(0), K(1), K(40), K(99), K(100)}) {
      std::vector<K> keys = random_keys<K>(n, 100), expected = keys;
      const auto below = [=](K key) { return key < bound; };
      const std::int64_t count = host::avx512_split(keys.data(), n, bound);
      CHECK(count == std::count_if(expected.begin(), expected.end(), below));
      CHECK(std::is_partitioned(keys.begin(), keys.end(), below));
      std::sort(keys.begin(), keys.end());
      std::sort(expected.begin(), expected.end());
      CHECK(keys == expected);
    }
}

/// Keys of which the upper bits, the lower ones, or both ends tell apart.
template<class K>
std::vector<K> keys_of_kind(std::int64_t n, int kind) {
  std::vector<K> keys = random_keys<K>(n, kind == 1 ? 5 : 0);
  constexpr int bits = 8 * sizeof(K);
  for (K& key : keys) {
    if (kind == 2) key = static_cast<K>(key << (bits - 8));
    if (kind == 3) key = static_cast<K>((key & 3) << (bits - 2) | (key >> 9) % 1000);
    if (kind == 4) key = static_cast<K>((key & 0xffff) << (bits - 16) | (key >> 20 & 1));
    if (kind == 5) key = 12345;
  }
  return keys;
}

template<class K>
void check_order() {
  for (const std::int64_t n : {0, 1, 2, 3, 100, 257, 5000, 20001})
    for (const int kind : {0, 1, 2, 3, 4, 5})
      for (const std::int64_t parts : {1, 2, 4}) {
        const std::vector<K> keys = keys_of_kind<K>(n, kind);
        std::vector<std::int64_t> expected(keys.size()), order(keys.size());
        std::iota(expected.begin(), expected.end(), 0);
        std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
          return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
        });
        host::order_keys(keys.data(), n, order.data(), parts);
        CHECK_MESSAGE(order == expected, n << " keys of kind " << kind << " in " << parts << " parts");
      }
}

/// Whether each position has the key that belongs there, with none larger before it and none smaller behind.
template<class K>
bool divided_at(const std::vector<K>& keys, const std::vector<K>& sorted,
                const std::vector<std::int64_t>& positions) {
  for (const std::int64_t position : positions) {
    const auto at = keys.begin() + position;
    if (*at != sorted[static_cast<std::size_t>(position)] || *std::max_element(keys.begin(), at + 1) > *at ||
        *std::min_element(at, keys.end()) < *at)
      return false;
  }
  return true;
}

template<class K>
void check_selection(std::int64_t most) {
  const K largest = std::numeric_limits<K>::max();
  std::mt19937 random(5);
  // About the sizes of vectors, of blocks of them, and of samples.
  for (const std::int64_t n : {1, 2, 15, 16, 17, 127, 128, 129, 255, 256, 257, 300, 511, 513, 4096, 70001}) {
    if (n > most) break;
    for (const std::uint64_t different : {0, 1, 2, 3, 300})
      for (const int order : {0, 1, 2}) {
        std::vector<K> keys = random_keys<K>(n, different);
        if (different == 3)
          for (K& key : keys) key = static_cast<K>(largest - key);
        std::vector<K> sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        if (order == 1) keys = sorted;
        if (order == 2) keys.assign(sorted.rbegin(), sorted.rend());
        std::vector<std::int64_t> anywhere;
        for (int i = 0; i < 7; ++i) anywhere.push_back(static_cast<std::int64_t>(random()) % n);
        for (std::vector<std::int64_t> positions :
             {{n / 2}, {0, n - 1}, {n / 2, (n + 1) / 2, n - 1}, std::move(anywhere)}) {
          for (std::int64_t& position : positions) position = std::min(position, n - 1);
          std::sort(positions.begin(), positions.end());
          positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
          std::vector<K> got = keys, spare(keys.size());
          host::select_keys(got.data(), spare.data(), n, positions);
          CHECK(divided_at(got, sorted, positions));
          std::sort(got.begin(), got.end());
          CHECK(got == sorted);
        }
      }
  }
}

template<class K>
void check_lists() {
  for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 1001})
    for (const K bound : {K(0), K(1), K(2), std::numeric_limits<K>::max()}) {
      std::vector<K> keys = random_keys<K>(n, 4);
      for (K& key : keys)
        if (key == 3) key = std::numeric_limits<K>::max();
      // -1 where nothing was written.
      std::vector<std::int64_t> lists[3], expected[3];
      for (std::int64_t i = 0; i < n; ++i) {
        const K key = keys[static_cast<std::size_t>(i)];
        expected[key < bound ? 0 : key == bound ? 1 : 2].push_back(i + 100);
      }
      for (int k = 0; k < 3; ++k) {
        expected[k].insert(k < 2 ? expected[k].end() : expected[k].begin(), -1);
        lists[k].assign(expected[k].size(), -1);
      }
      host::number_lists at{lists[0].data(), lists[1].data(), lists[2].data() + lists[2].size()};
      host::list_numbers(keys.data(), n, 100, bound, at);
      CHECK(at.below == lists[0].data() + lists[0].size() - 1);
      CHECK(at.equal == lists[1].data() + lists[1].size() - 1);
      CHECK(at.above == lists[2].data() + 1);
      std::sort(lists[2].begin(), lists[2].end());  // they are in no order
      for (int k = 0; k < 3; ++k) CHECK(lists[k] == expected[k]);
    }
}

/// Runs a check with what the processor at hand has, and as one without vectors that sort, with fewer keys.
template<class Check>
void with_and_without_vectors(Check check) {
  check(600001);
  const bool avx512 = std::exchange(host::has_avx512, false);
  check(5000);
  const bool vectors = std::exchange(host::has_vector_sort, false);
  check(5000);
  host::has_avx512 = avx512, host::has_vector_sort = vectors;
}

}  // namespace

TEST_CASE("selected keys are in their places among all of them") {
  with_and_without_vectors([](std::int64_t most) {
    check_selection<unsigned>(most);
    check_selection<unsigned long>(most);
  });
}

TEST_CASE("numbers of keys below a bound, at it and above it") {
  with_and_without_vectors([](std::int64_t) {
    check_lists<unsigned>();
    check_lists<unsigned long>();
  });
}

TEST_CASE("AVX-512 sorts put elements of any number and order where their keys belong") {
  if (!host::has_avx512) return;
  check_avx512_sort<float>();
  check_avx512_sort<double>();
  check_avx512_sort<int>();
  check_avx512_sort<unsigned long>();
}

TEST_CASE("AVX-512 splits divide any number of keys") {
  if (!host::has_avx512) return;
  check_avx512_split<unsigned>();
  check_avx512_split<unsigned long>();
}

TEST_CASE("the order of keys is stable, whichever bits tell them apart") {
  check_order<unsigned>();
  check_order<unsigned long>();
}

TEST_CASE("keys are ordered with their numbers where those have 32 bits and vectors sort them") {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  with_and_without_vectors([](std::int64_t) {
    const bool in_place = !host::wants_spare<std::uint64_t>(most);
    for (const std::int64_t n : {std::int64_t{1}, most - 1, most})
      CHECK(host::orders_by_keyed_index(n) == in_place);
    CHECK_FALSE(host::orders_by_keyed_index(most + 1));
    CHECK(in_place == (host::has_avx512 || host::has_vector_sort));
  });
}

TEST_CASE("keys are sorted in whichever way suits their size and number") {
  with_and_without_vectors([](std::int64_t most) {
    check_keys<unsigned char>(most);
    check_keys<unsigned short>(most);
    check_keys<unsigned>(most);
    check_keys<unsigned long>(most);
  });
}

TEST_CASE("a merge is stable, and its pieces are those of the whole") {
  for (const std::int64_t n_a : {0, 1, 3, 1000, 5000})
    for (const std::int64_t n_b : {0, 1, 4, 900, 5001})
      for (const unsigned different : {1u, 20u, 1000000u}) {
        const std::vector<item> a = run_of(n_a, different, 0), b = run_of(n_b, different, 1u << 20);
        const std::int64_t n = n_a + n_b;
        std::vector<item> expected(static_cast<std::size_t>(n)), got(expected.size());
        std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), host::before());
        for (const std::int64_t cut : {std::int64_t{0}, n / 3, n}) {
          host::merge_range(a.data(), n_a, b.data(), n_b, got.data(), 0, cut);
          host::merge_range(a.data(), n_a, b.data(), n_b, got.data(), cut, n);
          bool same = true;
          for (std::size_t i = 0; i < got.size(); ++i)
            same = same && got[i].key == expected[i].key && got[i].number == expected[i].number;
          CHECK(same);
        }
      }
}

TEST_CASE("many searches together find what each finds alone") {
  check_search<float>(dtype::float32);
  check_search<double>(dtype::float64);
  check_search<long>(dtype::int64);
  check_search<unsigned char>(dtype::uint8);
}

TEST_CASE("sorted floats: every row by itself, -0.0 before 0.0 and NaN last, on any number of threads") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::mt19937 random(3);
  for (const auto& [rows, n] : {std::pair{1, 200001}, {7, 30}, {1000, 5}, {3, 5000}}) {
    std::vector<float> in(static_cast<std::size_t>(rows) * static_cast<std::size_t>(n));
    for (float& x : in) {
      const unsigned r = random() % 1000;
      x = r == 0 ? nan : r < 5 ? -0.f : r < 10 ? 0.f : static_cast<float>(random()) * 1e-6f - 2000.f;
    }
    const int before = host::num_threads();
    for (const int threads : {1, 2, 3}) {
      host::set_num_threads(threads);
      std::vector<float> out(in.size());
      host::sort({dtype::float32, rows, n, in.data(), out.data(), nullptr});
      std::vector<float> expected = in;
      for (int r = 0; r < rows; ++r)
        std::sort(expected.begin() + r * n, expected.begin() + (r + 1) * n,
                  [](float a, float b) { return kernel::sort_key(a) < kernel::sort_key(b); });
      bool same = true;
      for (std::size_t i = 0; i < in.size(); ++i)
        same = same && kernel::sort_key(out[i]) == kernel::sort_key(expected[i]);
      CHECK(same);
    }
    host::set_num_threads(before);
  }
}
