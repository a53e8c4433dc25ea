// Counts of numbers and of what lies between edges, and values put onto the places that numbers name.
#include <mutex>
#include <vector>

#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/bin_number.hpp>
#include <kernel/compare.hpp>
#include <kernel/reductions.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Each thread counts for itself where that is little memory. number(i) is the bin of element i, or none if
/// it is n_bins.
template<class Number>
void count(const core::bin_plan& plan, Number number) {
  const bool shared = plan.n_bins < plan.n / 16;
  const auto count_all = [&](std::int64_t* counts, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++counts[number(i)];
  };
  const auto room = static_cast<std::size_t>(plan.n_bins) + 1;
  std::vector<std::int64_t> sums(room);
  std::mutex adding;
  parallel_for(plan.n, shared ? serial_elements : plan.n, [&](std::int64_t begin, std::int64_t end) {
    if (!shared) return count_all(sums.data(), begin, end);
    std::vector<std::int64_t> counts(room);
    count_all(counts.data(), begin, end);
    const std::lock_guard lock(adding);
    for (std::size_t b = 0; b < room; ++b) sums[b] += counts[b];
  });
  std::copy_n(sums.begin(), plan.n_bins, plan.out);
}

template<class T>
void count_between(const core::bin_plan& plan) {
  using number = kernel::bin_number<T>;
  const T* const elements = static_cast<const T*>(plan.elements);
  std::vector<typename number::value> edges(static_cast<std::size_t>(plan.n_bins) + 1);
  for (std::size_t i = 0; i < edges.size(); ++i)
    edges[i] = number::wide(static_cast<const typename number::edge*>(plan.edges)[i]);
  const number of(edges.data(), static_cast<int>(plan.n_bins));
  count(plan, [&](std::int64_t i) { return of(edges.data(), elements[i]); });
}

template<class T, T (*Function)(T, T)>
void combine_with(const core::combine_plan& plan) {
  const T* values = static_cast<const T*>(plan.values);
  T* const out = static_cast<T*>(plan.out);
  const std::int64_t inner = plan.inner, n_bins = plan.n_bins;
  const auto place = [&](std::int64_t i) {
    const std::int64_t number = plan.numbers[i];
    return number + (number < 0 ? n_bins : 0);
  };
  if (inner == 1) {
    for (std::int64_t i = 0; i < plan.n; ++i) {
      T& to = out[place(i)];
      to = Function(to, values[i]);
    }
    return;
  }
  for (std::int64_t i = 0; i < plan.n; ++i, values += inner) {
    T* const to = out + place(i) * inner;
    for (std::int64_t j = 0; j < inner; ++j) to[j] = Function(to[j], values[j]);
  }
}

#define GPARRAY_STEP(name, expression)                                                            \
  template<class T>                                                                               \
  T rounded_##name(T x, T y) {                                                                    \
    using compute = kernel::compute_t<T>;                                                         \
    const compute a = kernel::to_accumulator<compute>(x), b = kernel::to_accumulator<compute>(y); \
    return kernel::narrow<T>(expression);                                                         \
  }
GPARRAY_STEP(add, kernel::add(a, b))
GPARRAY_STEP(subtract, kernel::subtract(a, b))
GPARRAY_STEP(multiply, kernel::multiply(a, b))
GPARRAY_STEP(divide, a / b)
GPARRAY_STEP(maximum, kernel::maximum(a, b))
GPARRAY_STEP(minimum, kernel::minimum(a, b))
#undef GPARRAY_STEP

template<class T>
bool combine_typed(const core::combine_plan& plan) {
  if constexpr (!kernel::is_bool<T>) {
    switch (plan.op) {
      case ufunc::add:
        combine_with<T, rounded_add<T>>(plan);
        return true;
      case ufunc::subtract:
        combine_with<T, rounded_subtract<T>>(plan);
        return true;
      case ufunc::multiply:
        combine_with<T, rounded_multiply<T>>(plan);
        return true;
      case ufunc::maximum:
        combine_with<T, rounded_maximum<T>>(plan);
        return true;
      case ufunc::minimum:
        combine_with<T, rounded_minimum<T>>(plan);
        return true;
      case ufunc::divide:
        if constexpr (kernel::is_integer<T>) return false;
        else combine_with<T, rounded_divide<T>>(plan);
        return true;
      default:
        return false;
    }
  }
  return false;
}

}  // namespace

void count_bins(const core::bin_plan& plan) {
  if (plan.numbers) return count(plan, [&](std::int64_t i) { return plan.numbers[i]; });
  if (plan.n == 0) std::fill_n(plan.out, plan.n_bins, std::int64_t{0});
  else {
    switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind)                                   \
  case dtype::name:                                                                          \
    if constexpr (!kernel::is_complex<kernel_type>) return count_between<kernel_type>(plan); \
    break;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
    }
  }
}

bool combine(const core::combine_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return combine_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return false;
}

}  // namespace host
GPARRAY_END_NAMESPACE
