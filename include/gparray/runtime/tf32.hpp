// Products of lower precision that are faster.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Whether GPUs may round the operands of float32 and complex64 products to TF32, with 10 bits behind the
/// point instead of 23: several times as fast, and each product of two numbers off by up to 2^-10 of itself.
/// Begins as the environment variable GPARRAY_TF32 says: 1, or off. The CPU always computes in float32.
[[nodiscard]] GPARRAY_API bool tf32_allowed() noexcept;
/// Allows TF32 or forbids it, for all threads, from the next product on, those of solvers and of linalg
/// included.
GPARRAY_API void allow_tf32(bool allow) noexcept;

GPARRAY_END_NAMESPACE
