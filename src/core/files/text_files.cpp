// Numbers read from text: in lines of a file, in a string.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/array/plan_builder.hpp>
#include <core/files/files.hpp>
#include <core/manipulation/manipulation.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using complex_number = std::complex<double>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\v"),
                    last = text.find_last_not_of(" \t\r\n\f\v");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// Leaves out a plus, which from_chars does not know; false if another sign follows.
bool skip_plus(std::string_view& text) {
  if (!text.starts_with('+')) return true;
  text.remove_prefix(1);
  return !text.starts_with('-');
}

/// Reads the number at the front of `text`, and removes it there; false if there is none. Not by strtod,
/// which reads hexadecimal digits and the locale's decimal point.
bool take_number(std::string_view& text, double& value) {
  if (!skip_plus(text)) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return false;
  const auto length = static_cast<std::size_t>(end - text.data());
  // Infinite, or as near to zero as a double can be.
  if (error != std::errc()) value = std::strtod(std::string(text.substr(0, length)).c_str(), nullptr);
  text.remove_prefix(length);
  return true;
}

bool take_number(std::string_view& text, complex_number& value) {
  const bool bracketed = text.starts_with('(');
  if (bracketed) text.remove_prefix(1);
  double re = 0, im = 0;
  if (!take_number(text, re)) return false;
  if (text.starts_with('j')) {
    text.remove_prefix(1);
    std::swap(re, im);
  } else if ((text.starts_with('+') || text.starts_with('-')) && take_number(text, im)) {
    if (!text.starts_with('j')) return false;
    text.remove_prefix(1);
  }
  if (bracketed && !text.starts_with(')')) return false;
  if (bracketed) text.remove_prefix(1);
  value = {re, im};
  return true;
}

template<std::integral I>
bool take_number(std::string_view& text, I& value) {
  if (!skip_plus(text)) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

template<class N>
bool to_number(std::string_view text, N& value) {
  return take_number(text, value) && trimmed(text).empty();
}

/// Whether a dtype holds what was read in its reading type.
template<class N>
bool holds([[maybe_unused]] dtype type, [[maybe_unused]] N value) {
  if constexpr (std::integral<N>) {
    const int spare = 64 - static_cast<int>(8 * itemsize(type));
    if (!is_integer(type) || spare == 0) return true;
    return value <= std::numeric_limits<N>::max() >> spare && value >= std::numeric_limits<N>::min() >> spare;
  } else {
    return true;
  }
}

/// Whether a text is a decimal integer, of any size.
bool is_integer_text(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A truth value by its name, in letters of either case.
bool is_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, {}, [](unsigned char c) { return std::tolower(c); });
}

/// f(N()) for the type that the numbers of a dtype are read in.
template<class F>
any_array in_reading_type(dtype type, F f) {
  switch (kind(type)) {
    case 'c':
      return f(complex_number());
    case 'f':
      return f(double());
    case 'u':
      return f(std::uint64_t());
    default:
      return f(std::int64_t());
  }
}

template<class N>
any_array to_array(const std::vector<N>& values, const dims& shape, dtype type,
                   const std::optional<device>& where) {
  const any_array a = detail::from_host(values.data(), shape, dtype_of<N>, where.value_or(default_device()));
  return detail::as_type(a, type);
}

std::vector<std::string_view> fields_of(std::string_view line, std::string_view delimiter) {
  std::vector<std::string_view> fields;
  if (!delimiter.empty()) {
    for (;;) {
      const std::size_t at = line.find(delimiter);
      fields.push_back(trimmed(line.substr(0, at)));
      if (at == std::string_view::npos) return fields;
      line.remove_prefix(at + delimiter.size());
    }
  }
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const std::size_t end = std::min(line.find_first_of(" \t\r\f\v"), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return fields;
}

/// The lines of a text without comments, those that are empty left out.
std::vector<std::string_view> lines_of(std::string_view text, std::string_view comments, std::int64_t skip) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    // Lines of every system, as Python reads them: "\n", "\r\n" and a lone "\r" end one.
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
    if (skip-- > 0) continue;
    if (!comments.empty()) line = line.substr(0, line.find(comments));
    if (!trimmed(line).empty()) lines.push_back(line);
  }
  return lines;
}

/// The first lines, as many as asked for.
void keep_rows(std::vector<std::string_view>& lines, const detail::slice_end& max_rows) {
  if (max_rows.given && static_cast<std::int64_t>(lines.size()) > max_rows.value)
    lines.resize(static_cast<std::size_t>(std::max<std::int64_t>(max_rows.value, 0)));
}

