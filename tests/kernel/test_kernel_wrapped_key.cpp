// Keys for a sort that makes them in every pass: numbers in our order, and every NaN, with its own bits,
// behind them.
#include <algorithm>
#include <vector>

#include <kernel/wrapped_key.hpp>

#include "cuda/support/twin.hpp"

using namespace gparray;

namespace {

template<class T, class U>
constexpr U infinity_of = static_cast<U>(kernel::traits<T>::infinity_bits);

/// What sorting by wrapped keys and then giving all NaN the same bits leaves.
template<class T, class U>
std::vector<U> sorted_by_wrapped_keys(std::vector<U> bits) {
  using wrapped = kernel::wrapped_key<U, infinity_of<T, U>>;
  for (U& each : bits) each = wrapped::of_bits(each);
  std::sort(bits.begin(), bits.end());
  constexpr kernel::sort_rule rule = kernel::sort_rule_of<T>();
  for (U& each : bits) {
    each = wrapped::to_bits(each);
    if ((each & static_cast<U>(~rule.sign)) > rule.infinity)
      each = kernel::bits_of_key(static_cast<U>(rule.all), rule);
  }
  return bits;
}

template<class T, class U>
std::vector<U> sorted_by_our_keys(std::vector<U> bits) {
  constexpr kernel::sort_rule rule = kernel::sort_rule_of<T>();
  for (U& each : bits) each = kernel::key_of_bits(each, rule);
  std::sort(bits.begin(), bits.end());
  for (U& each : bits) each = kernel::bits_of_key(each, rule);
  return bits;
}

/// Random bits, and what lies beside a border.
template<class T, class U>
std::vector<U> bits_to_sort() {
  constexpr kernel::sort_rule rule = kernel::sort_rule_of<T>();
  std::vector<U> bits;
  for (const auto border : {0ul, rule.infinity, rule.all & ~rule.sign})
    for (const auto sign : {0ul, rule.sign})
      for (const long beside : {-1l, 0l, 1l})
        bits.push_back(static_cast<U>((border | sign) + static_cast<unsigned long>(beside)));
  twin::random_numbers random;
  for (int i = 0; i < 10000; ++i) bits.push_back((random(), static_cast<U>(random.state)));
  return bits;
}

template<class T, class U>
void check() {
  using wrapped = kernel::wrapped_key<U, infinity_of<T, U>>;
  const std::vector<U> bits = bits_to_sort<T, U>();
  CHECK(std::ranges::all_of(bits, [](U each) { return wrapped::to_bits(wrapped::of_bits(each)) == each; }));
  CHECK((sorted_by_wrapped_keys<T>(bits) == sorted_by_our_keys<T>(bits)));
  // What fills up a tile must come last.
  CHECK(wrapped::of_bits(wrapped::to_bits(wrapped::all)) == wrapped::all);
}

}  // namespace

TEST_CASE("wrapped keys have the order of the others") {
  check<float16, std::uint16_t>();
  check<bfloat16, std::uint16_t>();
  check<float, std::uint32_t>();
  check<double, std::uint64_t>();
}

TEST_CASE("all 65536 halves have a wrapped key of their own, in order") {
  std::vector<std::uint16_t> bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  using half = float16;
  CHECK((sorted_by_wrapped_keys<half>(bits) == sorted_by_our_keys<half>(bits)));
}
