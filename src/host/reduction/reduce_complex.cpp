#include <host/reduction/reduce_blocks.hpp>

GPARRAY_DEFINE_REDUCTIONS(complex64, gparray::kernel::complex<float>)
GPARRAY_DEFINE_REDUCTIONS(complex128, gparray::kernel::complex<double>)
