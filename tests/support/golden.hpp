// Comparison with what NumPy answers: GOLDEN("np.tile(A([1, 2]), 2)", gp::tile(a, 2)).
// make_golden.py finds these expressions in the tests, runs them, and writes golden.tsv.
#pragma once
#include <cmath>
#include <complex>
#include <limits>

#include <gparray/gparray.hpp>

#include "support/table.hpp"
#include "support/thrown.hpp"

namespace golden {

namespace gp = gparray;

struct answer {
  const std::string &kind, &dtype, &shape, &bytes,
      &text;  // of an error: its name in dtype, its message in text
};

inline answer find(const std::string& expression) {
  static const table answers = read_table("support/golden.tsv", 6);
  const std::vector<std::string>& row = find_row(answers, expression, "run support/make_golden.py");
  return {row[1], row[2], row[3], row[4], row[5]};
}

/// The elements in C order as hexadecimal bytes. Every NaN is spelled alike: its sign and payload are
/// nobody's business.
template<class V>
std::string bytes_of(const gp::ndarray<V>& a) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (const V v : a.to_vector()) {
    const auto append = [&](const auto& part) {
      const auto* bytes = reinterpret_cast<const unsigned char*>(&part);
      for (std::size_t i = 0; i < sizeof part; ++i) (text += digits[bytes[i] >> 4]) += digits[bytes[i] & 15];
    };
    const auto append_float = [&](const auto& part) {
      if (part != part) text += std::string(2 * sizeof part, 'n');
      else append(part);
    };
    if constexpr (requires { v.imag(); }) append_float(v.real()), append_float(v.imag());
    else if constexpr (std::is_integral_v<V>) append(v);
    else append_float(v);
  }
  return text;
}

template<gp::element V>
void check(const std::string& expression, const gp::ndarray<V>& result) {
  const answer want = find(expression);
  CAPTURE(expression);
  CAPTURE(want.text);
  REQUIRE(want.kind == "array");
  CHECK(gp::name(gp::dtype_of<V>) == want.dtype);
  CHECK(result.dtype() == gp::dtype_of<V>);
  CHECK(spelled(result.shape()) == want.shape);
  const std::string have = bytes_of(result);
  if (have == want.bytes) return;
  std::string elements;
  if constexpr (std::is_arithmetic_v<V>)
    for (const V v : result.to_vector()) elements += std::to_string(v) + " ";
  FAIL_CHECK("elements " << elements << have << " instead of " << want.bytes);
}
/// The same up to `roundings` of the largest element, for what NumPy computes in another order.
template<gp::element V>
void check_near(const std::string& expression, double roundings, const gp::ndarray<V>& result) {
  const answer want = find(expression);
  CAPTURE(expression);
  CAPTURE(want.text);
  REQUIRE(want.kind == "array");
  CHECK(gp::name(gp::dtype_of<V>) == want.dtype);
  REQUIRE(spelled(result.shape()) == want.shape);
  REQUIRE(want.bytes.size() == static_cast<std::size_t>(2 * result.nbytes()));
  std::vector<V> wanted(static_cast<std::size_t>(result.size()));
  auto* bytes = reinterpret_cast<unsigned char*>(wanted.data());
  for (std::size_t i = 0; i < want.bytes.size(); i += 2)
    bytes[i / 2] = static_cast<unsigned char>(std::stoi(want.bytes.substr(i, 2), nullptr, 16));
  const std::vector<V> have = result.to_vector();
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < have.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(wanted[i])));
    const double distance = static_cast<double>(std::abs(have[i] - wanted[i]));
    error = distance > error || distance != distance ? distance : error;
  }
  using R = gp::dtype_t<gp::real_dtype(gp::dtype_of<V>)>;
  CHECK(error <= roundings * largest * static_cast<double>(std::numeric_limits<R>::epsilon()));
}
inline void check(const std::string& expression, const gp::dims& shape) {
  CAPTURE(expression);
  REQUIRE(find(expression).kind == "shape");
  CHECK(spelled(shape) == find(expression).shape);
}
inline void check(const std::string& expression, bool value) {
  CAPTURE(expression);
  REQUIRE(find(expression).kind == "bool");
  CHECK((value ? "True" : "False") == find(expression).text);
}

/// Lines are written one behind the other, with \\n in between.
inline void check(const std::string& expression, const std::string& value) {
  CAPTURE(expression);
  REQUIRE(find(expression).kind == "text");
  std::string line;
  for (const char c : value) (c == '\n') ? line += "\\n" : line += c;
  CHECK(line == find(expression).text);
}

/// NumPy's text of an error as ours is: without a space at its end, and with names that are the user's own.
inline std::string in_our_words(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  if (const auto at = text.find("np."); at != text.npos) text.erase(at, 3);
  return text;
}

inline void check_throws(const std::string& expression, call_reference call) {
  const answer want = find(expression);
  CAPTURE(expression);
  REQUIRE(want.kind == "error");
  const auto [name, text] = error_thrown_by(call);
  CHECK(name == want.dtype);
  CHECK(text == in_our_words(want.text));
}

}  // namespace golden

#define GOLDEN(python, ...) golden::check(python, __VA_ARGS__)
#define GOLDEN_NEAR(python, roundings, ...) golden::check_near(python, roundings, __VA_ARGS__)
#define GOLDEN_THROWS(python, ...) golden::check_throws(python, [&] { (void)(__VA_ARGS__); })
