// Comparison with what NumPy answers: GOLDEN("np.tile(A([1, 2]), 2)", gp::tile(a, 2)).
// golden/make_creation_golden.py finds these expressions in the tests, runs them, and writes
// golden/creation.tsv.
#pragma once
#include "table.hpp"

#include <gparray/gparray.hpp>

namespace golden {

namespace gp = gparray;

struct answer {
  const std::string &kind, &dtype, &shape, &bytes,
      &text;  // of an error: its name in dtype, its message in text
};

inline answer find(const std::string& expression) {
  static const table answers = read_table("creation.tsv", 6);
  const std::vector<std::string>& row = find_row(answers, expression, "run golden/make_creation_golden.py");
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

template<class F>
void check_throws(const std::string& expression, F f) {
  const answer want = find(expression);
  CAPTURE(expression);
  REQUIRE(want.kind == "error");
  std::string name = "nothing", text;
  try {
    f();
  } catch (const gp::axis_error& e) {
    name = "AxisError", text = e.what();
  } catch (const gp::index_error& e) {
    name = "IndexError", text = e.what();
  } catch (const gp::type_error& e) {
    name = "TypeError", text = e.what();
  } catch (const gp::value_error& e) {
    name = "ValueError", text = e.what();
  }
  CHECK(name == want.dtype);
  CHECK(text == want.text);
}

}  // namespace golden

#define GOLDEN(python, ...) golden::check(python, __VA_ARGS__)
#define GOLDEN_THROWS(python, ...) golden::check_throws(python, [&] { (void)(__VA_ARGS__); })
