#include <limits>
#include <type_traits>

#include <host/sorting/merge.hpp>
#include <host/sorting/merge_runs.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// The order of sort_key() for numbers as a sort leaves them, whose NaN have no sign, by fewer operations.
template<class T>
auto sorted_key(T x) {
  if constexpr (kernel::is_floating<T>) {
    using signed_bits = std::make_signed_t<kernel::unsigned_t<T>>;
    const auto bits = static_cast<signed_bits>(kernel::to_bits(x));
    return static_cast<signed_bits>(
        bits ^ ((bits >> (8 * sizeof bits - 1)) & std::numeric_limits<signed_bits>::max()));
  } else {
    return x;
  }
}

/// An element, compared as a sort compares it: by its key, in which -0.0 comes before 0.0, or where numbers
/// show the order of equal ones, by its value.
template<class T, bool WithNumbers>
struct ordered {
  T value;

  friend auto key_of(const ordered& item) {
    if constexpr (kernel::is_complex<T>) return item;
    else if constexpr (WithNumbers) return kernel::tie_key(item.value);
    else return sorted_key(item.value);
  }
  friend bool operator<(const ordered& a, const ordered& b) { return kernel::sorts_before(a.value, b.value); }
};

template<class T>
void merge_numbered(const core::sort_plan& plan, std::int64_t begin, std::int64_t end) {
  using item = ordered<T, true>;
  const item *const a = static_cast<const item*>(plan.first.elements), *const b = static_cast<const item*>(
                                                                           plan.second.elements);
  item* const out = static_cast<item*>(plan.sorted);
  const std::int64_t n_a = plan.first.n, n_b = plan.second.n;
  std::int64_t i = from_first(a, n_a, b, n_b, begin), j = begin - i;
  for (std::int64_t k = begin; k < end; ++k) {
    const bool second = j < n_b && (i == n_a || key_of(b[j]) < key_of(a[i]));
    out[k] = second ? b[j] : a[i];
    plan.order[k] = second ? plan.second.numbers[j] : plan.first.numbers[i];
    ++(second ? j : i);
  }
}

template<class T>
void merge_typed(const core::sort_plan& plan) {
  using item = ordered<T, false>;
  parallel_for(plan.n, serial_elements, [&](std::int64_t begin, std::int64_t end) {
    if (plan.order) return merge_numbered<T>(plan, begin, end);
    merge_range(static_cast<const item*>(plan.first.elements), plan.first.n,
                static_cast<const item*>(plan.second.elements), plan.second.n,
                static_cast<item*>(plan.sorted), begin, end);
  });
}

}  // namespace

void merge_runs(const core::sort_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return merge_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
