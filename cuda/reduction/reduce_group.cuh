// The kernels of group GPARRAY_GROUP of the rows of reductions.def (cuda/device/compiled_kernels.hpp).
#include <gparray/tables/reduction_table.hpp>

// Functors compare with zero whatever the sign of the type.
#pragma nv_diag_suppress 186

#include <cuda/reduction/reduce_columns.cuh>
#include <cuda/reduction/reduce_inner.cuh>
#include <cuda/reduction/reduce_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<reduction R, class E>
struct reduction_of;
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  template<class E>                                                                          \
  struct reduction_of<reduction::name, E> {                                                  \
    using type = kernel::name##_reduction<E>;                                                \
  };
#include <gparray/tables/reductions.def>

constexpr bool has_reduction(reduction r, dtype d) {
  return gparray::detail::has(gparray::detail::row(r).domain, kind(d) == 'u' ? 'i' : kind(d));
}

struct reduce_cell {
  template<int Row, dtype D>
  static reduce_kernels kernels() {
    constexpr auto r = static_cast<reduction>(Row);
    if constexpr (has_reduction(r, D)) {
      using type = typename reduction_of<r, kernel_t<D>>::type;
      return {reinterpret_cast<const void*>(&reduce_inner<type, inner_params>),
              reinterpret_cast<const void*>(&reduce_inner<type, dense_params>),
              reinterpret_cast<const void*>(&reduce_columns<type, column_params>),
              sizeof(typename type::state)};
    } else {
      return {};
    }
  }
};

}  // namespace

template<>
template<>
const reduce_table::group& reduce_table::of_group<GPARRAY_GROUP>() {
  static const group kernels = make<GPARRAY_GROUP, reduce_cell>();
  return kernels;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
