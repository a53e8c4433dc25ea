// The parameter block of generated kernels that take rows through several stages.
#pragma once
#include <cstdint>

#include <plan/plan_elements.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int max_chain_stages = 12, max_chain_operands = 72;
/// Packs that a thread of a stage that maps has in flight.
inline constexpr int chain_unroll = 4;

/// An operand of a stage: where its first row begins, and `bits` as in vector_params: the constant, or the
/// distance between elements of a row.
struct chain_operand {
  const char* in;
  std::int64_t row_stride;  // bytes
  scalar_bits bits;
};

/// What a stage leaves, row after row, and its reduction's ddof.
struct chain_output {
  char* out;
  double ddof;
};

/// 2^log_group threads of a block take a row through all stages. The operands of stage 0 come first.
struct chain_params {
  std::uint32_t n_rows, n_columns, log_group;
  bool backwards;  // the first block takes the last rows
  chain_output stages[max_chain_stages];
  chain_operand operands[max_chain_operands];
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
