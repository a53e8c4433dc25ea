#include <algorithm>
#include <utility>

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

/// The memory of an operand, or of several that are parts of one array.
class read_memory {
 public:
  bool is_of(const array_rep* a) const { return memory_ == key(a); }
  void add(const array_rep* a) {
    memory_ = key(a);
    ++operands_;
    if (!a->memory) return;
    auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(a->data));
    std::int64_t end = first + static_cast<std::int64_t>(itemsize(a->type));
    for (std::size_t d = 0; d < a->shape.size(); ++d)
      (a->strides[d] < 0 ? first : end) += a->strides[d] * (a->shape[d] - 1);
    first_ = operands_ == 1 ? first : std::min(first_, first);
    end_ = operands_ == 1 ? end : std::max(end_, end);
  }
  /// How many arrays of so many bytes it is: parts that lie about each other, as those of a stencil, are one.
  int arrays(std::int64_t bytes) const {
    const std::int64_t rounded = (2 * (end_ - first_) + bytes) / (2 * bytes);
    return static_cast<int>(std::clamp<std::int64_t>(rounded, 1, operands_));
  }

 private:
  static const void* key(const array_rep* a) { return a->memory ? static_cast<const void*>(a->memory) : a; }

  const void* memory_;
  int operands_ = 0;
  std::int64_t first_ = 0, end_ = 0;
};

/// What a name would have to read and to compute if it were computed again.
class anew {
 public:
  anew(const array_rep* name, std::span<array_rep* const> stored)
      : size_(name->size),
        bytes_(std::max<std::int64_t>(size_, 1) * static_cast<std::int64_t>(itemsize(name->type))),
        on_gpu_(name->device_.is_cuda()),
        stored_(stored) {
    add(name, 0);
  }

  int cost() const { return cost_; }
  int instructions() const { return instructions_; }
  /// Arrays and constants, each as often as it is used.
  int inputs() const { return n_inputs_; }
  bool is_cheap() const { return cost_ <= (on_gpu_ ? most_cost_on_gpu : most_cost_on_cpu); }
  /// Arrays as large as the name; parts of one that lie about each other are in a cache.
  int arrays() const {
    int count = n_memories_ - std::min(n_memories_, most_memories);
    for (int k = 0; k < std::min(n_memories_, most_memories); ++k) count += memories_[k].arrays(bytes_);
    return count;
  }
  /// Those that they are parts of.
  int memories() const { return n_memories_; }

 private:
  static constexpr int most_memories = 4;

  /// `place`: that of the views at whose places it is computed.
  void add(const array_rep* rep, std::uint64_t place) {
    if (was_seen(rep, place)) return;
    if (rep->view) place = place * 31 + reinterpret_cast<std::uintptr_t>(rep);
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
        add(a, place);
        continue;
      }
      ++n_inputs_;
      if (a->size > size_ / 8) add_array(a);
    }
  }
  /// What several steps have in common is computed once, at each place.
  bool was_seen(const array_rep* rep, std::uint64_t place) {
    if (rep->references.load(std::memory_order_relaxed) <= 1) return false;
    const std::pair<const array_rep*, std::uint64_t> it(rep, place);
    if (std::find(shared_, shared_ + n_shared_, it) != shared_ + n_shared_) return true;
    if (n_shared_ < most_shared) shared_[n_shared_++] = it;
    return false;
  }
  void add_array(const array_rep* a) {
    const int known = std::min(n_memories_, most_memories);
    read_memory* const found =
        std::find_if(memories_, memories_ + known, [a](const read_memory& m) { return m.is_of(a); });
    if (found != memories_ + known) return found->add(a);
    if (n_memories_ < most_memories) memories_[n_memories_].add(a);
    ++n_memories_;
  }

  std::int64_t size_, bytes_;
  bool on_gpu_;
  std::span<array_rep* const> stored_;
  int cost_ = 0, instructions_ = 0, n_memories_ = 0, n_inputs_ = 0;
  read_memory memories_[most_memories];
  static constexpr int most_shared = 16;
  int n_shared_ = 0;
  std::pair<const array_rep*, std::uint64_t> shared_[most_shared];
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
  return costs_nothing ||
         (again.memories() <= 3 && again.arrays() <= 6 && !name->was_used.load(std::memory_order_relaxed));
}

bool is_cheap_above(const array_rep* name, std::span<array_rep* const> stored) {
  return !stored.empty() && anew(name, stored).cost() <= 2;
}

namespace {

/// An element stored and read by a GPU takes the time of some 60 operations, or 100 instructions.
constexpr std::int64_t operations_of_a_store = 64, instructions_of_a_store = 96;

bool is_cheap(const anew& again, const array_rep* operand, std::int64_t repetitions) {
  if (!again.is_cheap()) return false;
  return operand->device_.is_cuda() ? again.cost() * repetitions <= operations_of_a_store
                                    : again.cost() * (repetitions + 1) <= 16;
}

/// How often it is computed for so many elements, beside once.
std::int64_t repetitions_of(const array_rep* operand, std::int64_t elements) {
  return (elements - 1) / operand->size;
}

}  // namespace

bool is_cheap_to_repeat(const array_rep* operand, std::int64_t elements) {
  if (operand->size == 0) return false;
  if (operand->roll) return true;  // it is read where it is used
  return is_cheap(anew(operand, {}), operand, repetitions_of(operand, elements));
}

bool is_cheap_to_broadcast(const array_rep* operand, std::int64_t elements, bool is_temporary) {
  if (operand->size == 0) return false;
  if (operand->roll) return true;
  const anew again(operand, {});
  const std::int64_t repetitions = repetitions_of(operand, elements);
  if (is_cheap(again, operand, repetitions) &&
      (operand->device_.is_cpu() || again.instructions() * repetitions <= instructions_of_a_store))
    return true;
  if (!is_temporary || operand->device_.is_cpu()) return false;
  // A GPU carries out so many instructions in the time that a kernel of its own takes; and a plan has room
  // for few operands.
  constexpr std::int64_t of_a_kernel = 1 << 26;
  constexpr int most_inputs = 4;
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
