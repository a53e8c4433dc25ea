#include <algorithm>
#include <optional>

#include <core/array/loads.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/step_log.hpp>
#include <plan/convert_scalar.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void step_log::begin(const array_rep& like) {
  count.store(0, std::memory_order_relaxed);
  n_operands = n_numbers = n_listed = n_living = n_series = 0;
  period = max_steps;
  alike_from = 0;
  addresses.reset();
  on = like.device_;
  may_have_rows = on.is_cuda() && may_load_later(on);
  stream = like.stream;
  size = like.size;
  shape = like.shape;
  while (spare) detail::destroy_array(std::exchange(spare, spare->next));
  n_spare = 0;
}

int step_log::operand(pending_list& home, array_rep* array) {
  for (int i = 0; i < n_operands; ++i)
    if (operands[i].array == array && !is_address(i)) return i;
  if (!has_room(1, 0)) return -1;
  note_reader(array->memory, &home);
  count_array(home.all, array);
  retain(array);
  operands[n_operands] = {array, array->type, {}};
  return n_operands++;
}

int step_log::number(pending_list& home, dtype type, const scalar_bits& bits, dtype wanted) {
  const node_argument number{nullptr, wanted, type == wanted ? bits : convert_scalar(bits, type, wanted)};
  for (int i = 0; i < n_operands; ++i)
    if (!operands[i].array && is_same_constant(operands[i], number)) return i;
  if (!has_room(0, 1)) return -1;
  count_constant(home.all, number);
  operands[n_operands] = number;
  ++n_numbers;
  return n_operands++;
}

step_log::note& step_log::add(ufunc f, dtype loop, const int* values, int n, std::uint64_t birth) {
  const int at = count.load(std::memory_order_relaxed);
  step& added = steps[at];
  added.user = nullptr;
  added.op = f;
  added.loop = loop;
  added.args = {};
  for (int i = 0; i < n; ++i) added.args[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(values[i]);
  count.store(at + 1, std::memory_order_relaxed);
  alike_from = at + 1;
  notes[at] = {0, birth, nullptr, output_dtype(f, loop), 0, false, false, no_series, 0};
  return notes[at];
}

int step_log::convert(int value, dtype to, std::uint64_t birth) {
  add(ufunc::cast, to, &value, 1, birth).series = conversion;
  return step_base + count.load(std::memory_order_relaxed) - 1;
}

void step_log::expect_turn_of(int at) {
  for (int before = at - 1; before >= std::max(at - longest_turn, 0); --before)
    if (notes[before].statement == notes[at].statement && !notes[before].is_part()) {
      expect_period(at - before);
      return;
    }
}

array_rep* step_log::new_rep_of_step(pending_list& home, dtype type) const {
  array_rep* const rep = new_rep(type, on, shape, size);
  rep->operation.user = nullptr;
  rep->home = &home;
  rep->pending.store(true, std::memory_order_relaxed);
  return rep;
}

void list_logged_names(pending_list& list) noexcept {
  if (!list.log || !list.log->is_in_use()) return;
  step_log& log = *list.log;
  const int count = log.count.load(std::memory_order_relaxed);
  for (int k = log.n_listed; k < count; ++k) {
    const step_log::note& n = log.notes[k];
    if (n.rep && n.is_name && !n.rep->list.load(std::memory_order_relaxed)) attach(list, n.rep);
  }
  log.n_listed = count;
}

void end_name(pending_list& list, array_rep* rep) noexcept {
  list.log->end_name(list, list.log->notes[rep->logged.load(std::memory_order_relaxed)]);
}

namespace {

/// Ends a log if nobody wants what the loop has made. Not in leave_log(), which each step comes to.
[[gnu::noinline]] void end_unwanted_log(pending_list& list) noexcept {
  std::optional<end_of_log> ended;
  const list_lock lock(list);
  step_log& log = *list.log;
  if (log.n_living > 0 || log.is_read || !log.is_in_use()) return;
  for (int k = 0, count = log.count.load(std::memory_order_relaxed); k < count; ++k)
    if (log.notes[k].is_name) log.count_name(list, log.notes[k], -1);
  ended.emplace(log);
}

}  // namespace

dropped leave_log(array_rep* rep) noexcept {
  pending_list& list = *rep->home;
  dropped how = dropped::unused;
  bool is_last = false;
  {
    const list_lock lock(list);
    const int at = rep->logged.load(std::memory_order_relaxed);
    if (at < 0) return how;  // it has been written out meanwhile
    if (rep->references.load(std::memory_order_acquire) > 1) return dropped::shared;
    step_log& log = *list.log;
    step_log::note& n = log.notes[at];
    if (!n.was_used) log.end_name(list, n);
    else if (rep->list.load(std::memory_order_relaxed)) detach(list, rep);
    n.rep = nullptr;
    rep->logged.store(-1, std::memory_order_relaxed);
    is_last = --log.n_living == 0;
    if (log.n_spare < step_log::most_spare) {
      ++log.n_spare;
      rep->next = std::exchange(log.spare, rep);
      how = dropped::kept_for_later;
    }
  }
  if (is_last) [[unlikely]]
    end_unwanted_log(list);
  return how;
}

int references_of_log(const pending_list& list, const array_rep* rep) noexcept {
  if (!list.log) return 0;
  const std::span<const node_argument> operands = list.log->all_operands();
  return static_cast<int>(std::ranges::count(operands, rep, &node_argument::array));
}

}  // namespace core
GPARRAY_END_NAMESPACE
