#include <algorithm>

#include <core/array/unstored_names.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

thread_local constinit lasting<bool> all_are_stored = false;

bool is_division_of_integers(const node& n) {
  return (n.op == ufunc::floor_divide || n.op == ufunc::remainder || n.op == ufunc::fmod) &&
         !is_inexact(n.loop);
}

/// What an operation costs an element, in exact ones (a sum, a comparison). Memory takes time on a GPU, so it
/// computes a logarithm in the time of a store; on a CPU it does not. A GPU divides integers by a loop.
int cost_of(const node& n, bool on_gpu) {
  constexpr int too_much = 1000;
  if (n.op == ufunc::user) return too_much;
  if (n.op == ufunc::load) return on_gpu ? 8 : too_much;
  if (on_gpu && is_division_of_integers(n)) return itemsize(n.loop) > sizeof(float) ? too_much : 20;
  if (detail::is_exact(n.op, n.loop)) return 1;
  if (!on_gpu) return too_much;
  return itemsize(n.loop) > sizeof(float) ? 20 : 8;
}

/// About how many instructions of a GPU's it is.
int instructions_of(const node& n) {
  const bool is_wide = itemsize(n.loop) > sizeof(float);
  if (n.op == ufunc::cast) return is_inexact(n.loop) == is_inexact(n.arguments[0].type) ? 1 : 8;
  if (n.op == ufunc::divide || n.op == ufunc::sqrt) return is_wide ? 32 : 8;
  if (is_division_of_integers(n)) return is_wide ? 64 : 16;
  if (detail::is_exact(n.op, n.loop)) return is_wide ? 2 : 1;
  return is_wide ? 128 : 16;
}

constexpr int most_cost_on_cpu = 4, most_cost_on_gpu = 40;

/// What a name would have to read and to compute if it were computed again.
class anew {
 public:
  anew(const array_rep* name, std::span<array_rep* const> stored)
      : size_(name->size), on_gpu_(name->device_.is_cuda()), stored_(stored) {
    add(name);
  }

  int cost() const { return cost_; }
  int instructions() const { return instructions_; }
  /// Arrays and constants, each as often as it is used.
  int inputs() const { return n_inputs_; }
  bool is_cheap() const { return cost_ <= (on_gpu_ ? most_cost_on_gpu : most_cost_on_cpu); }
  /// Arrays as large as the name; several parts of one are in a cache.
  int arrays() const { return n_arrays_; }

 private:
  static constexpr int most_arrays = 3;

  void add(const array_rep* rep) {
    const node& n = rep->operation;
    cost_ += cost_of(n, on_gpu_);
    instructions_ += instructions_of(n);
    if (const array_rep* a = rep->loads_from.rep()) add_array(a);
    for (int i = 0; i < n.count && is_cheap(); ++i) {
      const array_rep* const a = n.arguments[i].array;
      if (!a) {
        ++n_inputs_;
        continue;
      }
      const bool is_step = a->pending.load(std::memory_order_acquire) && !is_apart(a, rep) &&
                           std::ranges::find(stored_, a) == stored_.end();
      if (is_step) {
        add(a);
        continue;
      }
      ++n_inputs_;
      if (a->size > size_ / 8) add_array(a);
    }
  }
  void add_array(const array_rep* a) {
    const void* const memory = a->memory ? static_cast<const void*>(a->memory) : a;
    if (std::find(known_, known_ + std::min(n_arrays_, most_arrays), memory) !=
        known_ + std::min(n_arrays_, most_arrays))
      return;
    if (n_arrays_ < most_arrays) known_[n_arrays_] = memory;
    ++n_arrays_;
  }

  std::int64_t size_;
  bool on_gpu_;
  std::span<array_rep* const> stored_;
  int cost_ = 0, instructions_ = 0, n_arrays_ = 0, n_inputs_ = 0;
  const void* known_[most_arrays];
};

}  // namespace

storing_names::storing_names() noexcept : before_(std::exchange(all_are_stored, true)) {}
storing_names::~storing_names() { all_are_stored = before_; }

bool stays_pending(const array_rep* name, std::span<array_rep* const> stored) {
  // A recording's names are computed in it.
  if (all_are_stored || name->computed_by || recording_on(any_device)) return false;
  const anew again(name, stored);
  if (!again.is_cheap()) return false;
  // One array is read as quickly as the name would be, and names are seldom used more than once.
  const bool costs_nothing = again.arrays() <= 1 && (name->device_.is_cuda() || again.cost() <= 2);
  return costs_nothing || (again.arrays() <= 3 && !name->was_used.load(std::memory_order_relaxed));
}

bool is_cheap_above(const array_rep* name, std::span<array_rep* const> stored) {
  return !stored.empty() && anew(name, stored).cost() <= 2;
}

bool is_cheap_to_repeat(const array_rep* operand, std::int64_t elements) {
  if (operand->size == 0) return false;
  if (operand->roll) return true;  // it is read where it is used
  const anew again(operand, {});
  // An element stored and read by a GPU takes the time of some 60 operations.
  const std::int64_t most = operand->device_.is_cuda() ? 64 : 16;
  return again.is_cheap() && again.cost() * ((elements - 1) / operand->size + 1) <= most;
}

bool is_cheap_to_broadcast(const array_rep* operand, std::int64_t elements, bool is_temporary) {
  if (is_cheap_to_repeat(operand, elements)) return true;
  if (!is_temporary || operand->device_.is_cpu() || operand->size == 0) return false;
  // A GPU carries out so many instructions in the time that a kernel of its own takes; and a plan has room
  // for few operands.
  constexpr std::int64_t of_a_kernel = 1 << 26;
  constexpr int most_inputs = 4;
  const anew again(operand, {});
  return again.inputs() <= most_inputs && again.is_cheap() && elements <= of_a_kernel &&
         again.instructions() * elements <= of_a_kernel;
}

void note_unstored(const pending_nodes& nodes, std::span<array_rep* const> stored) {
  for (const auto& f : nodes)
    if (f.rep != nodes.expression() && pending_nodes::lives_on(f) &&
        std::ranges::find(stored, f.rep) == stored.end())
      f.rep->was_used.store(true, std::memory_order_relaxed);
}

}  // namespace core
GPARRAY_END_NAMESPACE
