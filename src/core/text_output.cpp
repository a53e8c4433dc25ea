// Numbers written as text: in lines of a file, one after the other; and the bytes of elements.
#include <core/array_rep.hpp>
#include <core/errors.hpp>
#include <core/files.hpp>
#include <core/manipulation.hpp>

#include <complex>
#include <cstdio>
#include <cstring>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

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
    if (!whole_) return;
    format_.insert(end, "ll");
    natural_ = format_;
    natural_[end + 2] = 'u';
  }
  std::string operator()(std::uint64_t natural) const {
    if (!whole_) return (*this)(static_cast<double>(natural), 0, false);
    char text[512];
    const int n =
        std::snprintf(text, sizeof text, natural_.c_str(), static_cast<unsigned long long>(natural));
    return checked(text, n);
  }
  std::string operator()(double real, std::int64_t whole, bool is_whole) const {
    char text[512];
    const int n =
        whole_
            ? std::snprintf(text, sizeof text, format_.c_str(),
                            static_cast<long long>(is_whole ? whole : static_cast<std::int64_t>(real)))
            : std::snprintf(text, sizeof text, format_.c_str(), is_whole ? static_cast<double>(whole) : real);
    return checked(text, n);
  }

 private:
  static std::string checked(const char (&text)[512], int n) {
    if (n < 0 || n >= static_cast<int>(sizeof text)) throw value_error("fmt writes more than 511 characters");
    return text;
  }

  std::string format_, natural_;  // of signed and of unsigned numbers
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
  std::vector<std::uint64_t> natural;
  std::vector<double> real;
  std::vector<std::complex<double>> complex;
  explicit written_elements(const any_array& a) {
    const auto n = static_cast<std::size_t>(a.size());
    const auto copy = [&](auto& to, dtype type) {
      to.resize(n);
      detail::copy_to_host(detail::as_type(a, type), to.data());
    };
    if (is_complex(a.dtype())) copy(complex, dtype::complex128);
    else if (is_floating(a.dtype())) copy(real, dtype::float64);
    else if (a.dtype() == dtype::uint64) copy(natural, dtype::uint64);
    else copy(whole, dtype::int64);
  }
  std::string text(std::size_t i, const number_format& format) const {
    if (!whole.empty()) return format(0, whole[i], true);
    if (!natural.empty()) return format(natural[i]);
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

GPARRAY_END_NAMESPACE
