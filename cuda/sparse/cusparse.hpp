// cuSPARSE, loaded at first use.
#pragma once
#include <cusparse.h>
#include <utility>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct cusparse_table {
#define GPARRAY_CUSPARSE_CALL(name) decltype(&::name) name;
#include <cuda/sparse/cusparse_calls.def>
#undef GPARRAY_CUSPARSE_CALL
};

/// Loads the library at the first call. Throws library_error.
const cusparse_table& cusparse();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const cusparse_table* exchange_cusparse(const cusparse_table* substitute) noexcept;

/// Throws out_of_memory, or cuda_error: "cusparseX failed while working on sparse matrices: status 7 (...)".
void check_cusparse(const char* call, cusparseStatus_t status);
/// Makes a call of the table and checks its status.
#define GPARRAY_CUSPARSE(name, ...) check_cusparse(#name, cusparse().name(__VA_ARGS__))

/// This thread's handle for the queue's device, with the stream set.
cusparseHandle_t cusparse_handle(queue q);

/// A description that the library made, and the member of the table that destroys it.
template<class Handle, auto Destroy>
class cusparse_object {
 public:
  cusparse_object() = default;
  ~cusparse_object() {
    if (handle) (cusparse().*Destroy)(handle);
  }
  cusparse_object(cusparse_object&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  cusparse_object& operator=(cusparse_object&&) = delete;

  Handle handle = nullptr;
};
using const_matrix_description =
    cusparse_object<cusparseConstSpMatDescr_t, &cusparse_table::cusparseDestroySpMat>;
using matrix_description = cusparse_object<cusparseSpMatDescr_t, &cusparse_table::cusparseDestroySpMat>;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
