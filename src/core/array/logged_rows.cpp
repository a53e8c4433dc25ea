// Arrays that turns of a loop read one after the other, as the rows of another array: in a log they are one
// operand and the distance between them.
#include <algorithm>
#include <cstring>

#include <core/array/plan_size.hpp>
#include <core/array/step_log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

bool lies_alike(const array_rep* a, const array_rep* b) {
  return a->memory == b->memory && a->type == b->type && a->shape == b->shape && a->strides == b->strides;
}

}  // namespace

int step_log::next_row(pending_list& home, row_series& rows) {
  if (rows.n_rows == static_cast<int>(std::size(rows.loads))) return -1;
  const int row = rows.n_rows++, before = row > 0 ? rows.loads[row - 1] : -1;
  // A load's address is the step in front of it.
  const int address_of[] = {row > 0 ? step_base + before - 1 : rows.operand, rows.distance_operand};
  note& address = add(ufunc::add, dtype::int64, address_of, 2, 0);
  const int value = step_base + count.load(std::memory_order_relaxed) - 1;
  note& load = add(ufunc::load, operands[rows.operand].array->type, &value, 1, 0);
  address.series = load.series = static_cast<std::int8_t>(&rows - series);
  address.row = load.row = static_cast<std::int16_t>(row);
  const int at = count.load(std::memory_order_relaxed) - 1;
  rows.loads[row] = static_cast<std::int16_t>(at);
  home.all.steps += 2;
  if (row > 1) expect_period(at - before);
  return step_base + at;
}

int step_log::find_row(pending_list& home, const array_rep* array) {
  for (int i = 0; i < n_series; ++i) {
    row_series& rows = series[i];
    if (rows.operand < 0 || !lies_alike(operands[rows.operand].array, array)) continue;
    const std::int64_t bytes = array->data - operands[rows.operand].array->data, row = bytes / rows.distance;
    if (row < 0 || row > rows.n_rows || bytes != row * rows.distance) continue;
    if (row < rows.n_rows) return step_base + rows.loads[row];
    note_reader(array->memory, &home);
    return next_row(home, rows);
  }
  return -1;
}

std::optional<std::pair<step_log::row_series*, int>> step_log::row_behind(const note& load,
                                                                          const array_rep* array) {
  row_series& rows = series[load.series];
  const array_rep* const first = operands[rows.operand].array;
  const int row = load.row + 1;
  if (row == static_cast<int>(std::size(rows.loads))) return std::nullopt;
  if (array->data != first->data + row * rows.distance || !lies_alike(first, array)) return std::nullopt;
  return std::pair(&rows, row);
}

int step_log::begin_series(pending_list& home, array_rep* array) {
  row_series* const unused = std::ranges::find_if(series, series + n_series,
                                                  [](const row_series& rows) { return rows.operand < 0; });
  if (unused == series + most_series || !has_room(1, 1)) return -1;
  // The nearest array behind which another one is as far away.
  std::int64_t distance = 0;
  const auto lies_at = [&](const std::byte* data) {
    for (int i = 0; i < n_operands; ++i)
      if (operands[i].array && !is_address(i) && operands[i].array->data == data &&
          lies_alike(operands[i].array, array))
        return true;
    return false;
  };
  for (int i = 0; i < n_operands; ++i) {
    const array_rep* const before = operands[i].array;
    if (!before || is_address(i) || !lies_alike(before, array)) continue;
    const std::int64_t bytes = array->data - before->data;
    if (bytes == 0) return i;
    if ((distance == 0 || std::abs(bytes) < std::abs(distance)) && lies_at(before->data - bytes))
      distance = bytes;
  }
  if (distance == 0) return -1;
  scalar_bits bits{};
  std::memcpy(bits.bytes, &distance, sizeof distance);
  n_series = std::max(n_series, static_cast<int>(unused - series) + 1);
  row_series& rows = *unused;
  rows.distance = distance;
  rows.distance_operand = number(home, dtype::int64, bits, dtype::int64);
  rows.n_rows = 0;
  note_reader(array->memory, &home);
  retain(array);
  ++home.all.inputs;
  addresses.set(static_cast<std::size_t>(n_operands));
  operands[n_operands] = {array, array->type, {}};
  rows.operand = n_operands++;
  return next_row(home, rows);
}

int step_log::operand_or_row(pending_list& home, array_rep* array) {
  if (!may_have_rows) return operand(home, array);
  if (const int row = find_row(home, array); row >= 0) return row;
  if (const int row = begin_series(home, array); row >= 0) return row;
  return operand(home, array);
}

any_array step_log::row_of(const row_series& rows, int row) const {
  const array_rep* const first = operands[rows.operand].array;
  return make_view(first, first->type, first->shape, first->strides, row * rows.distance);
}

}  // namespace core
GPARRAY_END_NAMESPACE
