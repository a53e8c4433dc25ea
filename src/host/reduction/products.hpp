// Sums of products in one loop: dot, vdot, norm, sum(a * b). The products would else go through the
// first-level cache.
#pragma once
#include <host/reduction/reduce_tree.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// The elements of a job's results, if they are products of two arrays, or squares of one, whose sum is all
/// that is made of them.
class product_terms {
 public:
  /// `map` has the reduced dimensions last.
  product_terms(const reduce_job& job, const core::map_plan& map);
  explicit operator bool() const { return block_ != nullptr; }

  /// Extends or makes the state of n <= reduce_block products of a result from `first` on, with the bits of
  /// the kernel's own block().
  void block(char* state, std::int64_t result, std::int64_t first, std::int64_t n) const;

 private:
  using block_loop = void (*)(void* state, const void* a, const void* b, std::int64_t n);
  static block_loop find_block(dtype element, bool conjugated);

  block_loop block_ = nullptr;
  row_space space_;
  const core::input *a_ = nullptr, *b_ = nullptr;
};

}  // namespace host
GPARRAY_END_NAMESPACE
