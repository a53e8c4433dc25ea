// Einstein's summation convention, NumPy's einsum.
#pragma once
#include <string>
#include <vector>

#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's keyword argument of einsum: how the order of the contractions is found. "greedy" takes the pair
/// that leaves the least memory, next to the cheapest; "optimal" tries all orders of up to 6 operands;
/// "none", NumPy's False, goes from left to right.
struct einsum_options {
  std::string_view optimize = "greedy";
};

/// What einsum_path returns: the positions in the list of operands of those that are contracted, one after
/// the other (each time they are taken out and their product goes to the end), and NumPy's table of it.
struct einsum_path_result {
  std::vector<std::vector<std::int64_t>> path;
  std::string text;
};

namespace detail {

GPARRAY_API einsum_path_result einsum_path(std::string_view subscripts, std::span<const any_array> operands,
                                           const einsum_options& options);
GPARRAY_API any_array einsum(std::string_view subscripts, std::span<const any_array> operands, dtype type,
                             const einsum_options& options);

template<array_like... A>
auto call_einsum(std::string_view subscripts, const einsum_options& options, const A&... operands) {
  using V = result_type_t<element_t<A>...>;
  const any_array list[] = {operands...};
  return as_number<V>(einsum(subscripts, list, dtype_of<V>, options));
}

}  // namespace detail

/// einsum("ij,jk->ik", a, b): each letter names an axis; letters that the result does not have are summed
/// over. Without "->" the result has the letters that occur once, in alphabetical order. "..." stands for the
/// axes that have no letter, which broadcast, as axes of size 1 do. A letter twice in one operand is its
/// diagonal. The dtype is what the operands promote to, and sums do not widen: those of int8 wrap. Pairs of
/// operands are contracted by matrix products. Of one operand without sums the result is a view. Throws
/// value_error with NumPy's text.
template<array_like... A>
  requires(sizeof...(A) > 0)
[[nodiscard]] auto einsum(std::string_view subscripts, const A&... operands) {
  return detail::call_einsum(subscripts, {}, operands...);
}
template<array_like A>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const einsum_options& options) {
  return detail::call_einsum(subscripts, options, a);
}
template<array_like A, array_like B>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const B& b,
                          const einsum_options& options) {
  return detail::call_einsum(subscripts, options, a, b);
}
template<array_like A, array_like B, array_like C>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const B& b, const C& c,
                          const einsum_options& options) {
  return detail::call_einsum(subscripts, options, a, b, c);
}
template<array_like A, array_like B, array_like C, array_like D>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const B& b, const C& c, const D& d,
                          const einsum_options& options) {
  return detail::call_einsum(subscripts, options, a, b, c, d);
}
/// For any number of operands.
template<element V>
[[nodiscard]] ndarray<V> einsum(std::string_view subscripts, const std::vector<ndarray<V>>& operands,
                                const einsum_options& options = {}) {
  const std::vector<any_array> list(operands.begin(), operands.end());
  return detail::typed<V>(detail::einsum(subscripts, list, dtype_of<V>, options));
}

/// The order in which einsum contracts these operands: `auto [path, text] = einsum_path("ij,jk,kl", a, b,
/// c);`. Always in pairs, where NumPy may leave several operands to one loop. Throws value_error.
template<array_like... A>
  requires(sizeof...(A) > 0)
[[nodiscard]] einsum_path_result einsum_path(std::string_view subscripts, const A&... operands) {
  const any_array list[] = {operands...};
  return detail::einsum_path(subscripts, list, {});
}
template<element V>
[[nodiscard]] einsum_path_result einsum_path(std::string_view subscripts,
                                             const std::vector<ndarray<V>>& operands,
                                             const einsum_options& options = {}) {
  const std::vector<any_array> list(operands.begin(), operands.end());
  return detail::einsum_path(subscripts, list, options);
}

GPARRAY_END_NAMESPACE
