// eval: several expressions computed together.
#pragma once
#include <tuple>

#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Computes pending expressions: their work is enqueued on the current stream, and nothing waits for it.
/// Reductions of the same array (or of equal expressions) over the same axes read it once:
///     auto [sum, mean, std] = gp::eval(gp::sum(a), gp::mean(a), gp::std(a));
/// Each result has the bits that it has alone. Returns a tuple of the computed arrays, which share with the
/// arguments; of a single expression its array.
template<array_like... A>
  requires(sizeof...(A) > 0)
auto eval(A&&... expressions) {
  const any_array* const together[] = {&expressions...};
  detail::eval_together(together);
  if constexpr (sizeof...(A) == 1) return (detail::typed<detail::element_t<A>>(any_array(expressions)), ...);
  else
    return std::tuple<ndarray<detail::element_t<A>>...>(
        detail::typed<detail::element_t<A>>(any_array(expressions))...);
}

GPARRAY_END_NAMESPACE
