// Data-parallel training: each rank computes gradients from its parts of a batch, and all add them up.
#pragma once
#include <vector>

#include <gparray/distributed/communicator.hpp>
#include <gparray/gparray.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

/// Elements [start, stop) of a batch: an index, x(part).
using part = slice;

/// Keyword arguments of gradient_sum.
struct gradient_sum_options {
  /// Into how many parts a batch is cut; as many as there are ranks if 0. If it is the same for any number of
  /// ranks, so are the bits of the sums, and so of the training.
  int parts = 0;
};

/// Adds up gradients of the parts of a batch, as a binary tree over the numbers of the parts. Each rank calls
/// add for each of its parts, my_parts, with the gradients of the rows x(part); then all call finish and get
/// the same sums. Gradients of one dtype travel together.
class GPARRAY_API gradient_sum {
 public:
  /// Throws value_error if there are fewer parts than ranks.
  explicit gradient_sum(const communicator& world, const gradient_sum_options& options = {});
  ~gradient_sum();
  gradient_sum(gradient_sum&&) noexcept;
  gradient_sum& operator=(gradient_sum&&) noexcept;

  /// The parts of a batch of n elements that this rank has, in order; parts may be empty.
  [[nodiscard]] std::vector<part> my_parts(std::int64_t n) const;
  /// The gradients of the next of these parts: each time as many, of the same shapes.
  template<element V>
  void add(const std::vector<ndarray<V>>& gradients) {
    add_arrays({gradients.begin(), gradients.end()});
  }
  template<array_like... A>
  void add(const A&... gradients) {
    add_arrays({any_array(gradients)...});
  }
  /// The sums over all parts of all ranks, in the order of add; then it begins anew. Throws value_error
  /// unless add was called for each part.
  template<element V>
  [[nodiscard]] std::vector<ndarray<V>> finish() {
    std::vector<ndarray<V>> typed;
    for (any_array& sum : finish_arrays()) typed.emplace_back(ndarray<V>(sum));
    return typed;
  }
  /// The same of any dtypes.
  [[nodiscard]] std::vector<any_array> finish_arrays();

 private:
  void add_arrays(std::vector<any_array> gradients);
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace distributed
GPARRAY_END_NAMESPACE