std::vector<std::string_view> used_columns(std::vector<std::string_view> fields,
                                           const std::vector<std::int64_t>& columns, std::size_t row) {
  if (columns.empty()) return fields;
  const auto n = static_cast<std::int64_t>(fields.size());
  std::vector<std::string_view> used;
  for (const std::int64_t column : columns) {
    if (column < -n || column >= n)
      fail<value_error>("invalid column index {} at row {} with {} columns", column, row + 1, n);
    used.push_back(fields[static_cast<std::size_t>(column < 0 ? column + n : column)]);
  }
  return used;
}

/// NumPy leaves out axes of size 1 down to ndmin, and puts them back in front, or behind for one column.
any_array with_dimensions(const any_array& matrix, int ndmin, bool unpack) {
  any_array a = matrix;
  if (a.ndim() > ndmin) a = detail::squeeze(a);
  if (a.ndim() < ndmin) {
    if (ndmin == 1) a = detail::at_least(a, 1);
    else if (ndmin == 2) a = detail::transpose(detail::at_least(a, 2));
  }
  return unpack ? detail::transpose(a) : a;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array loadtxt(const std::string& file, gparray::dtype type, const loadtxt_options& options) {
  const file_contents contents = read_file(file);
  const std::string_view text = contents;
  std::vector<std::string_view> lines = lines_of(text, options.comments, options.skiprows);
  keep_rows(lines, options.max_rows);
  return in_reading_type(type, [&](auto number) {
    std::vector<decltype(number)> values;
    std::int64_t columns = 0;
    for (std::size_t row = 0; row < lines.size(); ++row) {
      const std::vector<std::string_view> fields =
          used_columns(fields_of(lines[row], options.delimiter), options.usecols, row);
      const auto count = static_cast<std::int64_t>(fields.size());
      if (row == 0) columns = count;
      else if (count != columns)
        fail<value_error>(
            "the number of columns changed from {} to {} at row {}; use `usecols` to select a subset and "
            "avoid "
            "this error",
            columns, count, row + 1);
      for (std::size_t column = 0; column < fields.size(); ++column) {
        if (!to_number(fields[column], number) || !holds(type, number))
          fail<value_error>("could not convert string '{}' to {} at row {}, column {}.", fields[column],
                            name(type), row, column + 1);
        values.push_back(number);
      }
    }
    if (lines.empty())
      return to_array(values, options.ndmin == 2 ? dims{0, 1} : dims{0}, type, options.device);
    const dims shape{static_cast<std::int64_t>(lines.size()), columns};
    return with_dimensions(to_array(values, shape, type, options.device), options.ndmin, options.unpack);
  });
}

namespace {

/// A given filling value as an integer. Floats are cut off, which infinity and NaN cannot be.
template<std::integral N>
N integer_filling(const argument& given, gparray::dtype type) {
  scalar_bits bits;
  std::memcpy(&bits, given.value, sizeof bits);
  const auto as = [&](auto number, gparray::dtype to) {
    const scalar_bits converted = convert_scalar(bits, given.type, to);
    std::memcpy(&number, &converted, sizeof number);
    return number;
  };
  const double real = as(double(), gparray::dtype::float64);
  if (!std::isfinite(real)) fail<value_error>("filling_values: {} is no {}", real, name(type));
  if (type == gparray::dtype::bool_) return real != 0;
  const N number = as(N(), dtype_of<N>);
  const bool fits = std::is_signed_v<N> ? std::abs(real) <= 0x1p63 && (real <= -1) == (number < 0)
                                        : real > -1 && real <= 0x1p64;
  if (!fits || !holds(type, number))
    fail<overflow_error>("filling_values: {} is out of bounds for {}", real, name(type));
  return number;
}

/// What stands for a missing value: as given, or NumPy's NaN, -1 or False.
template<class N>
N filling_value(const std::optional<scalar>& given, gparray::dtype type) {
  if constexpr (std::integral<N>) {
    if (given) return integer_filling<N>(given->as_argument(), type);
    if (std::is_unsigned_v<N>) fail<overflow_error>("filling_values: -1 is out of bounds for {}", name(type));
    return type == gparray::dtype::bool_ ? 0 : static_cast<N>(-1);
  } else {
    N number = std::numeric_limits<double>::quiet_NaN();
    if (!given) return number;
    scalar_bits bits;
    std::memcpy(&bits, given->as_argument().value, sizeof bits);
    const scalar_bits converted = convert_scalar(bits, given->as_argument().type, dtype_of<N>);
    std::memcpy(static_cast<void*>(&number), &converted, sizeof number);
    return number;
  }
}

/// A field as a number, or what stands for it. Integers beyond the dtype are an error, as in NumPy.
template<class N>
N number_or_filling(std::string_view field, const genfromtxt_options& options, gparray::dtype type) {
  N number;
  if (to_number(field, number) && holds(type, number)) return number;
  if constexpr (std::integral<N>) {
    if (type == gparray::dtype::bool_ && is_word(field, "true")) return 1;
    if (type == gparray::dtype::bool_ && is_word(field, "false")) return 0;
    if (is_integer_text(field)) fail<overflow_error>("integer {} out of bounds for {}", field, name(type));
  }
  return filling_value<N>(options.filling_values, type);
}

}  // namespace

any_array genfromtxt(const std::string& file, gparray::dtype type, const genfromtxt_options& options) {
  const file_contents contents = read_file(file);
  const std::string_view text = contents;
  std::vector<std::string_view> lines = lines_of(text, options.comments, options.skip_header);
  lines.resize(lines.size() - std::min(lines.size(), static_cast<std::size_t>(options.skip_footer)));
  keep_rows(lines, options.max_rows);
  return in_reading_type(type, [&](auto read) {
    using N = decltype(read);
    std::vector<N> values;
    std::size_t columns = 0;
    for (std::size_t row = 0; row < lines.size(); ++row) {
      const std::vector<std::string_view> fields = fields_of(lines[row], options.delimiter);
      if (row == 0) columns = fields.size();
      else if (fields.size() != columns)
        fail<value_error>("Some errors were detected !\n    Line #{} (got {} columns instead of {})",
                          row + 1 + static_cast<std::size_t>(options.skip_header), fields.size(), columns);
      for (const std::string_view field : used_columns(fields, options.usecols, row))
        values.push_back(number_or_filling<N>(field, options, type));
    }
    if (lines.empty()) return to_array(values, 0, type, options.device);
    const dims shape{static_cast<std::int64_t>(lines.size()), -1};
    const any_array matrix = reshape(
        to_array(values, static_cast<std::int64_t>(values.size()), type, options.device), shape, order::C);
    return options.unpack ? transpose(squeeze(matrix)) : squeeze(matrix);
  });
}

any_array fromstring(std::string_view text, gparray::dtype type, std::int64_t count, std::string_view sep,
                     const std::optional<device>& where) {
  const std::string_view separator = trimmed(sep);
  return in_reading_type(type, [&](auto number) {
    std::vector<decltype(number)> values;
    for (text = trimmed(text);
         !text.empty() && (count < 0 || static_cast<std::int64_t>(values.size()) < count);) {
      if (!take_number(text, number))
        throw value_error("string or file could not be read to its end due to unmatched data");
      values.push_back(number);
      text = trimmed(text);
      if (separator.empty() || text.empty()) continue;
      if (!text.starts_with(separator))
        throw value_error("string or file could not be read to its end due to unmatched data");
      text = trimmed(text.substr(separator.size()));
    }
    return to_array(values, static_cast<std::int64_t>(values.size()), type, where);
  });
}

any_array fromfile(const std::string& file, gparray::dtype type, const fromfile_options& options) {
  const auto check_offset = [&](std::size_t size) {
    if (options.offset < 0 || static_cast<std::size_t>(options.offset) > size)
      fail<value_error>("offset {} is not in a file of {} bytes", options.offset, size);
  };
  const auto elements_in = [&](std::size_t bytes) {
    const auto n = static_cast<std::int64_t>(bytes / itemsize(type));
    return options.count >= 0 ? std::min(n, options.count) : n;
  };
  const device where = options.device.value_or(default_device());
  input_file in(file);
  if (const std::optional<std::size_t> size = in.size(); size && options.sep.empty()) {
    check_offset(*size);
    const auto offset = static_cast<std::size_t>(options.offset);
    in.seek(offset);
    return brought_to(read_elements(in, file, {elements_in(*size - offset)}, type), where);
  }
  const file_contents all = read_file(in);
  std::string_view bytes = all;
  check_offset(bytes.size());
  bytes.remove_prefix(static_cast<std::size_t>(options.offset));
  if (!options.sep.empty()) return fromstring(bytes, type, options.count, options.sep, options.device);
  return from_host(bytes.data(), elements_in(bytes.size()), type, where);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
