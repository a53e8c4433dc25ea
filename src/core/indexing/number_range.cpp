#include <algorithm>
#include <cstring>
#include <limits>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/reduction_plan.hpp>
#include <core/indexing/number_range.hpp>
#include <core/runtime/stream_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

using known = std::optional<number_range>;

/// Ends that are no numbers of 64 bits are not known.
known sum(const number_range& a, const number_range& b) {
  number_range r;
  if (__builtin_add_overflow(a.least, b.least, &r.least) ||
      __builtin_add_overflow(a.greatest, b.greatest, &r.greatest))
    return std::nullopt;
  return r;
}

/// A constant argument of a step, if it is an integer that is an index.
std::optional<std::int64_t> integer_of(const node_argument& a) {
  if (kind(a.type) != 'i') return std::nullopt;
  std::int64_t value;
  const scalar_bits bits = convert_scalar(a.value, a.type, dtype::int64);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

std::optional<shifted_index> without_shift(const any_array& index) {
  const array_rep* const rep = index.rep();
  if (!rep || rep->type != dtype::int64 || !is_pending(rep)) return std::nullopt;
  const auto steps = hold_expression(rep);
  const node& n = rep->operation;
  if (!is_pending(rep) || rep->computed_by || n.count != 2 || n.loop != dtype::int64) return std::nullopt;
  const int at = n.op == ufunc::add && !n.arguments[0].array ? 1 : 0;
  array_rep* const other = n.arguments[at].array;
  const node_argument& number = n.arguments[1 - at];
  if ((n.op != ufunc::add && n.op != ufunc::subtract) || !other || other->type != dtype::int64 ||
      number.array)
    return std::nullopt;
  const auto by = integer_of(number);
  if (!by || *by == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  retain(other);
  return shifted_index{any_array::adopt(other), n.op == ufunc::add ? *by : -*by};
}

std::optional<number_range> shifted(const number_range& range, std::int64_t by) {
  return sum(range, {by, by});
}

range_search::range_search(const any_array& index) : index_(index) {
  const array_rep* const rep = computed(index_);
  dims axes;
  for (std::size_t d = 0; d < rep->shape.size(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  std::byte* data = reinterpret_cast<std::byte*>(&found_);
  if (rep->device_.is_cuda()) {
    slot_.emplace(rep->device_, sizeof found_);
    if (!*slot_) {
      slot_.reset();
      memory_ = allocate(dtype::int64, {2}, rep->device_);
    }
    data = slot_ ? slot_->data() : memory_.rep()->data;
  }
  reduce_plan plan;
  make_reduce_plan(plan, reduction::minmax, rep, dtype::int64, reduction_axes(rep->shape, axes, false), 0,
                   data);
  const queue q = current_queue(rep->device_);
  backend_of(rep->device_).reduce(plan, q);
  record_use(rep->memory, q);
}

number_range range_search::take() {
  const array_rep* const rep = index_.rep();
  if (slot_) slot_->take(&found_);
  else if (memory_.rep())
    backend_of(rep->device_).read(&found_, memory_.rep()->data, sizeof found_, current_queue(rep->device_));
  const bool is_all = rep->c_contiguous && rep->data == rep->memory->data &&
                      static_cast<std::size_t>(rep->size) * sizeof(std::int64_t) == rep->memory->bytes;
  if (is_all) remember_numbers(rep->memory, found_);
  return found_;
}

number_range range_of(const any_array& index) { return range_search(index).take(); }

}  // namespace core
GPARRAY_END_NAMESPACE
