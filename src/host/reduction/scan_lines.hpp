// The way of the host's scans through a plan: line by line, or many lines together where they lie side by
// side.
#pragma once
#include <host/map/rows.hpp>
#include <host/support/clones.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Lines whose elements with the same index are neighbours are scanned together: so many that pages are read
/// in long pieces, and that the values of all stay in the first-level cache.
inline constexpr std::int64_t lines_together = 512;

/// Calls line(in, in_stride, out, out_stride, n) or together(in, in_stride, out, out_stride, n, lines).
template<class T, class Line, class Together>
void scan_lines(const core::scan_plan& plan, Line line, Together together) {
  const row_space space(plan.shape, plan.ndim);
  const std::int64_t in_stride = space.column_stride(plan.in_strides),
                     out_stride = space.column_stride(plan.out_strides);
  const std::int64_t in_row = space.row_stride(plan.in_strides), out_row = space.row_stride(plan.out_strides);
  const auto size = static_cast<std::int64_t>(sizeof(T));
  const bool side_by_side = in_row == size && out_row == size;
  const std::int64_t grain = (side_by_side ? std::int64_t{64} : 1) + serial_elements / space.columns;
  parallel_for(space.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end;) {
      const std::int64_t inner = space.outer > 0 ? plan.shape[space.outer - 1] : 1;
      const std::int64_t rows = std::min({lines_together, end - first, inner - first % inner});
      std::int64_t in_offset = 0, out_offset = 0;
      space.for_runs(first, 1, plan.in_strides,
                     [&](std::int64_t o, std::int64_t, std::int64_t) { in_offset = o; });
      space.for_runs(first, 1, plan.out_strides,
                     [&](std::int64_t o, std::int64_t, std::int64_t) { out_offset = o; });
      const char* const in = static_cast<const char*>(plan.in) + in_offset;
      char* const out = static_cast<char*>(plan.out) + out_offset;
      if (side_by_side && rows > 1) {
        together(in, in_stride, out, out_stride, space.columns, rows);
      } else {
        for (std::int64_t r = 0; r < rows; ++r)
          line(in + r * in_row, in_stride, out + r * out_row, out_stride, space.columns);
      }
      first += rows;
    }
  });
}

template<class Core>
__attribute__((always_inline)) inline void scan_together(const char* in, std::int64_t in_stride, char* out,
                                                         std::int64_t out_stride, std::int64_t n,
                                                         std::int64_t lines) {
  using T = typename Core::element;
  using value = typename Core::value;
  value sums[lines_together];
  for (std::int64_t r = 0; r < lines; ++r) sums[r] = Core::identity();
  for (std::int64_t i = 0; i < n; ++i, in += in_stride, out += out_stride) {
    const T* const x = reinterpret_cast<const T*>(in);
    T* const y = reinterpret_cast<T*>(out);
#pragma omp simd
    for (std::int64_t r = 0; r < lines; ++r) {
      sums[r] = Core::include(sums[r], x[r]);
      y[r] = kernel::narrow<T>(sums[r]);
      // A half is rounded at every step: the next one adds to what was stored.
      if constexpr (kernel::is_half<T>) sums[r] = kernel::to_accumulator<value>(y[r]);
    }
  }
}
template<class Core>
GPARRAY_CLONES void scan_together_cloned(const char* in, std::int64_t in_stride, char* out,
                                         std::int64_t out_stride, std::int64_t n, std::int64_t lines) {
  scan_together<Core>(in, in_stride, out, out_stride, n, lines);
}
template<class Core>
GPARRAY_UNFUSED_CLONES void scan_together_unfused(const char* in, std::int64_t in_stride, char* out,
                                                  std::int64_t out_stride, std::int64_t n,
                                                  std::int64_t lines) {
  scan_together<Core>(in, in_stride, out, out_stride, n, lines);
}
/// Lines side by side.
template<class Core>
void scan_side_by_side(const char* in, std::int64_t in_stride, char* out, std::int64_t out_stride,
                       std::int64_t n, std::int64_t lines) {
  if constexpr (kernel::is_complex<typename Core::element>)
    scan_together_unfused<Core>(in, in_stride, out, out_stride, n, lines);
  else scan_together_cloned<Core>(in, in_stride, out, out_stride, n, lines);
}

/// Maxima, minima and operations on bits.
void scan_exact(const core::scan_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
