// How the text behind the colon of "{:>8.3f}" formats the elements of an array: read here for every
// formatter.
#pragma once
#include <string>
#include <string_view>

#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// [[fill]align][sign][#][0][width][.precision][type], as fmt and std::format have it for a number.
struct element_format {
  std::string_view fill = " ";
  char align = 0;  // '<', '>', '^', or 0 for none
  char sign = '-';
  bool alternate = false, zeros = false;
  int width = 0;
  int precision = -1;
  char type = 0;

  /// Whether numbers of this kind ('b', 'i', 'u', 'f', 'c') can be so formatted. Truth values are words or
  /// integers, complex numbers two real ones.
  constexpr bool suits(char kind) const {
    const bool integers = kind == 'i' || kind == 'u' || kind == 'b';
    if (type == 0) return integers ? precision < 0 : true;
    if (integers && precision >= 0) return false;
    return std::string_view(integers ? "bBdoxX" : "aAeEfFgG").find(type) != std::string_view::npos;
  }
};

constexpr bool is_alignment(char c) { return c == '<' || c == '>' || c == '^'; }

/// A number below 10^6 from digits, -1 if there is none or it is larger.
constexpr int parse_count(const char*& at, const char* end) {
  int value = at != end && *at >= '0' && *at <= '9' ? 0 : -1;
  for (; at != end && *at >= '0' && *at <= '9'; ++at) {
    value = value * 10 + (*at - '0');
    if (value >= 1000000) return -1;
  }
  return value;
}

/// Reads a specification up to its '}' or the end, to where it moves `at`; false if it is none. Counts that
/// are arguments themselves, "{:{}}", are not known.
constexpr bool parse_element_format(const char*& at, const char* end, element_format& format) {
  if (at == end || *at == '}') return true;
  // The fill is one character, of up to four bytes.
  const auto lead = static_cast<unsigned char>(*at);
  const int bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (end - at > bytes && is_alignment(at[bytes]) && *at != '{') {
    format.fill = std::string_view(at, static_cast<std::size_t>(bytes));
    at += bytes;
  }
  if (is_alignment(*at)) format.align = *at++;
  if (at != end && (*at == '+' || *at == '-' || *at == ' ')) format.sign = *at++;
  if (at != end && *at == '#') {
    format.alternate = true;
    ++at;
  }
  if (at != end && *at == '0') {
    format.zeros = true;
    ++at;
  }
  if (at != end && *at >= '0' && *at <= '9') {
    format.width = parse_count(at, end);
    if (format.width < 0) return false;
  }
  if (at != end && *at == '.') {
    ++at;
    format.precision = parse_count(at, end);
    if (format.precision < 0) return false;
  }
  if (at != end && *at != '}') {
    format.type = *at++;
    if (std::string_view("aAbBdeEfFgGoxX").find(format.type) == std::string_view::npos) return false;
  }
  return at == end || *at == '}';
}

/// The array as array_str prints it, but every element formatted so, as wide as the widest one that is shown;
/// of an array of no dimensions the number alone. Waits. Throws value_error for a format that does not suit
/// the dtype.
GPARRAY_API std::string format_elements(const any_array& a, const element_format& format);
/// str() of Python's tuple of these arrays: (array([1, 2]), array([3., 4.])).
GPARRAY_API std::string tuple_text(std::span<const any_array> arrays);
/// The same with the elements formatted: ([1.00 2.00], [3.00 4.00]).
GPARRAY_API std::string tuple_text(std::span<const any_array> arrays, const element_format& format);

}  // namespace detail

GPARRAY_END_NAMESPACE
