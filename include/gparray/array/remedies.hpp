// What is easily written and not meant: deleted, with the remedy on the line that g++ and clang show.
#pragma once
#include <gparray/array/operand.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// Arrays that are no condition; numbers are.
template<class A>
concept several = array_like<A> && !number_like<A>;

template<class A, class B>
concept several_of = several<A> || several<B>;

/// The second argument of what takes an array and an axis, if it is neither.
template<class B, class A>
concept other_operand =
    operand_like<A> && (array_like<B> || (array_like<A> && scalar_like<B> && !std::integral<B>));

template<class... N>
concept several_sizes = sizeof...(N) > 1;

}  // namespace detail

// The remedy must stay on the line of the name.
// clang-format off

template<class A, class B>
requires detail::several_of<A, B>
void operator&&(const A& a, const B& b) = delete;  // element by element: a & b; in all: gp::all(a) && gp::all(b)
template<class A, class B>
requires detail::several_of<A, B>
void operator||(const A& a, const B& b) = delete;  // element by element: a | b; in all: gp::any(a) || gp::any(b)
template<detail::several A>
void operator!(const A& a) = delete;  // element by element: ~a or gp::logical_not(a); in all: !gp::any(a)

template<class Element = void, class A, detail::other_operand<A> B>
void max(const A& a, const B& b) = delete;  // the larger of two: gp::maximum(a, b); of all: gp::max(a)
template<class Element = void, class A, detail::other_operand<A> B>
void min(const A& a, const B& b) = delete;  // the smaller of two: gp::minimum(a, b); of all: gp::min(a)

template<operand_like C, operand_like X>
void where(const C& condition, const X& x) = delete;  // where(condition, x, y), or where(condition) for indices

template<element V = double, std::integral... N>
requires detail::several_sizes<N...>
void empty(N... sizes) = delete;  // the shape in braces: empty({2, 3})
template<element V = double, std::integral... N>
requires detail::several_sizes<N...>
void zeros(N... sizes) = delete;  // the shape in braces: zeros({2, 3})
template<element V = double, std::integral... N>
requires detail::several_sizes<N...>
void ones(N... sizes) = delete;  // the shape in braces: ones({2, 3})
template<class V = void, std::integral M, std::integral N, scalar_like... X>
requires(sizeof...(X) > 0)
void full(M rows, N columns, X... value) = delete;  // the shape in braces: full({2, 3}, value)
template<class V = void, scalar_like... X>
requires detail::several_sizes<X...>
void array(X... numbers) = delete;  // the elements in braces: array({1, 2, 3})
template<array_like A, std::integral... N>
requires detail::several_sizes<N...>
void reshape(const A& a, N... sizes) = delete;  // the shape in braces: reshape(a, {2, 3})
template<array_like A, std::integral... N>
requires detail::several_sizes<N...>
void transpose(const A& a, N... axes) = delete;  // the axes in braces: transpose(a, {1, 0})

// clang-format on

GPARRAY_END_NAMESPACE
