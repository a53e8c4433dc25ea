// One element-wise function applied to strided operands: what a map is carried out with, step by step.
#pragma once
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// out = op(in[0], ...) with conversions: inputs of another dtype than the loop wants are converted when they
/// are loaded, an output of another dtype when it is stored. ufunc::cast with loop dtype D copies to D.
struct elementwise {
  ufunc op;
  dtype loop;
  const input* in[3];
  void* out;
  dtype out_type;
  const std::int64_t* out_strides;
  int ndim;
  const std::int64_t* shape;
  std::int64_t size;
};

/// Enqueues one kernel or copy (several for more than 2^30 elements).
void run_elementwise(const elementwise& e, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
