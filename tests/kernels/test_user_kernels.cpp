// ElementwiseKernel and ReductionKernel as a program uses them, where there is no GPU to run them on.
#include <string>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;

TEST_CASE("user kernels parse when they are made") {
  CHECK(gp::ElementwiseKernel("T x", "T y", "y = x").name() == "kernel");
  CHECK(gp::ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0").name() == "reduce_kernel");
  CHECK(contains(error_of<gp::value_error>([] { gp::ElementwiseKernel("T x, double y", "T z", "z = x"); }),
                 "unknown type 'double'; types are NumPy's: float64\n  T x, double y\n       ^~~~~~"));
  CHECK(
      contains(error_of<gp::value_error>([] { gp::ReductionKernel("T x", "", "x", "a + b", "", "0", "r"); }),
               "ReductionKernel 'r': a reduction has an output"));
}

TEST_CASE("user kernels on arrays of the CPU say that they need a GPU, and what runs there") {
  gp::set_default_device(gp::device::cpu());
  const gp::ndarray<float> a = gp::arange<float>(4);
  const gp::ElementwiseKernel k("T x, T y", "T z", "z = x + y", "add");
  const auto text = error_of<gp::device_error>([&] { k(a, 2.f); });
  CHECK_MESSAGE(contains(text, "ElementwiseKernel 'add' needs a GPU, and its arguments are on the CPU"),
                text);
  CHECK(contains(text, "a function made with GPARRAY_UFUNC runs on both"));
  const gp::ReductionKernel r("T x", "T y", "x", "a + b", "y = a", "0", "total");
  CHECK(contains(error_of<gp::device_error>([&] { r(a, {.axis = 0}); }),
                 "ReductionKernel 'total' needs a GPU"));
}

TEST_CASE("user kernels check their arguments before anything else") {
  const gp::ndarray<float> a = gp::arange<float>(4);
  const gp::ndarray<double> d = gp::arange<double>(4);
  const gp::ElementwiseKernel k("T x, T y", "T z", "z = x + y", "add");
  CHECK(error_of<gp::type_error>([&] { k(a); }) ==
        "ElementwiseKernel 'add': 1 argument given; it takes 2, or 3 with the outputs");
  CHECK(contains(error_of<gp::type_error>([&] { k(a, d); }), "T is float32 for x and float64 for y"));
  CHECK(
      contains(error_of<gp::type_error>([&] { k(a, a, 3); }), "the output z must be an array\n  T z\n  ^~~"));
  const gp::ElementwiseKernel raw("raw T x", "T z", "z = x[i]", "read");
  CHECK(contains(error_of<gp::type_error>([&] { raw(1.5, {.size = 3}); }), "x is raw, so it takes an array"));
}
