// Host arrays as std::mdspan and back, without copies. Needs <mdspan> of C++23, or the one of Kokkos, as
// <mdspan/mdspan.hpp> or <experimental/mdspan>; no other header includes this one.
#pragma once
#include <array>
#include <utility>
#include <version>

#include <gparray/creation.hpp>
#include <gparray/span.hpp>

#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan)
#define GPARRAY_MDSPAN_NAMESPACE std
#elif __has_include(<mdspan/mdspan.hpp>)
#include <mdspan/mdspan.hpp>
#define GPARRAY_MDSPAN_NAMESPACE ::MDSPAN_IMPL_STANDARD_NAMESPACE
#elif __has_include(<experimental/mdspan>)
#include <experimental/mdspan>
#define GPARRAY_MDSPAN_NAMESPACE ::MDSPAN_IMPL_STANDARD_NAMESPACE
#else
#error "<gparray/mdspan.hpp> needs std::mdspan (C++23) or Kokkos' <mdspan/mdspan.hpp>"
#endif

#ifdef GPARRAY_MDSPAN_NAMESPACE
GPARRAY_BEGIN_NAMESPACE

namespace detail {

namespace md = GPARRAY_MDSPAN_NAMESPACE;

template<class M>
inline constexpr bool is_mdspan = false;
template<class T, class E, class L, class A>
inline constexpr bool is_mdspan<md::mdspan<T, E, L, A>> = true;

template<class M>
M make_mdspan(const any_array& a) {
  using extents = typename M::extents_type;
  using index = typename M::index_type;
  using mapping = typename M::mapping_type;
  constexpr std::size_t rank = extents::rank();
  check_view_rank("as_mdspan", a, rank);
  const dims strides = unique_strides("as_mdspan", a);
  std::array<index, rank> sizes{}, steps{};
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t n = a.shape()[d];
    constexpr auto dynamic = md::dynamic_extent;
    if (extents::static_extent(d) != dynamic)
      check_view_size("as_mdspan", a, d, static_cast<std::int64_t>(extents::static_extent(d)));
    if (!std::in_range<index>(n) || !std::in_range<index>(strides[d]))
      throw_view_layout("as_mdspan", a, "the extents' type of integers can tell");
    sizes[d] = static_cast<index>(n);
    steps[d] = static_cast<index>(strides[d]);
  }
  auto* const data = host_data<typename M::element_type>(a);
  if constexpr (std::is_same_v<typename M::layout_type, md::layout_stride>) {
    return M(data, mapping(extents(sizes), steps));
  } else {
    const mapping map{extents(sizes)};
    if constexpr (rank > 0)
      for (std::size_t d = 0; d < rank; ++d)
        if (a.size() > 0 && sizes[d] > 1 && map.stride(d) != steps[d])
          throw_view_layout("as_mdspan", a, "the mdspan's layout asks");
    return M(data, map);
  }
}

}  // namespace detail

/// The elements of an array as an mdspan of a given rank: as_mdspan<2>(a), with layout_stride, or
/// as_mdspan<2, std::layout_right>(a). Valid as long as the array's memory. Computes what is pending; waits
/// for a GPU that computes on memory of both.
/// Throws value_error for another rank or layout, for strides that are negative, repeat elements or are no
/// multiples of the element, and for a read-only array; device_error if the CPU does not reach it. The view
/// of an expression does not compile.
template<std::size_t Rank, class Layout = detail::md::layout_stride, array_like A>
  requires(!detail::is_expr_rvalue<A>)
[[nodiscard]] auto as_mdspan(A&& a) {
  using M = detail::md::mdspan<detail::element_t<A>, detail::md::dextents<std::int64_t, Rank>, Layout>;
  return detail::make_mdspan<M>(a);
}
/// As exactly this type, whose fixed extents must be the array's sizes. One of const elements takes read-only
/// arrays.
template<class M, array_like A>
  requires(detail::is_mdspan<M> && detail::element_view_of<typename M::element_type, A> &&
           !detail::is_expr_rvalue<A>)
[[nodiscard]] M as_mdspan(A&& a) {
  return detail::make_mdspan<M>(a);
}

/// An array of the elements that an mdspan shows, with its strides; the memory must stay valid until the last
/// view is gone, unless `options.release` frees it then. One of const elements makes a read-only array. The
/// strides of the options are not looked at.
template<class T, class Extents, class Layout, class Accessor>
  requires(element<std::remove_const_t<T>> && std::is_pointer_v<typename Accessor::data_handle_type> &&
           detail::md::mdspan<T, Extents, Layout, Accessor>::is_always_strided())
[[nodiscard]] ndarray<std::remove_const_t<T>> from_mdspan(
    const detail::md::mdspan<T, Extents, Layout, Accessor>& m, buffer_options options = {}) {
  dims shape, strides;
  for (std::size_t d = 0; d < Extents::rank(); ++d) {
    shape.push_back(static_cast<std::int64_t>(m.extent(d)));
    strides.push_back(static_cast<std::int64_t>(m.stride(d)) * static_cast<std::int64_t>(sizeof(T)));
  }
  options.strides = strides;
  return frombuffer(m.data_handle(), shape, std::move(options));
}

GPARRAY_END_NAMESPACE
#endif
