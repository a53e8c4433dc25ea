// Elements that a GPU could not load are refused where the view is made, not by a fault of a kernel later.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;

TEST_CASE("fake GPU: elements lie at multiples of their size") {
  const fake::installed installed;
  const gp::device gpu = gp::device::cuda(0);
  alignas(16) static double memory[9];
  const auto borrow = [&](const gp::dims& shape, const gp::dims& strides, gp::dtype type, int shift) {
    return gp::detail::borrow(reinterpret_cast<char*>(memory) + shift, shape, strides, type,
                              gp::memory_space::device, gpu, {});
  };
  CHECK_THROWS_WITH_AS(borrow({3}, {4}, gp::dtype::float32, 2), doctest::Contains("multiples of 4 bytes"),
                       gp::value_error);
  CHECK_THROWS_AS(borrow({3}, {6}, gp::dtype::float32, 0), gp::value_error);
  CHECK_THROWS_AS(borrow({3}, {16}, gp::dtype::complex128, 8), gp::value_error);
  CHECK_NOTHROW(borrow({1}, {6}, gp::dtype::float32, 0));  // a stride that leads nowhere
  CHECK_NOTHROW(borrow({0}, {6}, gp::dtype::float32, 2));
  const gp::any_array numbers = borrow({8}, {8}, gp::dtype::float64, 0),
                      shifted = borrow({8}, {8}, gp::dtype::float64, 8);
  CHECK_NOTHROW(gp::detail::view_as(numbers, gp::dtype::complex128));
  CHECK_THROWS_AS(gp::detail::view_as(shifted, gp::dtype::complex128), gp::value_error);
  CHECK_THROWS_AS(gp::detail::as_strided(numbers, {2}, {12}), gp::value_error);
  CHECK_NOTHROW(gp::detail::as_strided(numbers, {2}, {16}));
}

TEST_CASE("the CPU asks for the alignment of C++") {
  alignas(16) static double memory[4];
  const auto borrow = [](gp::dtype type, int shift) {
    return gp::detail::borrow(reinterpret_cast<char*>(memory) + shift, {1}, {16}, type,
                              gp::memory_space::host, gp::device("cpu"), {});
  };
  CHECK_THROWS_AS(borrow(gp::dtype::float32, 1), gp::value_error);
  CHECK_NOTHROW(borrow(gp::dtype::complex128, 8));
  CHECK_THROWS_AS(borrow(gp::dtype::complex128, 4), gp::value_error);
}
