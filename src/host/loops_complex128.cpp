#include <host/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(complex128, gparray::kernel::complex<double>)
