// Cosine and sine transforms of one line.
#pragma once
#include <memory>

#include <host/fft/fftw.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Made of a Fourier transform of n real numbers (types 2 and 3), n / 2 complex ones (4, whose n is even) or
/// about 2 n real ones (1), and of products with factors that are kept.
std::unique_ptr<line_transform> make_cosine(core::fft_kind kind, dtype real, std::int64_t n);

}  // namespace host
GPARRAY_END_NAMESPACE
