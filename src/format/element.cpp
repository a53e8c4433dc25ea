#include "element.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "dtype.hpp"
#include "floating.hpp"
#include "shown.hpp"
#include "text.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The shown elements of a view, and how to read them.
struct shown_elements {
  const host_view& view;
  const print_options& options;
  bool summarise;

  template<class Visit>
  void visit(const Visit& visit_element) const {
    for_each_shown(view, summarise, options.edgeitems, visit_element,
                   static_cast<const std::byte*>(view.data));
  }
};

element_formatter bool_formatter(const host_view& view) {
  return [true_text = std::string(view.ndim > 0 ? " True" : "True")](const std::byte* element) {
    return *element != std::byte{} ? true_text : std::string("False");
  };
}

template<class Integer, class Read>
element_formatter integer_formatter(const shown_elements& shown, const Read& read) {
  Integer largest = std::numeric_limits<Integer>::min(), smallest = std::numeric_limits<Integer>::max();
  shown.visit([&](const std::byte* element) {
    largest = std::max(largest, read(element));
    smallest = std::min(smallest, read(element));
  });
  const char sign = shown.options.sign == ' ' && std::cmp_less(smallest, 0) ? '-' : shown.options.sign;
  const bool sign_column = sign != '-' && std::cmp_greater_equal(largest, 0);
  const std::size_t width =
      std::max(fmt::formatted_size("{}", largest) + sign_column, fmt::formatted_size("{}", smallest));
  return [read, sign, width](const std::byte* element) {
    const Integer value = read(element);
    const bool prefixed = sign != '-' && std::cmp_greater_equal(value, 0);
    const std::string text = prefixed ? fmt::format("{}{}", sign, value) : fmt::format("{}", value);
    return pad_left(text, static_cast<std::int64_t>(width));
  };
}

element_formatter integer_formatter(const shown_elements& shown, const printed_dtype& dtype) {
  if (dtype.kind == 'i')
    return integer_formatter<std::int64_t>(
        shown, [&dtype](const std::byte* element) { return read_signed(dtype, element); });
  return integer_formatter<std::uint64_t>(
      shown, [&dtype](const std::byte* element) { return read_unsigned(dtype, element); });
}

/// The layout of the numbers that lie `offset` bytes into the elements.
floating_format floating_format_of(const shown_elements& shown, const float_type& type, int offset,
                                   char sign) {
  std::vector<binary_float> numbers;
  shown.visit([&](const std::byte* element) { numbers.push_back(decode(type, element + offset)); });
  return floating_format(type, numbers, shown.options, sign);
}

element_formatter floating_formatter(const shown_elements& shown, const float_type& type) {
  return [&type, format = floating_format_of(shown, type, 0, shown.options.sign)](const std::byte* element) {
    return format(decode(type, element));
  };
}

element_formatter complex_formatter(const shown_elements& shown, const float_type& type) {
  return [&type, real = floating_format_of(shown, type, 0, shown.options.sign),
          imaginary = floating_format_of(shown, type, type.item_size(), '+')](const std::byte* element) {
    std::string text = imaginary(decode(type, element + type.item_size()));
    text.insert(without_trailing_space(text).size(), 1, 'j');
    return real(decode(type, element)) + text;
  };
}

}  // namespace

element_formatter make_element_formatter(const host_view& view, const print_options& options,
                                         bool summarise) {
  const printed_dtype& dtype = find_printed_dtype(view.dtype_code);
  const shown_elements shown{view, options, summarise};
  switch (dtype.kind) {
    case 'b':
      return bool_formatter(view);
    case 'f':
      return floating_formatter(shown, part_type(dtype.code));
    case 'c':
      return complex_formatter(shown, part_type(dtype.code));
    default:
      return integer_formatter(shown, dtype);
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
