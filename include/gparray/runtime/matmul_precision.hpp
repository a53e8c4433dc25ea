// Products of float32 that are faster at another precision.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

// g++ warns of an enumerator that has the name of a type, though nothing can mean it without its scope.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// How a GPU multiplies float32 and complex64 matrices. The CPU always computes in float32, and so do
/// products of a matrix and a vector. Sums are float32 each time.
enum class matmul_precision : std::uint8_t {
  float32,     ///< in float32
  bfloat16x9,  ///< each number is the sum of three bfloat16, which keep its 24 bits, and nine products of
               ///< these replace one: errors like those of float32, faster on tensor cores of compute
               ///< capability 10 or more. GPUs before compute in float32.
  tf32  ///< operands are rounded to TF32, with 10 bits behind the point instead of 23: several times as
        ///< fast, and each product of two numbers is off by up to 2^-10 of itself
};
#pragma GCC diagnostic pop

/// The precision of products of float32. Begins as the environment variable GPARRAY_MATMUL_PRECISION says:
/// float32, bfloat16x9 or tf32; without it, or with any other text, float32.
[[nodiscard]] GPARRAY_API matmul_precision float32_matmul_precision() noexcept;
/// Sets the precision for all threads, from the next product on, those of solvers and of linalg included.
GPARRAY_API void set_float32_matmul_precision(matmul_precision precision) noexcept;

GPARRAY_END_NAMESPACE
