// Cumulative maxima, minima and operations on bits. A maximum seldom changes, so a line is read in blocks,
// and only those that change it are read element by element.
#include <host/reduction/scan_lines.hpp>
#include <kernel/bit_cores.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Elements of a block: some vectors.
template<class T>
constexpr std::int64_t block_of = std::max<std::int64_t>(128 / static_cast<std::int64_t>(sizeof(T)), 16);

template<class Core>
inline constexpr bool is_greatest = false;
template<class T, bool SkipNan>
inline constexpr bool is_greatest<kernel::max_core<T, SkipNan>> = true;

/// Whether nothing in the block changes the value. For a NaN the answer may be no.
template<class Core>
__attribute__((always_inline)) inline bool keeps(typename Core::value value,
                                                 const typename Core::element* x) {
  int changes = 0;
#pragma omp simd reduction(| : changes)
  for (std::int64_t j = 0; j < block_of<typename Core::element>; ++j)
    changes |= !(Core::include(value, x[j]) == value);
  return changes == 0;
}

template<class T>
__attribute__((always_inline)) inline bool has_nan(const T* x) {
  int found = 0;
#pragma omp simd reduction(| : found)
  for (std::int64_t j = 0; j < block_of<T>; ++j) found |= x[j] != x[j];
  return found != 0;
}

/// Real numbers side by side.
template<class Core>
GPARRAY_CLONES void scan_contiguous(const typename Core::element* in, typename Core::element* out,
                                    std::int64_t n) {
  using T = typename Core::element;
  constexpr std::int64_t block = block_of<T>;
  T value = Core::identity();
  std::int64_t i = 0;
  for (; i + block <= n; i += block) {
    const T* const x = in + i;
    T* const y = out + i;
    if (keeps<Core>(value, x)) {
      for (std::int64_t j = 0; j < block; ++j) y[j] = value;
    } else if (value != value || has_nan(x)) {
      for (std::int64_t j = 0; j < block; ++j) y[j] = value = Core::include(value, x[j]);
    } else {  // one instruction for each, which would not do for a NaN
      for (std::int64_t j = 0; j < block; ++j) {
        if constexpr (is_greatest<Core>) value = x[j] > value ? x[j] : value;
        else value = x[j] < value ? x[j] : value;
        y[j] = value;
      }
    }
  }
  for (; i < n; ++i) out[i] = value = Core::include(value, in[i]);
}

template<class Core>
void scan_line(const char* in, std::int64_t in_stride, char* out, std::int64_t out_stride, std::int64_t n) {
  using T = typename Core::element;
  if constexpr (kernel::is_integer<T> || kernel::is_real<T>) {
    constexpr bool is_extreme = !kernel::is_same<Core, kernel::bit_and_core<T>> &&
                                !kernel::is_same<Core, kernel::bit_or_core<T>> &&
                                !kernel::is_same<Core, kernel::bit_xor_core<T>>;
    const auto size = static_cast<std::int64_t>(sizeof(T));
    if constexpr (is_extreme) {
      if (in_stride == size && out_stride == size)
        return scan_contiguous<Core>(reinterpret_cast<const T*>(in), reinterpret_cast<T*>(out), n);
    }
  }
  typename Core::value value = Core::identity();
  for (std::int64_t i = 0; i < n; ++i, in += in_stride, out += out_stride) {
    value = Core::include(value, *reinterpret_cast<const T*>(in));
    *reinterpret_cast<T*>(out) = kernel::narrow<T>(value);
  }
}

template<class Core>
void run(const core::scan_plan& plan) {
  scan_lines<typename Core::element>(plan, scan_line<Core>, scan_side_by_side<Core>);
}

/// False and true are 0 and 1.
template<class T>
using number_t = kernel::conditional_t<kernel::is_bool<T>, unsigned char, T>;

template<class T>
void scan_extremes(const core::scan_plan& plan) {
  switch (plan.op) {
    case core::scan::max:
      return run<kernel::max_core<T, false>>(plan);
    case core::scan::min:
      return run<kernel::min_core<T, false>>(plan);
    case core::scan::fmax:
      return run<kernel::max_core<T, kernel::has_nan<T>>>(plan);
    default:
      return run<kernel::min_core<T, kernel::has_nan<T>>>(plan);
  }
}

template<class T>
void scan_bits(const core::scan_plan& plan) {
  switch (plan.op) {
    case core::scan::bitwise_and:
      return run<kernel::bit_and_core<T>>(plan);
    case core::scan::bitwise_or:
      return run<kernel::bit_or_core<T>>(plan);
    default:
      return run<kernel::bit_xor_core<T>>(plan);
  }
}

}  // namespace

void scan_exact(const core::scan_plan& plan) {
  if (plan.op >= core::scan::bitwise_and) {
    switch (itemsize(plan.type)) {
      case 1:
        return scan_bits<unsigned char>(plan);
      case 2:
        return scan_bits<unsigned short>(plan);
      case 4:
        return scan_bits<unsigned>(plan);
      default:
        return scan_bits<unsigned long>(plan);
    }
  }
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return scan_extremes<number_t<kernel_type>>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
