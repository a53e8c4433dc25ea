#include <host/reduction/reduce_templates.hpp>

GPARRAY_DEFINE_REDUCTIONS(complex64, gparray::kernel::complex<float>)
GPARRAY_DEFINE_REDUCTIONS(complex128, gparray::kernel::complex<double>)
