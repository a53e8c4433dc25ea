#include "support/traps.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "support/table.hpp"

namespace traps {

namespace {

/// The elements in C order as (real, imaginary) doubles; exact for all dtypes but wide integers, which are
/// kept apart.
struct element_value {
  double real = 0, imaginary = 0;
  long long integer = 0;
  bool is_integer = false;
};

template<class V>
void append(const gp::any_array& a, std::vector<element_value>& out) {
  for (const V v : gp::ndarray<V>(a).to_vector()) {
    element_value e;
    if constexpr (std::is_integral_v<V>) {
      e.integer = static_cast<long long>(v);
      e.is_integer = true;
      e.real = static_cast<double>(v);
    } else if constexpr (requires { v.imag(); }) {
      e.real = v.real();
      e.imaginary = v.imag();
    } else {
      e.real = static_cast<double>(v);
    }
    out.push_back(e);
  }
}

std::vector<element_value> values_of(const gp::any_array& a) {
  std::vector<element_value> out;
  switch (a.dtype()) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case gp::dtype::name:                                    \
    append<type>(a, out);                                  \
    break;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return out;
}

double parse_number(std::string_view text) {
  if (text == "nan") return std::nan("");
  if (text == "true" || text == "false") return text == "true";
  return std::strtod(std::string(text).c_str(), nullptr);  // std::stod refuses subnormal numbers
}

element_value parse(std::string text) {
  element_value e;
  if (text[0] == '(') {
    const std::size_t comma = text.find(',');
    e.real = parse_number(text.substr(1, comma - 1));
    e.imaginary = parse_number(text.substr(comma + 1, text.size() - comma - 2));
    return e;
  }
  e.real = parse_number(text);
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), e.integer);
  e.is_integer = status == std::errc() && end == text.data() + text.size();
  return e;
}

/// The leaves of nested text such as [[1.0,2.0],[3.0,nan]].
std::vector<element_value> parse_list(const std::string& text) {
  std::vector<element_value> out;
  std::string word;
  int parentheses = 0;
  for (const char c : text + ",") {
    parentheses += (c == '(') - (c == ')');
    if (c == '[' || c == ']' || (c == ',' && parentheses == 0)) {
      if (!word.empty()) out.push_back(parse(word));
      word.clear();
    } else if (c != ' ') {
      word += c;
    }
  }
  return out;
}

bool same(double have, double want, double tolerance) {
  if (std::isnan(want)) return std::isnan(have);
  if (have == want) return tolerance > 0 || std::signbit(have) == std::signbit(want);
  return std::abs(have - want) <= tolerance * std::abs(want);
}

}  // namespace

expectation find(const std::string& id) {
  static const golden::table list = golden::read_table("semantics/traps.tsv", 7);
  const std::vector<std::string>& row = golden::find_row(list, id, "see semantics/make_traps.py");
  return {row[1], row[2], row[3], row[4], row[5], row[6]};
}

void check(const std::string& id, const gp::any_array& result) {
  const expectation want = find(id);
  CAPTURE(id);
  CAPTURE(want.code);
  if (want.kind == "dtype") {
    CHECK(gp::name(result.dtype()) == want.dtype);
    return;
  }
  REQUIRE(want.kind == "array");
  if (!want.dtype.starts_with("host_")) CHECK(gp::name(result.dtype()) == want.dtype);
  CHECK(golden::spelled(result.shape()) == want.shape);
  const std::vector<element_value> have = values_of(result), expected = parse_list(want.value);
  REQUIRE(have.size() == expected.size());
  // The list's own tolerances: exact, or relative for functions that no two libraries round alike.
  const double tolerance = want.match == "exact" ? 0 : std::stod(want.match.substr(3));
  for (std::size_t i = 0; i < have.size(); ++i) {
    CAPTURE(i);
    CAPTURE(have[i].real);
    CAPTURE(expected[i].real);
    if (have[i].is_integer && expected[i].is_integer) CHECK(have[i].integer == expected[i].integer);
    else
      CHECK((same(have[i].real, expected[i].real, tolerance) &&
             same(have[i].imaginary, expected[i].imaginary, tolerance)));
  }
}

void check(const std::string& id, const gp::dims& numbers) {
  CAPTURE(id);
  REQUIRE(find(id).kind == "shape");
  CHECK(golden::spelled(numbers) == find(id).value);
}

void check_error(const std::string& id, std::string_view thrown) {
  const expectation want = find(id);
  CAPTURE(id);
  CAPTURE(want.code);
  REQUIRE(want.kind == "error");
  // UFuncTypeError is a TypeError.
  CHECK((want.value.ends_with(thrown) || (want.value == "UFuncTypeError" && thrown == "TypeError")));
}

}  // namespace traps
