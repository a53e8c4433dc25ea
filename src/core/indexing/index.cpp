// Basic indexing: from items or text to a view.
#include <charconv>
#include <memory_resource>
#include <vector>

#include <core/array/array_rep.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/unstored_names.hpp>
#include <core/indexing/index.hpp>
#include <gparray/indexing/index.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

std::int64_t resolve_index(std::int64_t i, std::int64_t n, int axis) {
  if (i < -n || i >= n) fail<index_error>("index {} is out of bounds for axis {} with size {}", i, axis, n);
  return i < 0 ? i + n : i;
}

namespace {

using detail::index_item;
using kind_type = index_item::kind_type;

/// Reads NumPy's index text, item by item.
class index_parser {
 public:
  explicit index_parser(std::string_view text, std::span<const detail::slice_end> numbers = {})
      : text_(text), numbers_(numbers) {}

  template<class List>
  List parse(List items) {
    skip();
    if (at_ == text_.size()) fail_here("an index");
    for (;;) {
      items.push_back(item());
      skip();
      if (at_ == text_.size()) return finished(std::move(items));
      if (!accept(",")) fail_here("','");
      skip();
      // one trailing comma, as in a Python tuple
      if (at_ == text_.size()) return finished(std::move(items));
    }
  }
  /// Numbers that no "{}" asks for are items.
  template<class List>
  List finished(List items) const {
    const bool asks = text_.find("{}") != text_.npos;
    if (asks && used_ != numbers_.size()) fail_count();
    if (!asks)
      for (const detail::slice_end& number : numbers_) {
        if (!number.given) fail_count();
        items.push_back(number.value);
      }
    return items;
  }

 private:
  index_item item() {
    if (at_ < text_.size() && std::string_view(".Nn").find(text_[at_]) != std::string_view::npos) {
      if (accept("...")) return ellipsis;
      if (accept("None") || accept("newaxis")) return newaxis;
    }
    const detail::slice_end start = number();
    skip();
    if (!accept(":")) {
      if (!start.given) fail_here("a number, ':', '...' or 'None'");
      return start.value;
    }
    skip();
    const detail::slice_end stop = number();
    skip();
    detail::slice_end step = none;
    if (accept(":")) {
      skip();
      step = number();
    }
    return slice(start, stop, step);
  }

