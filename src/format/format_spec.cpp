// Elements formatted by a specification such as ">8.3f".
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <gparray/error.hpp>
#include <gparray/text/format_spec.hpp>

#include "dtype.hpp"
#include "element.hpp"
#include "shown.hpp"
#include "text.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using detail::element_format;

/// fmt's specification of one number without fill, alignment and width, unless these put zeros before it.
std::string number_format(const element_format& format, char sign, bool with_width) {
  std::string text = "{:";
  if (sign != '-') text += sign;
  if (format.alternate) text += '#';
  if (with_width && format.zeros && format.align == 0 && format.width > 0)
    text += fmt::format("0{}", format.width);
  if (format.precision >= 0) text += fmt::format(".{}", format.precision);
  if (format.type != 0) text += format.type;
  return text + '}';
}

template<class Number>
std::string number_text(const std::string& format, Number value) {
  return fmt::vformat(format, fmt::make_format_args(value));
}

std::string aligned(const std::string& text, std::string_view fill, char align, std::int64_t width) {
  const std::int64_t missing = std::max<std::int64_t>(width - text_width(text), 0);
  const std::int64_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  std::string result;
  for (std::int64_t i = 0; i < before; ++i) result += fill;
  result += text;
  for (std::int64_t i = before; i < missing; ++i) result += fill;
  return result;
}

/// A real element in the type of its numbers; halves are floats.
std::string real_text(char code, const std::byte* element, const std::string& format) {
  const auto as = [&](auto value) {
    std::memcpy(&value, element, sizeof value);
    return value;
  };
  if (code == 'd' || code == 'D') return number_text(format, as(double()));
  if (code == 'f' || code == 'F') return number_text(format, as(float()));
  float16 half;
  bfloat16 brain;
  std::memcpy(&half, element, sizeof half);
  std::memcpy(&brain, element, sizeof brain);
  return number_text(format, code == 'e' ? static_cast<float>(half) : static_cast<float>(brain));
}

std::string bare_text(const printed_dtype& dtype, const element_format& format, const std::byte* element) {
  const bool is_complex = dtype.kind == 'c';
  const std::string number = number_format(format, format.sign, !is_complex);
  switch (dtype.kind) {
    case 'b':
      if (format.type == 0) return read_unsigned(dtype, element) != 0 ? "True" : "False";
      [[fallthrough]];
    case 'u':
      return number_text(number, read_unsigned(dtype, element));
    case 'i':
      return number_text(number, read_signed(dtype, element));
    case 'f':
      return real_text(dtype.code, element, number);
    default:
      return real_text(dtype.code, element, number) +
             real_text(dtype.code, element + dtype.item_size / 2, number_format(format, '+', false)) + 'j';
  }
}

}  // namespace

std::string formatted_element(char dtype_code, const element_format& format, const void* element) {
  const printed_dtype& dtype = find_printed_dtype(dtype_code);
  return aligned(bare_text(dtype, format, static_cast<const std::byte*>(element)), format.fill, format.align,
                 format.width);
}

element_formatter make_element_formatter(const host_view& view, const print_options& options, bool summarise,
                                         const element_format& format) {
  std::int64_t widest = 0;
  const char code = view.dtype_code;
  for_each_shown(
      view, summarise, options.edgeitems,
      [&](const std::byte* element) {
        widest = std::max(widest, text_width(formatted_element(code, format, element)));
      },
      static_cast<const std::byte*>(view.data));
  const char align = format.align == 0 ? '>' : format.align;
  return [code, format, align, widest](const std::byte* element) {
    return aligned(formatted_element(code, format, element), " ", align, widest);
  };
}

}  // namespace core
GPARRAY_END_NAMESPACE
