// eval: several expressions computed together.
#pragma once
#include <tuple>

#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Computes pending expressions: their work is enqueued on the current stream, and nothing waits for it.
/// Reductions of the same array (or of equal expressions) over the same axes read it once:
///     auto [sum, mean, std] = gp::eval(gp::sum(a), gp::mean(a), gp::std(a));
/// Each result has the bits that it has alone. Returns the computed arrays, which share with the arguments.
template<array_like... A>
  requires(sizeof...(A) > 0)
std::tuple<ndarray<detail::element_t<A>>...> eval(A&&... expressions) {
  const any_array* const together[] = {&expressions...};
  detail::eval_together(together);
  return {detail::typed<detail::element_t<A>>(any_array(expressions))...};
}

GPARRAY_END_NAMESPACE
