// Random changes of an input: single bits to whole pieces of another one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace fuzz {

class mutator {
 public:
  mutator(std::uint64_t seed, std::span<const std::string> corpus, std::span<const std::string> words)
      : random_(seed), corpus_(corpus), words_(words) {}

  /// One of the corpus, changed up to eight times, mostly once or twice.
  std::string next() {
    std::string input = any_of(corpus_);
    for (std::size_t left = 1 + below(std::size_t{1} << below(4)); left > 0; --left) change(input);
    if (input.size() > longest) input.resize(longest);
    return input;
  }

 private:
  static constexpr std::size_t longest = 4096;

  std::size_t below(std::size_t n) { return n < 2 ? 0 : random_() % n; }
  template<class T>
  T any_of(std::span<const T> list) {
    return list[below(list.size())];
  }

  void change(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    const std::size_t size = below(std::min<std::size_t>(input.size() - at, 16) + 1);
    switch (below(9)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(random_());
        break;
      case 2:
        input.erase(at, size);
        break;
      case 3:
        input.insert(at, input.substr(at, size));
        break;
      case 4:
        input.insert(at, any_of(corpus_).substr(0, 1 + below(64)));
        break;
      case 5:
        splice(input, at);
        break;
      case 6:
        number_in_text(input, at);
        break;
      case 7:
        number_in_bytes(input, at);
        break;
      default:
        if (!words_.empty()) input.replace(at, below(2) * size, any_of(words_));
    }
  }
  /// The end of another input behind the beginning of this one.
  void splice(std::string& input, std::size_t at) {
    const std::string other = any_of(corpus_);
    input.replace(at, std::string::npos, other.substr(std::min(other.size(), below(other.size() + 1))));
  }
  /// The next digits become a number at some limit.
  void number_in_text(std::string& input, std::size_t at) {
    static constexpr std::string_view limits[] = {
        "0",          "1",          "-1",         "2",
        "127",        "255",        "65535",      "65536",
        "2147483647", "2147483648", "4294967295", "4611686018427387904",
        "nan",        "1e308",      "-1e400",     "9223372036854775807",
        "1e-400",     "0x10",       "1_000",      "-9223372036854775808",
        "",           "99999999",   "inf",        "18446744073709551615",
        "00",         "+3",         "1.5",        "9223372036854775808"};
    const std::size_t from = input.find_first_of("0123456789", at);
    if (from == std::string::npos) return;
    const std::size_t to = std::min(input.find_first_not_of("0123456789", from), input.size());
    input.replace(from, to - from, any_of(std::span<const std::string_view>(limits)));
  }
  /// Bytes become an integer at some limit, of 1 to 8 bytes.
  void number_in_bytes(std::string& input, std::size_t at) {
    const std::size_t width = std::size_t{1} << below(4);
    if (input.size() < at + width) return;
    const std::uint64_t power = std::uint64_t{1} << below(64);
    const std::uint64_t numbers[] = {0, power, power - 1, ~power + 1, random_()};
    std::uint64_t bits = any_of(std::span<const std::uint64_t>(numbers));
    for (std::size_t i = 0; i < width; ++i, bits >>= 8) input[at + i] = static_cast<char>(bits);
  }

  std::mt19937_64 random_;
  std::span<const std::string> corpus_;
  std::span<const std::string> words_;
};

}  // namespace fuzz
