// Whether the indices of a plan are all in range, which a GPU looks at while it gathers.
#pragma once
#include <cstdint>

#include <plan/backend.hpp>

namespace fake {

using namespace gparray;

inline bool has_outside(const core::index_plan& plan) {
  for (std::int64_t i = 0; i < plan.size; ++i) {
    const char* at = reinterpret_cast<const char*>(plan.index);
    for (std::int64_t d = plan.ndim - 1, rest = i; d >= 0; rest /= plan.shape[d--])
      at += rest % plan.shape[d] * plan.index_strides[d];
    std::int64_t number = *reinterpret_cast<const std::int64_t*>(at);
    if (number < 0) number += plan.wrap;
    if (number < plan.first || number >= plan.first + plan.count) return true;
  }
  return false;
}

}  // namespace fake
