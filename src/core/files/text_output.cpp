// Numbers written as text: in lines of a file, one after the other; and the bytes of elements.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <optional>

#include <core/array/array_rep.hpp>
#include <core/files/files.hpp>
#include <core/manipulation/manipulation.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Where the next conversion of a printf format begins: not "%%", which is a sign.
std::size_t next_conversion(std::string_view format, std::size_t from) {
  std::size_t at = format.find('%', from);
  while (at != std::string_view::npos && format.substr(at, 2) == "%%") at = format.find('%', at + 2);
  return at;
}

/// As printf writes it, exactly and in every locale.
std::string digits_of(double number, std::chars_format how, std::size_t precision) {
  constexpr std::size_t most_without =
      320;  // what the largest number has in front of its point, and an exponent
  std::string text(most_without + precision, '\0');
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), number, how, static_cast<int>(precision)).ptr;
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text;
}

/// A number's digits without a sign, and whether it has one.
struct spelled_number {
  std::string digits;
  bool is_negative;
};

/// printf's description of one number as Python's % takes it: text, one conversion, text.
class number_format {
 public:
  explicit number_format(const std::string& format) {
    const auto refuse = [&] { fail<value_error>("invalid fmt: '{}'", format); };
    std::size_t at = next_conversion(format, 0);
    if (at == std::string::npos) refuse();
    before_ = plain(format.substr(0, at));
    for (++at; at < format.size() && std::strchr("-+ #0", format[at]); ++at) flags_ += format[at];
    const auto take_number = [&](std::size_t& number) {
      const char* const end = format.data() + format.size();
      const auto [stop, error] = std::from_chars(format.data() + at, end, number);
      if (error == std::errc::result_out_of_range || number > most_characters) refuse();
      at = static_cast<std::size_t>(stop - format.data());
    };
    take_number(width_);
    if (at < format.size() && format[at] == '.') {
      ++at;
      take_number(precision_.emplace(0));
    }
    if (at < format.size() && std::strchr("hlL", format[at])) ++at;  // a size of C's, which says nothing here
    if (at >= format.size() || !std::strchr("diueEfFgG", format[at])) refuse();
    conversion_ = format[at];
    is_whole_ = std::strchr("diu", conversion_) != nullptr;
    if (next_conversion(format, at + 1) != std::string::npos) refuse();
    after_ = plain(format.substr(at + 1));
  }

  std::string operator()(std::int64_t number) const {
    if (!is_whole_) return (*this)(static_cast<double>(number));
    const auto bits = static_cast<std::uint64_t>(number);
    return whole({std::to_string(number < 0 ? 0 - bits : bits), number < 0});
  }
  std::string operator()(std::uint64_t number) const {
    return is_whole_ ? whole({std::to_string(number), false}) : (*this)(static_cast<double>(number));
  }
  std::string operator()(double number) const {
    const double size = std::fabs(number);
    // A NaN has no sign in Python.
    if (!is_whole_) return filled({digits(size), std::signbit(number) && !std::isnan(number)});
    if (std::isnan(number)) throw value_error("cannot convert float NaN to integer");
    if (std::isinf(number)) throw overflow_error("cannot convert float infinity to integer");
    return whole({digits_of(std::trunc(size), std::chars_format::fixed, 0), number <= -1});
  }

 private:
  static constexpr std::size_t most_characters = 1 << 20;

  bool has(char flag) const { return flags_.find(flag) != std::string::npos; }
  static std::string plain(std::string text) {
    for (std::size_t at = 0; (at = text.find("%%", at)) != std::string::npos; ++at) text.erase(at, 1);
    return text;
  }
  std::string digits(double size) const {
    const std::size_t precision = precision_.value_or(6);
    const char kind = static_cast<char>(std::tolower(conversion_));
    std::string text;
    if (kind == 'e') text = digits_of(size, std::chars_format::scientific, precision);
    else if (kind == 'f') text = digits_of(size, std::chars_format::fixed, precision);
    else if (has('#')) text = with_all_digits(size, std::max<std::size_t>(precision, 1));
    else text = digits_of(size, std::chars_format::general, precision);
    if (has('#') && std::isfinite(size) && text.find('.') == std::string::npos)
      text.insert(std::min(text.find('e'), text.size()), 1, '.');
    if (kind != conversion_)
      for (char& c : text) c = static_cast<char>(std::toupper(c));
    return text;
  }
  /// As %g, but zeros at the end stay.
  static std::string with_all_digits(double size, std::size_t count) {
    const std::string text = digits_of(size, std::chars_format::scientific, count - 1);
    const int exponent = std::isfinite(size) ? std::stoi(text.substr(text.find('e') + 1)) : 0;
    if (exponent < -4 || exponent >= static_cast<int>(count)) return text;
    return digits_of(size, std::chars_format::fixed, count - 1 - static_cast<std::size_t>(exponent));
  }
  std::string whole(spelled_number number) const {
    if (precision_ && *precision_ > number.digits.size())
      number.digits.insert(0, *precision_ - number.digits.size(), '0');
    return filled(number);
  }
  /// With its sign, to the width.
  std::string filled(const spelled_number& number) const {
    const std::string sign = number.is_negative ? "-" : has('+') ? "+" : has(' ') ? " " : "";
    const std::size_t length = sign.size() + number.digits.size();
    const std::string padding(width_ - std::min(width_, length), !has('-') && has('0') ? '0' : ' ');
    if (has('-')) return before_ + sign + number.digits + padding + after_;
    if (has('0')) return before_ + sign + padding + number.digits + after_;
    return before_ + padding + sign + number.digits + after_;
  }

  std::string before_, after_, flags_;
  std::size_t width_ = 0;
  std::optional<std::size_t> precision_;
  char conversion_;
  bool is_whole_;
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
    if (!whole.empty()) return format(whole[i]);
    if (!natural.empty()) return format(natural[i]);
    if (!real.empty()) return format(real[i]);
    const std::string imaginary = format(complex[i].imag());
    return " (" + format(complex[i].real()) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j)";
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
  write_file(file, {text});
}

std::vector<std::uint8_t> tobytes(const any_array& a, order layout) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(a.nbytes()));
  const bool transposed =
      layout == order::F || (layout == order::A && a.is_f_contiguous() && !a.is_c_contiguous());
  detail::copy_to_host(transposed ? detail::transpose(a) : a, bytes.data());
  return bytes;
}

void tofile(const any_array& a, const std::string& file, const std::string& sep) {
  if (sep.empty()) {
    element_bytes bytes(a);
    return write_file(file, {}, bytes);
  }
  const written_elements elements(a);
  const number_format format(is_inexact(a.dtype()) ? "%.17g" : "%d");
  std::string text;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    if (i > 0) text += sep;
    text += elements.text(static_cast<std::size_t>(i), format);
  }
  write_file(file, {text});
}

GPARRAY_END_NAMESPACE
