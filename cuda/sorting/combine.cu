// The tables of kernels that add values onto places.
#include <cuda/device/elements.cuh>
#include <cuda/sorting/combine_few.cuh>
#include <cuda/sorting/combine_kernels.cuh>
#include <cuda/sorting/combine_sorted.cuh>

// Functors compare with zero whatever the sign of the type.
#pragma nv_diag_suppress 186

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class Kernel>
const void* address_of(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

template<class Core>
combine_kernels in_order() {
  return {.chunks = nullptr,
          .finish = nullptr,
          .threads = 0,
          .few = address_of(&combine_few<Core>),
          .sorted = address_of(&combine_sorted<Core>),
          .finish_sorted = address_of(&finish_sorted<Core>),
          .state_bytes = sizeof(typename Core::value)};
}

template<dtype D>
combine_kernels additions() {
  using core = added_core<kernel_t<D>>;
  combine_kernels kernels = in_order<core>();
  kernels.chunks = address_of(&add_chunks<core>);
  kernels.finish = address_of(&finish_places<core>);
  kernels.threads = 32 * combine_warps(sizeof(typename core::value));
  return kernels;
}

template<template<class, bool> class Core>
combine_kernels extremes_of(dtype type) {
  switch (type) {
    case dtype::int32:
      return in_order<Core<kernel_t<dtype::int32>, false>>();
    case dtype::int64:
      return in_order<Core<kernel_t<dtype::int64>, false>>();
    case dtype::float32:
      return in_order<Core<kernel_t<dtype::float32>, false>>();
    case dtype::float64:
      return in_order<Core<kernel_t<dtype::float64>, false>>();
    default:
      return {};
  }
}

combine_kernels additions_of(dtype type) {
  switch (type) {
    case dtype::int32:
      return additions<dtype::int32>();
    case dtype::uint32:
      return additions<dtype::uint32>();
    case dtype::int64:
      return additions<dtype::int64>();
    case dtype::uint64:
      return additions<dtype::uint64>();
    case dtype::float16:
      return additions<dtype::float16>();
    case dtype::bfloat16:
      return additions<dtype::bfloat16>();
    case dtype::float32:
      return additions<dtype::float32>();
    case dtype::float64:
      return additions<dtype::float64>();
    case dtype::complex64:
      return additions<dtype::complex64>();
    case dtype::complex128:
      return additions<dtype::complex128>();
    default:
      return {};
  }
}

}  // namespace

combine_kernels find_combine_kernels(ufunc op, dtype type) {
  if (op == ufunc::add) return additions_of(type);
  if (op == ufunc::maximum) return extremes_of<kernel::max_core>(type);
  if (op == ufunc::minimum) return extremes_of<kernel::min_core>(type);
  return {};
}

const void* find_key_kernel() { return reinterpret_cast<const void*>(&make_keys); }
const void* find_edge_kernel() { return reinterpret_cast<const void*>(&find_edges); }

const void* find_atomic_kernel(dtype type) {
  switch (type) {
    case dtype::int32:
    case dtype::uint32:
      return reinterpret_cast<const void*>(&add_atomically<unsigned>);
    case dtype::int64:
    case dtype::uint64:
      return reinterpret_cast<const void*>(&add_atomically<unsigned long long>);
    case dtype::float32:
      return reinterpret_cast<const void*>(&add_atomically<float>);
    case dtype::float64:
      return reinterpret_cast<const void*>(&add_atomically<double>);
    default:
      return nullptr;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
