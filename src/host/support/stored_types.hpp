// Element types by their numbers, of routines for all of them but the halves.
#pragma once
#include <gparray/dtype.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// body(T{}) for the kernel type of a dtype that is no half.
template<class Body>
auto with_stored(dtype type, Body&& body) {
  switch (type) {
    case dtype::bool_:
      return body(bool{});
    case dtype::int8:
      return body((signed char){});
    case dtype::int16:
      return body(short{});
    case dtype::int32:
      return body(int{});
    case dtype::int64:
      return body(long{});
    case dtype::uint8:
      return body((unsigned char){});
    case dtype::uint16:
      return body((unsigned short){});
    case dtype::uint32:
      return body(unsigned{});
    case dtype::uint64:
      return body((unsigned long){});
    case dtype::float32:
      return body(float{});
    case dtype::float64:
      return body(double{});
    case dtype::complex64:
      return body(kernel::complex<float>{});
    default:
      return body(kernel::complex<double>{});
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
