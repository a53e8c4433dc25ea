#include <host/blas_threads.hpp>

#include <cblas.h>

#include <mutex>

GPARRAY_BEGIN_NAMESPACE
namespace host {

void use_one_thread_each() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
}

}  // namespace host
GPARRAY_END_NAMESPACE
