#include <optional>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/linalg/small.hpp>
#include <core/linalg/stack.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/products.hpp>
#include <core/runtime/result_slot.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// More right sides than this are better solved as one matrix.
constexpr std::int64_t most_columns = 64;
constexpr std::int64_t most_matrices = std::int64_t{1} << 30;

bool is_small(const any_array& a, dtype type) {
  if (a.device().is_cpu() || a.size() == 0) return false;
  const linalg_engine* const engine = backend_of(a.device()).linalg();
  return engine && a.shape(-1) <= engine->largest_small(type);
}

/// Matrices at even distances: those of an array, or of a copy of it.
struct even_stack {
  even_stack(const any_array& a, const dims& batch) : array(a) {
    if (read(batch)) return;
    array = detail::in_order(detail::broadcast_to(a, with_axes(batch, {a.shape(-2), a.shape(-1)})), order::C);
    read(batch);
  }

  any_array array;
  strided_stack stack;

 private:
  bool read(const dims& batch) {
    const array_rep* const rep = computed(array);
    const auto size = static_cast<std::int64_t>(itemsize(rep->type));
    for (const std::int64_t stride : rep->strides)
      if (stride % size != 0) return false;
    dims outer = rep->strides;
    outer.resize(outer.size() - 2);
    const dims strides = broadcast_strides(batch_of(array), outer, batch);
    std::int64_t step = 0, next = 0;
    bool is_first = true;
    for (std::size_t d = batch.size(); d-- > 0;) {
      if (batch[d] == 1) continue;
      if (is_first) step = strides[d];
      else if (strides[d] != next) return false;
      next = strides[d] * batch[d];
      is_first = false;
    }
    const std::size_t ndim = rep->strides.size();
    stack = {rep->data, step / size, rep->strides[ndim - 2] / size, rep->strides[ndim - 1] / size};
    return true;
  }
};

small_task task_of(small_operation what, dtype type, const even_stack& a, const dims& batch) {
  small_task task{};
  task.what = what;
  task.type = type;
  task.n = static_cast<std::int32_t>(a.array.shape(-1));
  task.count = static_cast<std::int32_t>(count_of(batch));
  task.a = a.stack;
  return task;
}

/// If there is a text, waits, and throws linalg_error with it for the first matrix that has no answer.
void run_small(small_task& task, const dims& batch, std::initializer_list<const any_array*> arrays,
               const char* text) {
  const device where = (*arrays.begin())->device();
  backend& own = backend_of(where);
  const queue q = current_queue(where);
  const auto enqueue = [&](void* failed) {
    task.failed = static_cast<std::int32_t*>(failed);
    own.linalg()->run_small(task, q);
    for (const any_array* array : arrays) record_uses(array->rep(), q);
  };
  if (!text) return enqueue(nullptr);
  std::int32_t failed = 0;
  std::optional<result_slot> slot;
  if (task.count == 1) slot.emplace(where, sizeof failed);
  if (slot && *slot) {
    enqueue(slot->data());
    slot->take(&failed);
  } else {
    const any_array word = allocate(dtype::int32, {}, where);
    enqueue(word.rep()->data);
    own.read(&failed, word.rep()->data, sizeof failed, q);
  }
  if (failed != 0) fail<linalg_error>("{}{}", text, index_in_batch(task.count - failed, batch));
}

}  // namespace

any_array solved_small(const detail::argument& a, const detail::argument* b, dtype type, bool check) {
  if (!is_small(*a.array, type)) return {};
  const std::int64_t n = a.array->shape(-1);
  const bool is_vector = b && b->array->ndim() == 1;
  const std::int64_t columns = !b ? n : is_vector ? 1 : b->array->shape(-1);
  const dims batch_of_a = batch_of(*a.array), batch_of_b = b && !is_vector ? batch_of(*b->array) : dims{};
  const dims* const batches[] = {&batch_of_a, &batch_of_b};
  const dims batch = broadcast_shapes(batches);
  const std::int64_t count = count_of(batch);
  if (columns == 0 || columns > most_columns || count == 0 || count > most_matrices) return {};

  const even_stack matrices(product_operand(a, type), batch);
  small_task task = task_of(small_operation::solve, type, matrices, batch);
  task.columns = static_cast<std::int32_t>(columns);
  const any_array result = allocate(type, with_axes(batch, {n, columns}), a.array->device());
  task.out = result.rep()->data;
  const char* const text = check ? "Singular matrix" : nullptr;
  if (b) {
    const any_array sides = product_operand(*b, type);
    const even_stack right(is_vector ? insert_axis(sides, 1) : sides, batch);
    task.b = right.stack;
    run_small(task, batch, {&result, &matrices.array, &right.array}, text);
  } else {
    run_small(task, batch, {&result, &matrices.array}, text);
  }
  return is_vector ? reshaped(result, with_axes(batch, {n})) : result;
}

std::array<any_array, 2> determinants_of_small(const detail::argument& a, dtype type, bool logarithms) {
  if (!is_small(*a.array, type)) return {};
  const dims batch = batch_of(*a.array);
  if (count_of(batch) > most_matrices) return {};
  const even_stack matrices(product_operand(a, type), batch);
  std::array<any_array, 2> result{allocate(type, batch, a.array->device())};
  small_task task = task_of(small_operation::determinants, type, matrices, batch);
  task.out = result[0].rep()->data;
  if (logarithms) {
    result[1] = allocate(real_dtype(type), batch, a.array->device());
    task.logarithms = result[1].rep()->data;
    run_small(task, batch, {&result[0], &result[1], &matrices.array}, nullptr);
  } else {
    run_small(task, batch, {&result[0], &matrices.array}, nullptr);
  }
  return result;
}

any_array cholesky_of_small(const detail::argument& a, dtype type, bool upper) {
  if (!is_small(*a.array, type)) return {};
  const dims batch = batch_of(*a.array);
  if (count_of(batch) > most_matrices) return {};
  const even_stack matrices(product_operand(a, type), batch);
  const any_array result = allocate(type, a.array->shape(), a.array->device());
  small_task task = task_of(small_operation::cholesky, type, matrices, batch);
  task.upper = upper;
  task.out = result.rep()->data;
  run_small(task, batch, {&result, &matrices.array}, "Matrix is not positive definite");
  return result;
}

}  // namespace core
GPARRAY_END_NAMESPACE
