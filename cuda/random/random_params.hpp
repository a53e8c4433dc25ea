// The parameter block of the kernels that draw random numbers, and where they are.
#pragma once
#include <kernel/random_philox.hpp>
#include <plan/random_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int random_threads = 256;
/// Blocks of Philox that a thread makes in large arrays; in small ones one, so that all processors have some.
inline constexpr int random_rounds = 4;
inline constexpr std::int64_t few_random_blocks = 1 << 18;

struct random_params {
  void* out;
  std::int64_t size;                          // elements or vectors
  std::int64_t blocks;                        // of Philox, where several elements share one
  int rounds = 1;                             // random_rounds or 1
  unsigned inner_begin = 0, inner_count = 0;  // blocks of threads that have no element outside the array
  std::uint64_t position;
  kernel::philox_key key;
  kernel::philox_schedule schedule;  // of the key
  random_parameter parameters[max_random_parameters];
  const double* table;
  std::int64_t count, table_step;
  bool narrow;  // float32 results of a loop in float64
};

/// `lanes` elements are made by one thread.
struct random_kernel {
  const void* kernel = nullptr;
  int lanes = 1;
};

/// A null kernel if the distribution is in the other file. With `arrays`, a kernel whose parameters may be
/// arrays.
random_kernel find_block_kernel(distribution op, dtype type, bool arrays);
random_kernel find_element_kernel(distribution op);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
