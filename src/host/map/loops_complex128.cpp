// The element-wise loops of complex128.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(complex128, gparray::kernel::complex<double>)
