#include <cuda/map/copy_rows.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* copy_rows_kernel() { return reinterpret_cast<const void*>(&copy_all_rows); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
