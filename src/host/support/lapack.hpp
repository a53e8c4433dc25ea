// The BLAS and LAPACK routines of OpenBLAS, loaded at first use, as one table for each element type.
#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <host/support/pooled.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

using flag = const char*;
using number = const int*;
using length = std::size_t;

namespace lapack_types {

template<class T>
struct real {
  using type = T;
};
template<class R>
struct real<std::complex<R>> {
  using type = R;
};

}  // namespace lapack_types

template<class T>
using real_of = typename lapack_types::real<T>::type;
template<class T>
inline constexpr bool is_complex_type = !std::is_same_v<T, real_of<T>>;
/// The flag of the conjugate transpose.
template<class T>
inline constexpr flag adjoint = is_complex_type<T> ? "C" : "T";
template<class T>
T conjugated(T x) {
  if constexpr (is_complex_type<T>) return std::conj(x);
  else return x;
}

#define GPARRAY_LAPACK_MEMBER(name, parameters) void(*name) parameters;
#define GPARRAY_LAPACK_NO_MEMBER(name, parameters)

/// The routines for elements of T, named without their first letter.
template<class T>
struct lapack_table {
  using R = T;
#define GPARRAY_LAPACK_CALL GPARRAY_LAPACK_MEMBER
#define GPARRAY_LAPACK_REAL_CALL GPARRAY_LAPACK_MEMBER
#define GPARRAY_LAPACK_COMPLEX_CALL GPARRAY_LAPACK_NO_MEMBER
#include <host/support/lapack_calls.def>
#undef GPARRAY_LAPACK_REAL_CALL
#undef GPARRAY_LAPACK_COMPLEX_CALL
};
template<class Real>
struct lapack_table<std::complex<Real>> {
  using T = std::complex<Real>;
  using R = Real;
#define GPARRAY_LAPACK_REAL_CALL GPARRAY_LAPACK_NO_MEMBER
#define GPARRAY_LAPACK_COMPLEX_CALL GPARRAY_LAPACK_MEMBER
#include <host/support/lapack_calls.def>
#undef GPARRAY_LAPACK_CALL
#undef GPARRAY_LAPACK_REAL_CALL
#undef GPARRAY_LAPACK_COMPLEX_CALL
};

#undef GPARRAY_LAPACK_MEMBER
#undef GPARRAY_LAPACK_NO_MEMBER

/// T is float, double or a complex of them. OpenBLAS is loaded with the first call, and each call is run by
/// the thread that makes it: OpenBLAS splits sums by the number of its threads, so results would depend on
/// it. That number is a setting of the process. Throws library_error.
template<class T>
const lapack_table<T>& lapack();

/// Memory of one factorisation, of which a little needs no allocation, and much comes from the pool: malloc
/// gives it back to the system, and the next factorisation waits for its pages. LAPACK sets what it reads.
template<class T>
class work_memory {
 public:
  explicit work_memory(std::int64_t count) : pooled_(count < many ? 0 : count) {
    if (count <= few) {
      data_ = reinterpret_cast<T*>(inside_);
    } else if (count < many) {
      allocated_.reset(new std::byte[static_cast<std::size_t>(count) * sizeof(T)]);
      data_ = reinterpret_cast<T*>(allocated_.get());
    } else {
      data_ = pooled_.get();
    }
  }
  work_memory(const work_memory&) = delete;
  work_memory& operator=(const work_memory&) = delete;
  T* data() const { return data_; }
  T& operator[](std::int64_t i) const { return data_[i]; }

 private:
  static constexpr std::int64_t few = 512 / sizeof(T), many = 32768 / sizeof(T);
  T* data_;
  std::unique_ptr<std::byte[]> allocated_;
  pooled<T> pooled_;
  alignas(16) std::byte inside_[512];
};

}  // namespace host
GPARRAY_END_NAMESPACE
