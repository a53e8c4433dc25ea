// Transforms on the CPU: axis after axis, transforms of one dimension by FFTW over our threads.
#pragma once
#include <plan/fft_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

core::fft_engine& fft_engine();

}  // namespace host
GPARRAY_END_NAMESPACE
