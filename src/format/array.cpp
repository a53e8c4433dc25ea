#include "array.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <gparray/error.hpp>

#include "dtype.hpp"
#include "element.hpp"
#include "options.hpp"
#include "shown.hpp"
#include "text.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr std::string_view ellipsis = "...";

/// Words in lines of limited width; every line but the first begins with the indent.
class line_writer {
 public:
  explicit line_writer(std::string indent) : indent_(std::move(indent)), width_(text_width(indent_)) {}

  /// Starts a new line first where the word would pass `limit`, unless the line is still empty.
  void add(std::string_view word, std::int64_t limit) {
    const std::int64_t indent_width = text_width(indent_);
    if (width_ + text_width(word) > limit && width_ > indent_width) {
      text_.resize(without_trailing_space(text_).size());
      text_ += '\n' + indent_;
      width_ = indent_width;
    }
    add_unbroken(word);
  }

  void add_unbroken(std::string_view word) {
    text_ += word;
    width_ += text_width(word);
  }

  std::string take() { return std::move(text_); }

 private:
  std::string indent_, text_;
  std::int64_t width_;
};

struct array_writer {
  const host_view& view;
  const element_formatter& format;
  std::string_view separator;
  bool summarise;
  std::int64_t edgeitems;

  shown_indices shown(int axis) const { return shown_of_axis(view.shape[axis], summarise, edgeitems); }

  /// Calls element(index, is last) for the shown indices of an axis and gap() where some are left out.
  template<class Element, class Gap>
  void walk(int axis, const Element& element, const Gap& gap) const {
    const std::int64_t length = view.shape[axis];
    const auto [leading, trailing, summarised] = shown(axis);
    for (std::int64_t index = 0; index < leading; ++index) element(index, false);
    if (summarised) gap();
    for (std::int64_t index = length - trailing; index < length; ++index) element(index, index == length - 1);
  }

  std::string row(const std::byte* origin, int axis, const std::string& indent, std::int64_t width) const {
    // Leaves room for what follows a word, be it the separator or the closing bracket.
    const std::int64_t limit =
        width - std::max<std::int64_t>(text_width(without_trailing_space(separator)), 1);
    line_writer line(indent);
    walk(
        axis,
        [&](std::int64_t index, bool last) {
          line.add(format(element_at(view, origin, axis, index)), limit);
          if (!last) line.add_unbroken(separator);
        },
        [&] {
          line.add(ellipsis, limit);
          line.add_unbroken(separator);
        });
    return '[' + line.take() + ']';
  }

  /// `indent` is that of the lines inside this axis' brackets; `width` the columns they may reach.
  std::string write(const std::byte* origin, int axis, const std::string& indent, std::int64_t width) const {
    const int axes_left = view.ndim - axis;
    if (axes_left == 0) return format(origin);
    if (axes_left == 1) return row(origin, axis, indent, width);
    std::string between(without_trailing_space(separator));
    between.append(static_cast<std::size_t>(axes_left - 1), '\n') += indent;
    std::string text = "[";
    walk(
        axis,
        [&](std::int64_t index, bool last) {
          text += write(element_at(view, origin, axis, index), axis + 1, indent + ' ', width - 1);
          if (!last) text += between;
        },
        [&] { text.append(ellipsis) += between; });
    return text + ']';
  }
};

bool dtype_is_implied(char code) { return std::string_view("?ldD").find(code) != std::string_view::npos; }

/// Python's text of a tuple.
std::string shape_text(const host_view& view) {
  const std::string sizes = fmt::format("{}", fmt::join(view.shape, view.shape + view.ndim, ", "));
  return fmt::format("({}{})", sizes, view.ndim == 1 ? "," : "");
}

}  // namespace

std::string array2string(const host_view& view, const print_options& options, std::string_view separator,
                         std::string_view prefix, std::string_view suffix) {
  check_print_options(options);
  const std::int64_t count = element_count(view);
  if (count == 0) return "[]";
  const bool summarise = count > options.threshold;
  const element_formatter format = make_element_formatter(view, options, summarise);
  const array_writer writer{view, format, separator, summarise, options.edgeitems};
  const std::string indent(static_cast<std::size_t>(1 + text_width(prefix)), ' ');
  return writer.write(static_cast<const std::byte*>(view.data), 0, indent,
                      options.linewidth - text_width(suffix));
}

std::string array_format(const host_view& view, const print_options& options,
                         const detail::element_format& format) {
  const printed_dtype& dtype = find_printed_dtype(view.dtype_code);
  if (!format.suits(dtype.kind))
    throw value_error(fmt::format("this format is none for {} elements", dtype.name));
  const std::int64_t count = element_count(view);
  if (count == 0) return "[]";
  if (view.ndim == 0) return formatted_element(view.dtype_code, format, view.data);
  const bool summarise = count > options.threshold;
  const element_formatter formatter = make_element_formatter(view, options, summarise, format);
  return array_writer{view, formatter, " ", summarise, options.edgeitems}.write(
      static_cast<const std::byte*>(view.data), 0, " ", options.linewidth);
}

std::string array_str(const host_view& view, const print_options& options) {
  if (view.ndim == 0) return scalar_str(view.dtype_code, view.data);
  return array2string(view, options);
}

std::string array_repr(const host_view& view, const print_options& options) {
  constexpr std::string_view prefix = "array(";
  const std::string text = fmt::format("{}{}", prefix, array2string(view, options, ", ", prefix, ")"));
  const std::int64_t count = element_count(view);
  const bool plain_empty = view.ndim == 1 && count == 0;

  std::string extras;
  if ((count == 0 && !plain_empty) || count > options.threshold) extras = "shape=" + shape_text(view);
  if (!dtype_is_implied(view.dtype_code) || count == 0) {
    if (!extras.empty()) extras += ", ";
    extras.append("dtype=").append(find_printed_dtype(view.dtype_code).name);
  }
  if (extras.empty()) return text + ")";

  // rfind gives npos when there is one line only, and npos + 1 is 0.
  const std::string_view last_line = std::string_view(text).substr(text.rfind('\n') + 1);
  const std::int64_t width = text_width(last_line) + 1 + text_width(extras) + 1;
  const std::string spacer =
      width + 1 > options.linewidth ? std::string("\n").append(prefix.size(), ' ') : std::string(" ");
  return text + "," + spacer + extras + ")";
}

}  // namespace core
GPARRAY_END_NAMESPACE
