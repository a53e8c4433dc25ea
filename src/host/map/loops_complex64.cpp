// The element-wise loops of complex64.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(complex64, gparray::kernel::complex<float>)
