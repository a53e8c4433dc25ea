// Binary search for many values at once.
#include <algorithm>

#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/sort_key.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// So many searches go on together, for each waits for memory and for its own comparisons.
constexpr int together = 16;

/// The positions of `together` numbers, none of them NaN: every search takes the same steps, so nothing
/// jumps. NaN, at the end of the sorted ones, compares as not before.
template<bool Right, class T>
void search_together(const T* sorted, std::int64_t n, const T* values, std::int64_t* out) {
  const auto before = [](T element, T value) { return Right ? element <= value : element < value; };
  std::int64_t base[together] = {};
  std::int64_t left = n;
  for (; left > 1; left -= left / 2) {
    const std::int64_t half = left / 2;
    for (int k = 0; k < together; ++k) base[k] += before(sorted[base[k] + half - 1], values[k]) ? half : 0;
  }
  for (int k = 0; k < together; ++k) out[k] = base[k] + (left == 1 && before(sorted[base[k]], values[k]));
}

template<class T>
std::int64_t search_one(const core::search_plan& plan, const T* sorted, T value) {
  const T* const end = sorted + plan.n;
  const T* const found = plan.right ? std::upper_bound(sorted, end, value, kernel::sorts_before<T>)
                                    : std::lower_bound(sorted, end, value, kernel::sorts_before<T>);
  return found - sorted;
}

/// The positions of a few values.
template<class T>
void search_some(const core::search_plan& plan, const T* sorted, const T* values, std::int64_t* out,
                 std::int64_t count) {
  if constexpr (!kernel::is_complex<T> && !kernel::is_half<T>) {
    bool ordered = count == together;
    for (std::int64_t k = 0; k < count; ++k) ordered &= !kernel::is_nan(values[k]);
    if (ordered)
      return plan.right ? search_together<true>(sorted, plan.n, values, out)
                        : search_together<false>(sorted, plan.n, values, out);
  }
  for (std::int64_t k = 0; k < count; ++k) out[k] = search_one(plan, sorted, values[k]);
}

template<class T>
void search_typed(const core::search_plan& plan) {
  const T* const sorted = static_cast<const T*>(plan.sorted);
  const T* const values = static_cast<const T*>(plan.values);
  parallel_for(plan.count, serial_elements / 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; i += together) {
      const std::int64_t count = std::min<std::int64_t>(together, end - i);
      if (!plan.found) {
        search_some(plan, sorted, values + i, plan.out + i, count);
        continue;
      }
      std::int64_t positions[together];
      search_some(plan, sorted, values + i, positions, count);
      for (std::int64_t k = 0; k < count; ++k)
        plan.found[i + k] = kernel::stands_at(sorted, plan.n, positions[k], values[i + k]);
    }
  });
}

}  // namespace

void search(const core::search_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return search_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
