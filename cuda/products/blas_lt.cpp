#include <cuda/products/blas_lt.hpp>
#include <cuda/runtime/library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

blas_lt_table load() {
  const table_loader load_row("cuBLASLt", {"libcublasLt.so.13"},
                              "the CUDA toolkit's libcublas, or the Python package nvidia-cublas");
  blas_lt_table table;
#define GPARRAY_BLAS_LT_CALL(name) load_row(table.name, #name);
#include <cuda/products/blas_lt_calls.def>
#undef GPARRAY_BLAS_LT_CALL
  return table;
}

}  // namespace

const blas_lt_table& blas_lt() { return lazy_table<load>::get(); }

const blas_lt_table* exchange_blas_lt(const blas_lt_table* substitute) noexcept {
  return lazy_table<load>::exchange(substitute);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
