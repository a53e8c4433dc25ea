#include "traps.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <vector>

namespace traps {

namespace {

std::map<std::string, expectation> read_list() {
  std::map<std::string, expectation> list;
  std::ifstream file(GPARRAY_TEST_DATA "/golden/traps.tsv");
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> columns;
    for (std::size_t begin = 0, end; begin <= line.size(); begin = end + 1) {
      end = std::min(line.find('\t', begin), line.size());
      columns.push_back(line.substr(begin, end - begin));
    }
    REQUIRE(columns.size() == 7);
    list[columns[0]] = {columns[1], columns[2], columns[3], columns[4], columns[5], columns[6]};
  }
  REQUIRE(list.size() > 500);
  return list;
}

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
      e.real = v.real(), e.imaginary = v.imag();
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
#include <gparray/dtypes.def>
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

const expectation& find(const std::string& id) {
  static const std::map<std::string, expectation> list = read_list();
  const auto row = list.find(id);
  INFO("no such trap: " << id);
  REQUIRE(row != list.end());
  return row->second;
}

std::string spelled(const gp::dims& shape) {
  std::string text;
  for (const std::int64_t n : shape) text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

void check(const std::string& id, const gp::any_array& result) {
  const expectation& want = find(id);
  CAPTURE(id);
  CAPTURE(want.code);
  if (want.kind == "dtype") {
    CHECK(gp::name(result.dtype()) == want.dtype);
    return;
  }
  REQUIRE(want.kind == "array");
  if (!want.dtype.starts_with("host_")) CHECK(gp::name(result.dtype()) == want.dtype);
  CHECK(spelled(result.shape()) == want.shape);
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
  CHECK(spelled(numbers) == find(id).value);
}

void check_error(const std::string& id, std::string_view thrown) {
  const expectation& want = find(id);
  CAPTURE(id);
  CAPTURE(want.code);
  REQUIRE(want.kind == "error");
  // UFuncTypeError is a TypeError.
  CHECK((want.value.ends_with(thrown) || (want.value == "UFuncTypeError" && thrown == "TypeError")));
}

}  // namespace traps
