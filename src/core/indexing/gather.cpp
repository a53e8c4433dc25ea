#include <algorithm>
#include <cstddef>

#include <core/array/evaluate.hpp>
#include <core/array/plan_builder.hpp>
#include <core/indexing/gather.hpp>
#include <core/runtime/result_slot.hpp>
#include <core/runtime/stream_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

struct indexed_side {
  const array_rep* array;  // for its device and memory
  std::byte* data;
  const dims& strides;
};

/// Dimensions are merged where all three arrays allow it, and keep their order, which decides which element
/// is written last.
void run(bool scatters, std::size_t item_bytes, const indexed_side& to, const indexed_side& from,
         const dims& shape, const array_rep* index, const dims& index_strides, const index_range& numbers,
         std::int32_t* any_outside) {
  index_plan plan;
  plan.ndim = 0;
  plan.size = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t n = shape[d];
    plan.size *= n;
    if (n == 1) continue;
    const int last = plan.ndim - 1;
    const bool merges = last >= 0 && plan.to_strides[last] == n * to.strides[d] &&
                        plan.from_strides[last] == n * from.strides[d] &&
                        plan.index_strides[last] == n * index_strides[d];
    const int at = merges ? last : plan.ndim++;
    plan.shape[at] = merges ? plan.shape[at] * n : n;
    plan.to_strides[at] = to.strides[d];
    plan.from_strides[at] = from.strides[d];
    plan.index_strides[at] = index_strides[d];
  }
  if (plan.size == 0) return;
  plan.item_bytes = item_bytes;
  plan.from = from.data;
  plan.to = to.data;
  plan.index = reinterpret_cast<const std::int64_t*>(index->data);
  plan.wrap = numbers.wrap;
  plan.stride = numbers.stride;
  plan.first = numbers.first;
  plan.count = numbers.count;
  plan.unique = numbers.unique;
  plan.any_outside = any_outside;
  const device on_device = to.array->device_;
  const queue q = current_queue(on_device);
  if (scatters) backend_of(on_device).scatter(plan, q);
  else backend_of(on_device).gather(plan, q);
  for (const array_rep* used : {to.array, from.array, index}) record_use(used->memory, q);
}

void run(compact_plan& plan, const array_rep* mask, const array_rep* to, const dims& strides) {
  plan.ndim = 0;
  plan.size = mask->size;
  for (std::size_t d = 0; d < mask->shape.size(); ++d) {
    const std::int64_t n = mask->shape[d];
    if (n == 1) continue;
    const int last = plan.ndim - 1;
    const bool merges = last >= 0 && plan.mask_strides[last] == n * mask->strides[d] &&
                        plan.in.strides[last] == n * strides[d];
    const int at = merges ? last : plan.ndim++;
    plan.shape[at] = merges ? plan.shape[at] * n : n;
    plan.mask_strides[at] = mask->strides[d];
    plan.in.strides[at] = strides[d];
  }
  plan.mask = mask->data;
  plan.out = to->data;
  const queue q = current_queue(mask->device_);
  backend_of(mask->device_).compact(plan, q);
  record_use(mask->memory, q);
  record_use(to->memory, q);
}

}  // namespace

void gather_elements(const array_rep* to, const dims& to_strides, const array_rep* from,
                     std::int64_t from_offset, const dims& from_strides, const dims& shape,
                     const array_rep* index, const dims& index_strides, const index_range& numbers,
                     std::int32_t* any_outside) {
  run(false, itemsize(to->type), {to, to->data, to_strides},
      {from, place_in(from, from_offset), from_strides}, shape, index, index_strides, numbers, any_outside);
}

void scatter_elements(const array_rep* to, std::int64_t to_offset, const dims& to_strides,
                      const array_rep* from, const dims& from_strides, const dims& shape,
                      const array_rep* index, const dims& index_strides, const index_range& numbers) {
  run(true, itemsize(to->type), {to, place_in(to, to_offset), to_strides}, {from, from->data, from_strides},
      shape, index, index_strides, numbers, nullptr);
}

namespace {

/// Of so few a CPU counts the true elements before a plan to count them is made.
constexpr std::int64_t counted_at_once = 1024;

}  // namespace

std::int64_t count_true(const array_rep* mask) {
  if (mask->size == 0) return 0;
  if (mask->device_.is_cpu() && mask->c_contiguous && mask->size <= counted_at_once)
    return mask->size - std::count(mask->data, mask->data + mask->size, std::byte{0});
  std::int64_t count;
  result_slot slot(mask->device_, sizeof count);
  const any_array total = slot ? any_array() : allocate(dtype::int64, {}, mask->device_);
  reduce_plan plan;
  plan_builder builder(plan.map, mask->shape);
  const int value = builder.array(mask);
  plan.op = reduction::count_nonzero;
  plan.element = dtype::bool_;
  plan.n_out = 1;
  plan.n_reduced = mask->size;
  plan.ddof = 0;
  plan.out.data = slot ? slot.data() : total.rep()->data;
  plan.out.type = dtype::int64;
  std::fill_n(plan.out.strides, mask->shape.size(), 0);
  dims axes;
  for (std::size_t d = 0; d < mask->shape.size(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  plan.n_kept = builder.finish_reduction(value, axes, 0, true, mask->strides, plan.out);
  const queue q = current_queue(mask->device_);
  backend& b = backend_of(mask->device_);
  b.reduce(plan, q);
  record_use(mask->memory, q);
  if (slot) slot.take(&count);
  else b.read(&count, total.rep()->data, sizeof count, q);
  return count;
}

any_array compact_elements(const array_rep* mask, std::int64_t count, const array_rep* from,
                           std::int64_t offset, const dims& strides) {
  const any_array result = allocate(from->type, count, from->device_);
  if (count == 0) return result;
  compact_plan plan;
  plan.item_bytes = itemsize(from->type);
  plan.in.kind = input_kind::array;
  plan.in.type = from->type;
  plan.in.data = place_in(from, offset);
  run(plan, mask, result.rep(), strides);
  record_use(from->memory, current_queue(mask->device_));
  return result;
}

any_array compact_indices(const array_rep* mask, std::int64_t count, const dims& units) {
  const any_array result = allocate(dtype::int64, count, mask->device_);
  if (count == 0) return result;
  compact_plan plan;
  plan.item_bytes = sizeof(std::int64_t);
  plan.in.kind = input_kind::iota;
  plan.in.type = dtype::int64;
  plan.in.first = 0;
  run(plan, mask, result.rep(), units);
  return result;
}

}  // namespace core
GPARRAY_END_NAMESPACE
