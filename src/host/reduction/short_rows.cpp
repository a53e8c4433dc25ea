#include <bit>

#include <host/reduction/reduce_lanes.hpp>
#include <host/reduction/short_rows.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr std::int64_t longest = 32;

/// fold_block of at most P elements, a power of two and of more than half of them: lanes beyond have no part
/// in it.
template<int P, class Core, class E>
GPARRAY_INLINE inline typename Core::value fold_short(const E* x, int n) {
  static_assert(P <= lane_count<typename Core::value>);
  typename Core::value lane[P];
  if (n == P) {
#pragma omp simd
    for (int j = 0; j < P; ++j) lane[j] = Core::include(Core::identity(), x[j]);
#pragma GCC unroll 8
    for (int half = P / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) lane[j] = Core::merge(lane[j], lane[j + half]);
    return lane[0];
  }
  for (int j = 0; j < P; ++j) lane[j] = Core::identity();
  for (int j = 0; j < n; ++j) lane[j] = Core::include(lane[j], x[j]);
  for (int j = 0; j + P / 2 < n; ++j) lane[j] = Core::merge(lane[j], lane[j + P / 2]);
#pragma GCC unroll 8
  for (int half = P / 4; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) lane[j] = Core::merge(lane[j], lane[j + half]);
  return lane[0];
}

template<class E>
GPARRAY_INLINE inline const E* row_at(const void* x, std::int64_t step, std::int64_t row) {
  return reinterpret_cast<const E*>(static_cast<const char*>(x) + row * step);
}

template<class Core, int P>
GPARRAY_CLONES void fold_rows(void* s, const void* x, std::int64_t step, std::int64_t count, std::int64_t n) {
  using block_type = block_core<typename shared_core_of<Core>::type>;
  using element = typename shared_core_of<Core>::type::element;
  auto* const states = static_cast<typename kernel::single_state<Core>::state*>(s);
  for (std::int64_t row = 0; row < count; ++row)
    states[row].value = static_cast<typename Core::value>(
        fold_short<P, block_type>(row_at<element>(x, step, row), static_cast<int>(n)));
}

/// The first of n elements that equals `best`, or is NaN like it; there is one. In few elements it is looked
/// for one by one.
template<bool Few, class E>
GPARRAY_INLINE inline std::int64_t find_in_row(const E* x, std::int64_t n, E best) {
  // As wide as an element, so that vectors need no narrowing.
  using flag = std::conditional_t<sizeof(E) == 8, std::int64_t, std::int32_t>;
  std::int64_t i = 0;
  if (kernel::is_nan(best)) {
    while (!kernel::is_nan(x[i])) ++i;
    return i;
  }
  const auto skip = [&]<int AtOnce>(std::integral_constant<int, AtOnce>) GPARRAY_INLINE {
    for (; i + AtOnce <= n; i += AtOnce) {
      flag found = 0;
#pragma omp simd reduction(| : found)
      for (int j = 0; j < AtOnce; ++j) found |= x[i + j] == best ? flag(1) : flag(0);
      if (found != 0) return;
    }
  };
  if constexpr (!Few) {
    skip(std::integral_constant<int, 64>());
    skip(std::integral_constant<int, 8>());
  }
  while (!(x[i] == best)) ++i;
  return i;
}

/// P of 0: rows of any length.
template<class E, bool Greatest, int P>
GPARRAY_CLONES void arg_rows(void* s, const void* x, std::int64_t step, std::int64_t count, std::int64_t n) {
  using core = std::conditional_t<Greatest, kernel::max_core<E, false>, kernel::min_core<E, false>>;
  auto* const states = static_cast<typename kernel::arg_state<E, Greatest, false>::state*>(s);
  for (std::int64_t row = 0; row < count; ++row) {
    const E* const elements = row_at<E>(x, step, row);
    E best;
    if constexpr (P > 0) best = fold_short<P, core>(elements, static_cast<int>(n));
    else
      best = fold_block(
          elements, n, core::identity(), [](E a, E e) GPARRAY_INLINE { return core::include(a, e); },
          [](E a, E b) GPARRAY_INLINE { return core::merge(a, b); });
    states[row] = {best, find_in_row<(P > 0)>(elements, n, best)};
  }
}

template<template<int> class Loop>
rows_loop of_length(std::int64_t n) {
  switch (std::bit_ceil(static_cast<std::uint64_t>(n))) {
    case 2:
      return Loop<2>::run;
    case 4:
      return Loop<4>::run;
    case 8:
      return Loop<8>::run;
    case 16:
      return Loop<16>::run;
    case 32:
      return Loop<32>::run;
    default:
      return nullptr;
  }
}

template<class Core>
struct folds {
  template<int P>
  struct loop {
    static constexpr rows_loop run = &fold_rows<Core, P>;
  };
};
template<class E, bool Greatest>
struct positions {
  template<int P>
  struct loop {
    static constexpr rows_loop run = &arg_rows<E, Greatest, P>;
  };
};

template<class E>
rows_loop find_for(reduction op, std::int64_t n) {
  switch (op) {
    case reduction::sum:
      return of_length<folds<typename kernel::sum_reduction<E>::core>::template loop>(n);
    case reduction::mean:
      return of_length<folds<typename kernel::mean_reduction<E>::core>::template loop>(n);
    case reduction::min:
      return of_length<folds<typename kernel::min_reduction<E>::core>::template loop>(n);
    case reduction::max:
      return of_length<folds<typename kernel::max_reduction<E>::core>::template loop>(n);
    case reduction::argmin:
      return n > longest ? &arg_rows<E, false, 0> : of_length<positions<E, false>::template loop>(n);
    case reduction::argmax:
      return n > longest ? &arg_rows<E, true, 0> : of_length<positions<E, true>::template loop>(n);
    default:
      return nullptr;
  }
}

}  // namespace

rows_loop find_short_rows(reduction op, dtype element, std::int64_t n) {
  switch (element) {
    case dtype::float32:
      return find_for<float>(op, n);
    case dtype::float64:
      return find_for<double>(op, n);
    case dtype::int32:
      return find_for<int>(op, n);
    case dtype::int64:
      return find_for<long>(op, n);
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
