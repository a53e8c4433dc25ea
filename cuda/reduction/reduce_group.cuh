// The kernels of one group of rows of reductions.def: those whose number modulo the number of groups is
// GPARRAY_REDUCE_GROUP. Each reduce_N.cu compiles one group.
#include <utility>

#include <gparray/tables/reduction_table.hpp>

// Functors compare with zero whatever the sign of the type.
#pragma nv_diag_suppress 186

#include <cuda/reduction/reduce_columns.cuh>
#include <cuda/reduction/reduce_groups.hpp>
#include <cuda/reduction/reduce_inner.cuh>

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

template<int Row, int D>
reduce_kernels kernels_of() {
  constexpr int number = Row * n_reduce_groups + GPARRAY_REDUCE_GROUP;
  if constexpr (number < reduction_count) {
    constexpr auto r = static_cast<reduction>(number);
    constexpr auto d = static_cast<dtype>(D);
    if constexpr (has_reduction(r, d)) {
      using type = typename reduction_of<r, kernel_t<d>>::type;
      return {reinterpret_cast<const void*>(&reduce_inner<type, inner_params>),
              reinterpret_cast<const void*>(&reduce_inner<type, dense_params>),
              reinterpret_cast<const void*>(&reduce_columns<type, column_params>),
              sizeof(typename type::state)};
    }
  }
  return {};
}

template<int... Cells>
reduce_table make_table(std::integer_sequence<int, Cells...>) {
  return {{kernels_of<Cells / dtype_count, Cells % dtype_count>()...}};
}

}  // namespace

template<>
const reduce_table& reduce_group<GPARRAY_REDUCE_GROUP>() {
  static const reduce_table table =
      make_table(std::make_integer_sequence<int, reduce_table_rows * dtype_count>());
  return table;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
