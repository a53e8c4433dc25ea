// A library that a program loads and unloads, which leaves something pending in each thread.
#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {
gp::any_array kept;
}

extern "C" __attribute__((visibility("default"))) double gparray_test_sum() {
  const gp::ndarray<double> a = gp::arange<double>(8);
  const auto sum = a + a;
  kept = sum;
  return gp::sum(sum).item();
}
