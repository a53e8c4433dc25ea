// What a plan says of one element, and Philox blocks side by side.
#pragma once
#include <kernel/random_row.hpp>
#include <plan/random_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// The words of blocks first, first + 1, ... one after the other; `draw` is the third word of the counter.
void fill_random_words(unsigned* words, std::uint64_t first, std::int64_t blocks, kernel::counter_kind kind,
                       kernel::philox_key key, unsigned draw = 0);

inline kernel::philox_key key_of(const core::random_plan& plan) {
  return {static_cast<unsigned>(plan.key), static_cast<unsigned>(plan.key >> 32)};
}

inline kernel::draw_context context_of(const core::random_plan& plan) {
  return {key_of(plan), plan.position, plan.table, plan.count};
}

/// The bits of the parameters of one element.
struct parameter_values {
  std::uint64_t bits[core::max_random_parameters];
  parameter_values(const core::random_plan& plan, std::int64_t i) {
    for (int k = 0; k < core::max_random_parameters; ++k) {
      const core::random_parameter& p = plan.parameters[k];
      bits[k] = p.data ? p.data[i] : p.bits;
    }
  }
};

}  // namespace host
GPARRAY_END_NAMESPACE
