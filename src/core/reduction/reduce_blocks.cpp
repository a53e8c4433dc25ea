#include <algorithm>
#include <optional>
#include <vector>

#include <core/array/evaluate.hpp>
#include <core/array/reduction_plan.hpp>
#include <core/array/temporary.hpp>
#include <core/array/turns.hpp>
#include <core/reduction/pending_reductions.hpp>
#include <core/reduction/reduction.hpp>
#include <core/runtime/stream_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// More elements than 32-bit indices count would be computed into memory first.
constexpr std::int64_t most_elements = std::int64_t{1} << 31;

void enqueue(reduction r, const array_rep* source, dtype element, const detail::axis_blocks& all, queue q) {
  const std::int64_t lines = source->size / source->shape[static_cast<std::size_t>(all.axis)],
                     at_once = std::max<std::int64_t>((most_elements - 1) / (lines * all.block), 1);
  for (std::int64_t done = 0; done < all.count; done += at_once) {
    detail::axis_blocks some = all;
    some.first += done * all.block;
    some.count = std::min(at_once, all.count - done);
    reduce_plan plan;
    make_reduce_plan(plan, r, source, element, some);
    plan.out.data = static_cast<std::byte*>(plan.out.data) +
                    done * all.out.rep()->strides[static_cast<std::size_t>(all.axis)];
    backend_of(source->device_).reduce(plan, q);
  }
  record_use(all.out.rep()->memory, q);
}

/// The blocks of an axis are an axis more: where there are as many as there may be, one of size 1 gives way.
/// None if there is none; then there are more elements than memory has had room for yet.
std::optional<std::size_t> axis_to_spare(const dims& shape, std::span<const detail::axis_blocks> parts) {
  for (std::size_t a = 0; a < shape.size() && shape.size() == max_ndim; ++a)
    if (shape[a] == 1 &&
        std::ranges::find(parts, static_cast<int>(a), &detail::axis_blocks::axis) == parts.end())
      return a;
  return {};
}

any_array without_axis(const any_array& a, std::size_t axis) {
  const array_rep* const rep = computed(a);
  dims shape = rep->shape, strides = rep->strides;
  shape.erase(axis);
  strides.erase(axis);
  return make_view(rep, rep->type, shape, strides, 0);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

void reduce_blocks(reduction r, const argument& source, gparray::dtype element,
                   std::span<const axis_blocks> parts) {
  auto* const rep = const_cast<array_rep*>(rep_of(*source.array));
  if (const auto spare = axis_to_spare(rep->shape, parts)) {
    const auto axis = static_cast<int>(*spare);
    std::vector<axis_blocks> fewer(parts.begin(), parts.end());
    for (axis_blocks& part : fewer) {
      part.out = without_axis(part.out, *spare);
      part.last -= axis < part.last;
      part.axis -= axis < part.axis;
    }
    return reduce_blocks(r, named(without_axis(*source.array, *spare)), element, fewer);
  }
  if (rolls(rep) || is_longer_than_kernel(rep)) source.array->eval();
  argument read = source;
  read.fuse = is_temporary(source, rep);
  consuming(read, [&] {
    const auto lock = hold_expression(rep);
    compute_names_of_operand(
        rep, [&](reduce_plan& plan) { make_reduce_plan(plan, r, rep, element, parts.front()); });
    const queue q = current_queue(rep->device_);
    for (const axis_blocks& part : parts) enqueue(r, rep, element, part, q);
    record_uses(rep, q);
  });
}

}  // namespace detail
GPARRAY_END_NAMESPACE
