// Einstein's summation convention, NumPy's einsum.
#pragma once
#include <string>
#include <vector>

#include <gparray/ndarray.hpp>
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's keyword argument of einsum and einsum_path.
struct einsum_options {
  /// How the order of the contractions is found: "greedy" takes the pair that leaves the least memory, then
  /// the cheapest one; "optimal" tries all orders of up to 6 operands; "none", NumPy's False, goes from left
  /// to right.
  std::string_view optimize = "greedy";
};

/// The result of einsum_path.
struct einsum_path_result {
  /// The contractions, one after the other: the positions of their operands in the list of operands, from
  /// which these are taken out, while their product goes to the end of the list.
  std::vector<std::vector<std::int64_t>> path;
  /// NumPy's table of the contractions.
  std::string text;
};

namespace detail {

GPARRAY_API einsum_path_result einsum_path(std::string_view subscripts, std::span<const any_array> operands,
                                           const einsum_options& options);
GPARRAY_API any_array einsum(std::string_view subscripts, std::span<const any_array> operands, dtype type,
                             const einsum_options& options);

/// Whether sums of products of A can be asked for in V: void, or what all cast to by the same_kind rule.
template<class V, class... A>
concept einsum_dtype = std::is_void_v<V> || (element<V> && (storable<element_t<A>, V> && ...));

template<class V, array_like... A>
auto call_einsum(std::string_view subscripts, const einsum_options& options, const A&... operands) {
  using W = std::conditional_t<std::is_void_v<V>, result_type_t<element_t<A>...>, V>;
  const any_array list[] = {operands...};
  return as_number<W>(einsum(subscripts, list, dtype_of<W>, options));
}

}  // namespace detail

/// Returns sums of products in Einstein's notation: in einsum("ij,jk->ik", a, b) each letter names an axis,
/// and letters that the result does not have are summed over. einsum<V> converts to V first, as dtype= does.
/// Throws value_error with NumPy's text.
template<class V = void, array_like... A>
  requires(sizeof...(A) > 0 && detail::einsum_dtype<V, A...>)
[[nodiscard]] auto einsum(std::string_view subscripts, const A&... operands) {
  return detail::call_einsum<V>(subscripts, {}, operands...);
}
template<class V = void, array_like A>
  requires detail::einsum_dtype<V, A>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const einsum_options& options) {
  return detail::call_einsum<V>(subscripts, options, a);
}
template<class V = void, array_like A, array_like B>
  requires detail::einsum_dtype<V, A, B>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const B& b,
                          const einsum_options& options) {
  return detail::call_einsum<V>(subscripts, options, a, b);
}
template<class V = void, array_like A, array_like B, array_like C>
  requires detail::einsum_dtype<V, A, B, C>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const B& b, const C& c,
                          const einsum_options& options) {
  return detail::call_einsum<V>(subscripts, options, a, b, c);
}
template<class V = void, array_like A, array_like B, array_like C, array_like D>
  requires detail::einsum_dtype<V, A, B, C, D>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const B& b, const C& c, const D& d,
                          const einsum_options& options) {
  return detail::call_einsum<V>(subscripts, options, a, b, c, d);
}
/// Takes any number of operands of one type as a vector.
template<element V>
[[nodiscard]] ndarray<V> einsum(std::string_view subscripts, const std::vector<ndarray<V>>& operands,
                                const einsum_options& options = {}) {
  const std::vector<any_array> list(operands.begin(), operands.end());
  return detail::typed<V>(detail::einsum(subscripts, list, dtype_of<V>, options));
}

/// Returns the order in which einsum contracts these operands, without computing anything: auto [path, text]
/// = einsum_path("ij,jk,kl", a, b, c). Throws value_error with NumPy's text.
template<array_like... A>
  requires(sizeof...(A) > 0)
[[nodiscard]] einsum_path_result einsum_path(std::string_view subscripts, const A&... operands) {
  const any_array list[] = {operands...};
  return detail::einsum_path(subscripts, list, {});
}
/// Takes any number of operands of one type as a vector.
template<element V>
[[nodiscard]] einsum_path_result einsum_path(std::string_view subscripts,
                                             const std::vector<ndarray<V>>& operands,
                                             const einsum_options& options = {}) {
  const std::vector<any_array> list(operands.begin(), operands.end());
  return detail::einsum_path(subscripts, list, options);
}

GPARRAY_END_NAMESPACE
