// Windows: what stands between the parentheses of a(...).
#include <charconv>

#include <distributed/arrays/node.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace gd = gparray::detail;

namespace {

using part = gd::index_item;

/// [start, stop) as Python's slice.indices has them.
window_axis resolved(const slice& s, std::int64_t n) {
  const std::int64_t step = s.step.given ? s.step.value : 1;
  if (step == 0) throw value_error("slice step cannot be zero");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  const auto clamped = [&](const gd::slice_end& end, std::int64_t otherwise) {
    if (!end.given) return otherwise;
    return std::clamp(end.value < 0 ? end.value + n : end.value, low, high);
  };
  const std::int64_t start = clamped(s.start, step > 0 ? low : high),
                     stop = clamped(s.stop, step > 0 ? high : low);
  const std::int64_t span = step > 0 ? stop - start : start - stop, each = step > 0 ? step : -step;
  return {window_axis::kind_type::slice, start, step, span > 0 ? (span + each - 1) / each : 0};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

part parsed(std::string_view text, std::string_view all) {
  if (text == "...") return ellipsis;
  if (text == "None" || text == "newaxis") return newaxis;
  if (text.find(':') != text.npos) return slice(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    core::fail<value_error>("'{}' is no index of a sharded array", all);
  return number;
}

}  // namespace

node_ptr indexed(const node_ptr& a, std::span<const part> items) {
  const auto* here = dynamic_cast<const leaf*>(a.get());
  node_ptr kept = a;
  if (!here || !here->whole() || here->items().size() != here->of()->where()->axes.size() ||
      here->where.shape != here->of()->where()->shape) {
    kept = node_of(
        here ? std::make_shared<shard>(std::make_shared<const placement>(a->where), evaluated(*a, a->where))
             : stored(*a));
    here = dynamic_cast<const leaf*>(kept.get());
  }
  const placement& of = *here->of()->where();
  std::size_t used = 0;
  bool has_ellipsis = false;
  for (const part& i : items) {
    used += i.kind == part::kind_type::integer || i.kind == part::kind_type::slice;
    if (i.kind == part::kind_type::ellipsis && std::exchange(has_ellipsis, true))
      throw index_error("an index can only have a single ellipsis ('...')");
  }
  if (used > of.axes.size())
    core::fail<index_error>("too many indices for array: array is {}-dimensional, but {} were indexed",
                            of.axes.size(), used);
  std::vector<window_axis> window;
  std::size_t axis = 0;
  const auto whole_axes = [&](std::size_t count) {
    for (; count > 0; --count, ++axis)
      window.push_back({window_axis::kind_type::slice, 0, 1, of.shape[axis]});
  };
  for (const part& i : items) {
    switch (i.kind) {
      case part::kind_type::newaxis:
        window.push_back({window_axis::kind_type::newaxis, 0, 1, 1});
        break;
      case part::kind_type::ellipsis:
        whole_axes(of.axes.size() - used);
        break;
      case part::kind_type::integer: {
        const std::int64_t n = of.shape[axis];
        if (i.number < -n || i.number >= n)
          core::fail<index_error>("index {} is out of bounds for axis {} with size {}", i.number, axis, n);
        window.push_back({window_axis::kind_type::number, i.number < 0 ? i.number + n : i.number, 1, 1});
        ++axis;
        break;
      }
      case part::kind_type::slice: {
        const window_axis cut = resolved(i.range, of.shape[axis]);
        if (cut.step != 1 && !of.axes[axis].whole())
          core::fail<value_error>(
              "axis {} is cut, and a window along it has step 1, not {}: reshard the array so that another "
              "axis is "
              "cut",
              axis, cut.step);
        window.push_back(cut);
        ++axis;
        break;
      }
    }
  }
  whole_axes(of.axes.size() - axis);
  return std::make_shared<const leaf>(here->of(), std::move(window), 0);
}

node_ptr indexed(const node_ptr& a, std::string_view text, std::span<const gd::slice_end> numbers) {
  // Each "{}" becomes its number, or nothing.
  std::string filled;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "{}") {
      filled += text[i];
      continue;
    }
    if (next == numbers.size())
      core::fail<value_error>("index '{}' asks for more numbers than {}", text, next);
    if (numbers[next].given) filled += std::to_string(numbers[next].value);
    ++next;
    ++i;
  }
  if (next != numbers.size())
    core::fail<value_error>("index '{}' asks for {} numbers, not for {}", text, next, numbers.size());
  std::vector<part> items;
  for (std::string_view rest = filled;;) {
    const std::size_t comma = rest.find(',');
    items.push_back(parsed(trimmed(rest.substr(0, comma)), text));
    if (comma == rest.npos) break;
    rest.remove_prefix(comma + 1);
    if (trimmed(rest).empty()) break;  // a trailing comma
  }
  return indexed(a, items);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
