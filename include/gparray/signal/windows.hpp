// Windows of signal processing.
#pragma once
#include <gparray/creation.hpp>

GPARRAY_BEGIN_NAMESPACE

// Vectors of M float64 points, symmetric about the middle, where they are largest. Without points they are
// empty. Formulas: Blackman and Tukey 1958, "The measurement of power spectra"; Kaiser 1966.

/// A triangle from 0 to 1 and back.
[[nodiscard]] GPARRAY_API ndarray<double> bartlett(std::int64_t M, const array_options& options = {});
[[nodiscard]] GPARRAY_API ndarray<double> blackman(std::int64_t M, const array_options& options = {});
[[nodiscard]] GPARRAY_API ndarray<double> hamming(std::int64_t M, const array_options& options = {});
[[nodiscard]] GPARRAY_API ndarray<double> hanning(std::int64_t M, const array_options& options = {});
/// i0(beta sqrt(1 - x^2)) / i0(beta) for x from -1 to 1.
[[nodiscard]] GPARRAY_API ndarray<double> kaiser(std::int64_t M, double beta,
                                                 const array_options& options = {});

GPARRAY_END_NAMESPACE
