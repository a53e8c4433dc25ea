// The reductions of one dtype, expanded from reductions.def. Included by reduce_<kind>.cpp.
#pragma once
#include <string_view>

#include <host/reduction/reduce_families.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

template<class Family>
void identity_states(void* states, std::int64_t count) {
  std::fill_n(static_cast<typename Family::state*>(states), count, Family::identity());
}

template<class Family>
void merge_states(void* into, const void* from, std::int64_t count) {
  auto* const a = static_cast<typename Family::state*>(into);
  const auto* const b = static_cast<const typename Family::state*>(from);
  for (std::int64_t i = 0; i < count; ++i) Family::merge(a[i], b[i]);
}

template<class Reduction>
void finish_states(const void* states, std::int64_t count, std::int64_t n, double ddof, void* out,
                   std::int64_t stride) {
  const auto* const s = static_cast<const typename Reduction::state*>(states);
  for (std::int64_t i = 0; i < count; ++i) {
    const typename Reduction::result r = Reduction::finish(s[i], n, ddof);
    __builtin_memcpy(static_cast<char*>(out) + i * stride, &r, sizeof r);
  }
}

template<class Core>
struct decision {
  static constexpr bool (*value)(const void*) = nullptr;
};
template<class E>
struct decision<kernel::single_state<kernel::any_core<E>>> {
  static constexpr bool (*value)(const void*) = [](const void* s) { return *static_cast<const bool*>(s); };
};
template<class E>
struct decision<kernel::single_state<kernel::all_core<E>>> {
  static constexpr bool (*value)(const void*) = [](const void* s) { return !*static_cast<const bool*>(s); };
};

template<class Loops>
constexpr auto rows_of_loops() -> void (*)(void*, const void*, std::int64_t, std::int64_t, std::int64_t) {
  if constexpr (requires { Loops::rows; }) return Loops::rows;
  else return nullptr;
}

template<class Reduction>
constexpr reduce_kernel make_reduction() {
  using family = decltype(family_of(static_cast<Reduction*>(nullptr)));
  using loops = family_loops<family>;
  using state = typename family::state;
  static_assert(sizeof(state) <= max_state_size);
  return {sizeof(state),        loops::running,           identity_states<family>,
          loops::block,         rows_of_loops<loops>(),   loops::columns,
          merge_states<family>, finish_states<Reduction>, decision<family>::value};
}

template<class T, dtype D, bool Exists, template<class> class Reduction>
constexpr reduce_kernel choose_reduction() {
  if constexpr (Exists) return make_reduction<Reduction<T>>();
  else return {};
}

constexpr bool has_reduction(std::string_view domain, dtype type) {
  return gparray::detail::has(domain, kind(type) == 'u' ? 'i' : kind(type));
}

template<class T, dtype D>
struct reduction_rows {
  static const reduce_kernel rows[reduction_count];
};

template<class T, dtype D>
const reduce_kernel reduction_rows<T, D>::rows[] = {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  choose_reduction<T, D, has_reduction(domain, D), kernel::name##_reduction>(),
#include <gparray/tables/reductions.def>
};

}  // namespace host
GPARRAY_END_NAMESPACE

#define GPARRAY_DEFINE_REDUCTIONS(name, kernel_type)                                             \
  GPARRAY_BEGIN_NAMESPACE                                                                        \
  namespace host {                                                                               \
  extern const reduce_kernel* const reductions_##name;                                           \
  const reduce_kernel* const reductions_##name = reduction_rows<kernel_type, dtype::name>::rows; \
  }                                                                                              \
  GPARRAY_END_NAMESPACE
