// Our words for cuSPARSE's.
#pragma once
#include <new>
#include <optional>

#include <cuda/sparse/cusparse.hpp>
#include <plan/sparse_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr cusparseOperation_t as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

using dense = cusparse_object<cusparseDnMatDescr_t, &cusparse_table::cusparseDestroyDnMat>;

/// cuSPARSE's number of a dtype; nothing if it does not multiply in it.
inline std::optional<cudaDataType> cusparse_type(dtype type) {
  switch (type) {
    case dtype::float32:
      return CUDA_R_32F;
    case dtype::float64:
      return CUDA_R_64F;
    case dtype::complex64:
      return CUDA_C_32F;
    case dtype::complex128:
      return CUDA_C_64F;
    default:
      return {};
  }
}

inline cusparseIndexType_t index_of(const compressed_rows& a) {
  return a.index == dtype::int32 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}

/// One and zero of a type: the library reads as many bytes as the type has.
struct factors {
  explicit factors(cudaDataType type) {
    if (type == CUDA_R_32F || type == CUDA_C_32F) new (one) float(1);
    else new (one) double(1);
  }
  alignas(16) unsigned char one[16] = {}, zero[16] = {};
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