  detail::slice_end number() {
    if (at_ < text_.size() && text_[at_] == '+') ++at_;
    if (accept("{}")) {
      if (used_ == numbers_.size()) fail_count();
      return numbers_[used_++];
    }
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status == std::errc::invalid_argument) return none;
    if (status != std::errc()) fail_here("a number of 64 bits");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  bool accept(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  [[noreturn]] void fail_count() const {
    std::size_t wanted = 0;
    for (std::size_t i = text_.find("{}"); i != text_.npos; i = text_.find("{}", i + 2)) ++wanted;
    fail<value_error>("index \"{}\" has {} {{}} for {} numbers", text_, wanted, numbers_.size());
  }
  [[noreturn]] void fail_here(std::string_view expected) const {
    fail<value_error>("index \"{}\": expected {} at position {}", text_, expected, at_);
  }

  std::string_view text_;
  std::span<const detail::slice_end> numbers_;
  std::size_t at_ = 0, used_ = 0;
};

/// Throws index_error.
index_map map_of(const dims& base, std::span<const index_item> items) {
  const int ndim = static_cast<int>(base.size());
  int used = 0, ellipses = 0;
  for (const index_item& i : items) {
    used += i.kind == kind_type::integer || i.kind == kind_type::slice;
    ellipses += i.kind == kind_type::ellipsis;
  }
  if (ellipses > 1) throw index_error("an index can only have a single ellipsis ('...')");
  if (used > ndim)
    fail<index_error>("too many indices for array: array is {}-dimensional, but {} were indexed", ndim, used);
  index_map map(ndim);
  int d = 0;
  const auto keep = [&](std::int64_t size, std::int64_t step, std::int64_t offset) {
    map.at[d++] = {static_cast<int>(map.shape.size()), step, offset};
    map.shape.push_back(size);
  };
  const auto keep_others = [&] {
    for (int i = 0; i < ndim - used; ++i) keep(base[static_cast<std::size_t>(d)], 1, 0);
  };
  for (const index_item& i : items) {
    switch (i.kind) {
      case kind_type::newaxis:
        map.shape.push_back(1);
        break;
      case kind_type::ellipsis:
        keep_others();
        break;
      case kind_type::integer:
        map.at[d] = {-1, 0, resolve_index(i.number, base[static_cast<std::size_t>(d)], d)};
        ++d;
        break;
      case kind_type::slice: {
        const resolved_slice s = resolve_slice(i.range, base[static_cast<std::size_t>(d)]);
        keep(s.count, s.count > 1 ? s.step : 1, s.count > 0 ? s.start : 0);
      }
    }
  }
  if (ellipses == 0) keep_others();
  return map;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

namespace {

/// The rep, computed; where a kernel takes longer to begin than to run, together with the names below it.
const array_rep* with_small_names(const any_array& a) {
  constexpr std::int64_t few_elements = 1 << 16;
  const array_rep* const rep = shaped(a);
  if (rep->device_.is_cpu() || rep->size > few_elements || !is_pending(rep)) return computed(a);
  const storing_names all;
  return computed(a);
}

}  // namespace

any_array basic_index(const any_array& a, std::span<const index_item> items) {
  const dims& base = shaped(a)->shape;
  const index_map map = map_of(base, items);
  if (any_array later = view_later(a, map); later.rep()) return later;
  const array_rep* rep = with_small_names(a);
  return make_view(rep, rep->type, map.shape, map.strides(rep->strides), map.offset(rep->strides));
}

any_array tuple_index(const any_array& a, const dims& index) {
  const std::vector<index_item> items(index.begin(), index.end());
  return basic_index(a, items);
}

resolved_slice resolve_slice(const slice& s, std::int64_t n) {
  const std::int64_t step = s.step.given ? s.step.value : 1;
  if (step == 0) throw value_error("slice step cannot be zero");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  const auto clamp = [&](const slice_end& end, std::int64_t open) {
    if (!end.given) return open;
    return std::clamp(end.value < 0 ? end.value + n : end.value, low, high);
  };
  const std::int64_t start = clamp(s.start, step > 0 ? low : high),
                     stop = clamp(s.stop, step > 0 ? high : low);
  const std::int64_t distance = step > 0 ? stop - start : start - stop;
  // Unsigned division: -step overflows for the smallest integer.
  const auto stride = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return {
      start, step,
      distance <= 0 ? 0 : static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / stride) + 1};
}

std::vector<index_item> parse_index(std::string_view text, std::span<const slice_end> numbers) {
  return index_parser(text, numbers).parse(std::vector<index_item>());
}

index_item parse_item(std::string_view text) {
  const std::vector<index_item> items = parse_index(text);
  if (items.size() != 1) fail<value_error>("index \"{}\": expected one item beside others", text);
  return items[0];
}

parsed_slice parse_slice(std::string_view text, std::span<const slice_end> numbers) {
  const auto items = parse_index(text, numbers);
  if (items.size() != 1 || items[0].kind != kind_type::slice)
    fail<value_error>("slice \"{}\": expected start:stop:step", text);
  return {items[0].range.start, items[0].range.stop, items[0].range.step};
}

any_array basic_index(const any_array& a, std::string_view text, std::span<const slice_end> numbers) {
  // Room on the stack for what nearly every index is.
  alignas(index_item) std::byte room[8 * sizeof(index_item)];
  std::pmr::monotonic_buffer_resource memory(room, sizeof room);
  std::pmr::vector<index_item> items(&memory);
  items.reserve(8);
  return basic_index(a, index_parser(text, numbers).parse(std::move(items)));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
