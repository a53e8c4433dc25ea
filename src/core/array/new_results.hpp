// What one kernel stores.
#pragma once
#include <optional>

#include <core/array/evaluate.hpp>
#include <core/array/known_range.hpp>
#include <core/runtime/known_reals.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Memory for the results of one kernel, given to their reps once its work is enqueued.
class new_results {
 public:
  explicit new_results(queue q) : q_(q) {}
  ~new_results() {
    for (const result& r : *this)
      if (r.memory) release(r.memory);
  }
  new_results(const new_results&) = delete;
  new_results& operator=(const new_results&) = delete;

  struct result {
    array_rep* rep;
    storage* memory;
    std::optional<number_range> numbers, reals;  // of an index, and of what indices are made of
  };
  std::byte* add(array_rep* rep) {
    const std::size_t bytes = static_cast<std::size_t>(rep->size) * itemsize(rep->type);
    results_[count_] = {rep, new_storage(bytes, default_space(rep->device_), rep->device_, q_), {}, {}};
    if (rep->size > 0 && !is_logged(rep)) note_ends(results_[count_]);
    return static_cast<std::byte*>(results_[count_++].memory->data);
  }
  /// In the order in which they were added: operands before what is made of them.
  void publish() {
    for (result& r : *this) {
      storage* const memory = std::exchange(r.memory, nullptr);
      set_layout(r.rep, r.rep->strides, static_cast<std::byte*>(memory->data), memory);
      if (r.numbers) remember_numbers(memory, *r.numbers);
      if (r.reals) remember_reals(memory, r.rep->type, *r.reals);
      end_pending(r.rep);
    }
  }

 private:
  /// What is known of the numbers before they are computed is known of the array.
  static void note_ends(result& r) {
    const dtype type = r.rep->type;
    if (type == dtype::int64) r.numbers = known_range(r.rep);
    else if (is_range(r.rep) && (type == dtype::float32 || type == dtype::float64))
      r.reals = ends_of_range(r.rep);
  }
  result* begin() { return results_; }
  result* end() { return results_ + count_; }

  queue q_;
  int count_ = 0;
  result results_[max_stores + 1];
};

}  // namespace core
GPARRAY_END_NAMESPACE
