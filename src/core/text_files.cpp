// Numbers as text: in lines of a file, in a string.
#include <core/array_rep.hpp>
#include <core/errors.hpp>
#include <core/files.hpp>
#include <core/manipulation.hpp>

#include <charconv>
#include <complex>
#include <cstdio>
#include <cstdlib>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using complex_number = std::complex<double>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\v"),
                    last = text.find_last_not_of(" \t\r\n\f\v");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// Characters of a number that are read: more than any has that a program wrote.
constexpr std::size_t longest_number = 1100;

/// The number at the front of a text, which is left with the rest; false if there is none.
bool take_number(std::string_view& text, double& value) {
  const std::string copy(text.substr(0, longest_number));  // strtod wants an end
  char* end = nullptr;
  value = std::strtod(copy.c_str(), &end);
  text.remove_prefix(static_cast<std::size_t>(end - copy.c_str()));
  return end != copy.c_str();
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
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

template<class N>
bool to_number(std::string_view text, N& value) {
  return take_number(text, value) && trimmed(text).empty();
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
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
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

/// Where the next conversion of a printf format begins: not "%%", which is a sign.
std::size_t next_conversion(std::string_view format, std::size_t from) {
  std::size_t at = format.find('%', from);
  while (at != std::string_view::npos && format.substr(at, 2) == "%%") at = format.find('%', at + 2);
  return at;
}

/// printf's description of one number, checked: text, one conversion, text.
class number_format {
 public:
  explicit number_format(const std::string& format) : format_(format) {
    const std::size_t at = next_conversion(format, 0);
    const std::size_t end =
        at == std::string::npos ? at : format.find_first_not_of("-+ #0123456789.", at + 1);
    if (end == std::string::npos || !std::strchr("diueEfFgG", format[end]) ||
        next_conversion(format, end) != std::string::npos)
      fail<value_error>("invalid fmt: '{}'", format);
    whole_ = std::strchr("diu", format[end]) != nullptr;
    if (whole_) format_.insert(end, "ll");
  }
  std::string operator()(double real, std::int64_t whole, bool is_whole) const {
    char text[512];
    const int n =
        whole_
            ? std::snprintf(text, sizeof text, format_.c_str(),
                            static_cast<long long>(is_whole ? whole : static_cast<std::int64_t>(real)))
            : std::snprintf(text, sizeof text, format_.c_str(), is_whole ? static_cast<double>(whole) : real);
    if (n < 0 || n >= static_cast<int>(sizeof text)) throw value_error("fmt writes more than 511 characters");
    return text;
  }

 private:
  std::string format_;
  bool whole_ = false;
};

/// The formats of a row's columns, and whether the delimiter stands between them.
struct row_format {
  std::vector<number_format> columns;
  bool delimited = true;

  row_format(const detail::text_formats& fmt, std::size_t count) {
    if (fmt.is_list && fmt.formats.size() != count)
      fail<value_error>("fmt has wrong shape.  [{}]", fmt::join(fmt.formats, ", "));
    if (fmt.is_list) {
      for (const std::string& one : fmt.formats) columns.emplace_back(one);
      return;
    }
    const std::string& row = fmt.formats[0];
    std::vector<std::size_t> starts;
    for (std::size_t at = next_conversion(row, 0); at != std::string::npos; at = next_conversion(row, at + 1))
      starts.push_back(at);
    if (starts.size() <= 1) {
      columns.assign(count, number_format(row));
      return;
    }
    if (starts.size() != count) fail<value_error>("fmt has wrong number of % formats:  {}", row);
    delimited = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t first = i == 0 ? 0 : starts[i];
      columns.emplace_back(row.substr(first, i + 1 < count ? starts[i + 1] - first : std::string::npos));
    }
  }
};

std::string commented(const std::string& text, const savetxt_options& options) {
  std::string result = options.comments;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += options.comments;
  }
  return result + options.newline;
}

/// Elements in host memory, in the type that they are written from.
struct written_elements {
  std::vector<std::int64_t> whole;
  std::vector<double> real;
  std::vector<complex_number> complex;
  explicit written_elements(const any_array& a) {
    const auto n = static_cast<std::size_t>(a.size());
    const auto copy = [&](auto& to, dtype type) {
      to.resize(n);
      detail::copy_to_host(detail::as_type(a, type), to.data());
    };
    if (is_complex(a.dtype())) copy(complex, dtype::complex128);
    else if (is_floating(a.dtype())) copy(real, dtype::float64);
    else copy(whole, dtype::int64);
  }
  std::string text(std::size_t i, const number_format& format) const {
    if (!whole.empty()) return format(0, whole[i], true);
    if (!real.empty()) return format(real[i], 0, false);
    const std::string imaginary = format(complex[i].imag(), 0, false);
    return " (" + format(complex[i].real(), 0, false) + (imaginary.starts_with('-') ? "" : "+") + imaginary +
           "j)";
  }
};

}  // namespace

}  // namespace core

