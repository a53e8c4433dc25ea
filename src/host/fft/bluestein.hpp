// Transforms of lengths with a large prime factor.
#pragma once
#include <host/fft/fftw.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Whether the convolution below takes less time than FFTW's plan.
bool suits_bluestein(core::fft_kind kind, std::int64_t n);

/// A convolution with exp(i pi k^2 / n), padded to a length of which FFTW has a good plan (Bluestein, "A
/// linear filtering approach to the computation of discrete Fourier transform", 1970). FFTW pads to the next
/// length of small factors, as 2025 for 1009, and takes twice the time. suits_bluestein(kind, n) holds.
std::unique_ptr<line_transform> make_bluestein(core::fft_kind kind, dtype real, std::int64_t n);

/// That or FFTW's plan, whichever is quicker: a Fourier transform.
std::unique_ptr<line_transform> make_line(core::fft_kind kind, dtype real, std::int64_t n);

}  // namespace host
GPARRAY_END_NAMESPACE
