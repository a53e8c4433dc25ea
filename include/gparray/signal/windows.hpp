// Windows of signal processing.
#pragma once
#include <gparray/creation.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Returns the Bartlett window: M float64 points of a triangle from 0 to 1 and back. Empty for M below 1.
[[nodiscard]] GPARRAY_API ndarray<double> bartlett(std::int64_t M, const array_options& options = {});
/// Returns the Blackman window of M float64 points: 0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M -
/// 1)). Empty for M below 1.
[[nodiscard]] GPARRAY_API ndarray<double> blackman(std::int64_t M, const array_options& options = {});
/// Returns the Hamming window of M float64 points: 0.54 - 0.46 cos(2 pi n / (M - 1)). Empty for M below 1.
[[nodiscard]] GPARRAY_API ndarray<double> hamming(std::int64_t M, const array_options& options = {});
/// Returns the Hann window of M float64 points: 0.5 - 0.5 cos(2 pi n / (M - 1)). Empty for M below 1.
[[nodiscard]] GPARRAY_API ndarray<double> hanning(std::int64_t M, const array_options& options = {});
/// Returns the Kaiser window of M float64 points: i0(beta sqrt(1 - x^2)) / i0(beta) for x from -1 to 1. Empty
/// for M below 1.
[[nodiscard]] GPARRAY_API ndarray<double> kaiser(std::int64_t M, double beta,
                                                 const array_options& options = {});

GPARRAY_END_NAMESPACE
