// What the sums of a matrix product become.
#pragma once
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

enum class activation : std::uint8_t { none, relu, gelu };

/// Sums, those of halves in float32, get a bias, go through a function, and are rounded to the dtype that the
/// matrix c of the plan then has.
struct epilogue {
  dtype result;
  const void* bias = nullptr;  // n elements of `result`, which are added to each row; null: none
  activation function = activation::none;
};

}  // namespace core
GPARRAY_END_NAMESPACE
