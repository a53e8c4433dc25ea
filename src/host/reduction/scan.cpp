// Inclusive scans along the last dimension: one element after the other, as NumPy adds them.
#include <host/reduction/scan_lines.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class Core>
void scan_line(const char* in, std::int64_t in_stride, char* out, std::int64_t out_stride, std::int64_t n) {
  using T = typename Core::element;
  using value = typename Core::value;
  value sum = Core::identity();
  for (std::int64_t i = 0; i < n; ++i, in += in_stride, out += out_stride) {
    sum = Core::include(sum, *reinterpret_cast<const T*>(in));
    const T stored = kernel::narrow<T>(sum);
    *reinterpret_cast<T*>(out) = stored;
    if constexpr (kernel::is_half<T>) sum = kernel::to_accumulator<value>(stored);
  }
}

template<class Core>
void run(const core::scan_plan& plan) {
  scan_lines<typename Core::element>(plan, scan_line<Core>, scan_side_by_side<Core>);
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
    default:
      return scan_exact(plan);
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
