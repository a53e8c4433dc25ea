// Inclusive scans along the last dimension: one element after the other, as NumPy adds them.
#include <host/map/rows.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class Core>
using scan_value = typename Core::value;

template<class Core>
void scan_row(const char* in, std::int64_t in_stride, char* out, std::int64_t out_stride, std::int64_t n) {
  using T = typename Core::element;
  scan_value<Core> sum = Core::identity();
  for (std::int64_t i = 0; i < n; ++i, in += in_stride, out += out_stride) {
    sum = Core::include(sum, *reinterpret_cast<const T*>(in));
    // A half is rounded at every step: the next one adds to what was stored.
    const T stored = kernel::narrow<T>(sum);
    *reinterpret_cast<T*>(out) = stored;
    if constexpr (kernel::is_half<T>) sum = kernel::to_accumulator<scan_value<Core>>(stored);
  }
}

/// Rows whose elements with the same index are neighbours are scanned together.
constexpr std::int64_t width = 64;

// Not in clones: g++ 12 would contract complex products in them.
template<class Core>
void scan_side_by_side(const char* in, std::int64_t in_stride, char* out, std::int64_t out_stride,
                       std::int64_t n, std::int64_t rows) {
  using T = typename Core::element;
  scan_value<Core> sums[width];
  for (std::int64_t r = 0; r < rows; ++r) sums[r] = Core::identity();
  for (std::int64_t i = 0; i < n; ++i, in += in_stride, out += out_stride) {
    const T* const x = reinterpret_cast<const T*>(in);
    T* const y = reinterpret_cast<T*>(out);
#pragma omp simd
    for (std::int64_t r = 0; r < rows; ++r) {
      sums[r] = Core::include(sums[r], x[r]);
      y[r] = kernel::narrow<T>(sums[r]);
      if constexpr (kernel::is_half<T>) sums[r] = kernel::to_accumulator<scan_value<Core>>(y[r]);
    }
  }
}

template<class Core>
void run(const core::scan_plan& plan) {
  using T = typename Core::element;
  const row_space space(plan.shape, plan.ndim);
  const std::int64_t in_stride = space.column_stride(plan.in_strides),
                     out_stride = space.column_stride(plan.out_strides);
  const std::int64_t in_row = space.row_stride(plan.in_strides), out_row = space.row_stride(plan.out_strides);
  const auto size = static_cast<std::int64_t>(sizeof(T));
  const bool side_by_side = in_row == size && out_row == size;
  const std::int64_t grain = (side_by_side ? width : 1) + serial_elements / space.columns;
  parallel_for(space.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end;) {
      const std::int64_t inner = space.outer > 0 ? plan.shape[space.outer - 1] : 1;
      const std::int64_t rows = std::min({width, end - first, inner - first % inner});
      std::int64_t in_offset = 0, out_offset = 0;
      space.for_runs(first, 1, plan.in_strides,
                     [&](std::int64_t o, std::int64_t, std::int64_t) { in_offset = o; });
      space.for_runs(first, 1, plan.out_strides,
                     [&](std::int64_t o, std::int64_t, std::int64_t) { out_offset = o; });
      const char* const in = static_cast<const char*>(plan.in) + in_offset;
      char* const out = static_cast<char*>(plan.out) + out_offset;
      if (side_by_side && rows > 1) {
        scan_side_by_side<Core>(in, in_stride, out, out_stride, space.columns, rows);
      } else {
        for (std::int64_t r = 0; r < rows; ++r)
          scan_row<Core>(in + r * in_row, in_stride, out + r * out_row, out_stride, space.columns);
      }
      first += rows;
    }
  });
}

// The accumulator is the array's own dtype, so that float32 adds up in float32, as NumPy does.
template<class T>
void run_typed(const core::scan_plan& plan) {
  using A = kernel::compute_t<T>;
  switch (plan.op) {
    case core::scan::sum:
      return run<kernel::sum_core<T, A, false>>(plan);
    case core::scan::prod:
      return run<kernel::prod_core<T, A, false>>(plan);
    case core::scan::nansum:
      return run<kernel::sum_core<T, A, kernel::has_nan<T>>>(plan);
    case core::scan::nanprod:
      return run<kernel::prod_core<T, A, kernel::has_nan<T>>>(plan);
  }
}

}  // namespace

void scan(const core::scan_plan& plan) {
  for (int d = 0; d < plan.ndim; ++d)
    if (plan.shape[d] == 0) return;
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return run_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