using namespace core;

void savetxt(const std::string& file, const any_array& a, const savetxt_options& options) {
  if (a.ndim() == 0 || a.ndim() > 2)
    fail<value_error>("Expected 1D or 2D array, got {}D array instead", a.ndim());
  const std::int64_t columns = a.ndim() == 2 ? a.shape(1) : 1, rows = a.shape(0);
  const row_format format(options.fmt, static_cast<std::size_t>(columns));
  const written_elements elements(a);
  std::string text = options.header.empty() ? "" : commented(options.header, options);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      if (column > 0 && format.delimited) text += options.delimiter;
      text += elements.text(static_cast<std::size_t>(row * columns + column),
                            format.columns[static_cast<std::size_t>(column)]);
    }
    text += options.newline;
  }
  if (!options.footer.empty()) text += commented(options.footer, options);
  write_file(file, text);
}

std::vector<std::uint8_t> tobytes(const any_array& a, order layout) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(a.nbytes()));
  const bool turned =
      layout == order::F || (layout == order::A && a.is_f_contiguous() && !a.is_c_contiguous());
  detail::copy_to_host(turned ? detail::transpose(a) : a, bytes.data());
  return bytes;
}

void tofile(const any_array& a, const std::string& file, const std::string& sep) {
  if (sep.empty()) {
    std::string bytes(static_cast<std::size_t>(a.nbytes()), '\0');
    detail::copy_to_host(a, bytes.data());
    return write_file(file, bytes);
  }
  const written_elements elements(a);
  const number_format format(is_inexact(a.dtype()) ? "%.17g" : "%d");
  std::string text;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    if (i > 0) text += sep;
    text += elements.text(static_cast<std::size_t>(i), format);
  }
  write_file(file, text);
}

namespace detail {

any_array loadtxt(const std::string& file, gparray::dtype type, const loadtxt_options& options) {
  const std::string text = read_file(file);
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
        if (!to_number(fields[column], number))
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

any_array genfromtxt(const std::string& file, gparray::dtype type, const genfromtxt_options& options) {
  const std::string text = read_file(file);
  std::vector<std::string_view> lines = lines_of(text, options.comments, options.skip_header);
  lines.resize(lines.size() - std::min(lines.size(), static_cast<std::size_t>(options.skip_footer)));
  keep_rows(lines, options.max_rows);
  std::vector<double> values;
  std::size_t columns = 0;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const std::vector<std::string_view> fields = fields_of(lines[row], options.delimiter);
    if (row == 0) columns = fields.size();
    else if (fields.size() != columns)
      fail<value_error>("Some errors were detected !\n    Line #{} (got {} columns instead of {})",
                        row + 1 + static_cast<std::size_t>(options.skip_header), fields.size(), columns);
    for (const std::string_view field : used_columns(fields, options.usecols, row)) {
      double number;
      values.push_back(to_number(field, number) ? number : options.filling_values);
    }
  }
  if (lines.empty()) return to_array(values, 0, type, options.device);
  const dims shape{static_cast<std::int64_t>(lines.size()), -1};
  const any_array matrix = reshape(
      to_array(values, static_cast<std::int64_t>(values.size()), type, options.device), shape, order::C);
  return options.unpack ? transpose(squeeze(matrix)) : squeeze(matrix);
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
  const std::string all = read_file(file);
  std::string_view bytes = all;
  if (options.offset < 0 || static_cast<std::size_t>(options.offset) > bytes.size())
    fail<value_error>("offset {} is not in a file of {} bytes", options.offset, bytes.size());
  bytes.remove_prefix(static_cast<std::size_t>(options.offset));
  if (!options.sep.empty()) return fromstring(bytes, type, options.count, options.sep, options.device);
  std::int64_t n = static_cast<std::int64_t>(bytes.size() / itemsize(type));
  if (options.count >= 0) n = std::min(n, options.count);
  return from_host(bytes.data(), n, type, options.device.value_or(default_device()));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
