// Version, symbol visibility and the inline ABI namespace.
#pragma once

#define GPARRAY_VERSION_MAJOR 0
#define GPARRAY_VERSION_MINOR 1
#define GPARRAY_VERSION_PATCH 0

// Everything public lives in gparray::v0_1, where 0.1 is the version, so that two releases that may be
// incompatible, linked into one process, fail at link time instead of misreading each other's objects.
#define GPARRAY_JOIN_VERSION(major, minor) v##major##_##minor
#define GPARRAY_NAME_VERSION(major, minor) GPARRAY_JOIN_VERSION(major, minor)
#define GPARRAY_VERSION_NAMESPACE GPARRAY_NAME_VERSION(GPARRAY_VERSION_MAJOR, GPARRAY_VERSION_MINOR)
#define GPARRAY_BEGIN_NAMESPACE \
  namespace gparray {           \
  inline namespace GPARRAY_VERSION_NAMESPACE {
#define GPARRAY_END_NAMESPACE \
  }                           \
  }

// The library is built with hidden visibility; GPARRAY_API marks what a user's program may link to.
#if defined(__GNUC__) && !defined(__CUDACC_RTC__)
#define GPARRAY_API __attribute__((visibility("default")))
#else
#define GPARRAY_API
#endif

// Portable kernel code is read by g++, nvcc and NVRTC; only the CUDA compilers know these keywords.
#if defined(__CUDACC__)
#define GPARRAY_FN __host__ __device__ __forceinline__
#else
#define GPARRAY_FN inline
#endif
