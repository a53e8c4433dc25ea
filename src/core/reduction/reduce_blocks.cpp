#include <algorithm>

#include <core/array/evaluate.hpp>
#include <core/array/reduction_plan.hpp>
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

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

void reduce_blocks(reduction r, const argument& source, gparray::dtype element,
                   std::span<const axis_blocks> parts) {
  auto* const rep = const_cast<array_rep*>(rep_of(*source.array));
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
