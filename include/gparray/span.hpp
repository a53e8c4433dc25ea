// The elements of host arrays as std::span.
#pragma once
#include <span>
#include <string_view>

#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// The address of what will be a span or a matrix of another library, as raw_data() gives it. Throws
/// device_error if the CPU cannot reach it, value_error if it shall be written to and is read-only.
GPARRAY_API void* host_address(const any_array& a, bool writes);
template<class T>
T* host_data(const any_array& a) {
  return static_cast<T*>(host_address(a, !std::is_const_v<T>));
}
GPARRAY_API void check_span(const any_array& a);
/// Strides in elements. Throws value_error, naming the function, for those that are negative or broken.
GPARRAY_API dims element_strides(const char* function, const any_array& a);
/// The same, and value_error if elements share an address.
GPARRAY_API dims unique_strides(const char* function, const any_array& a);
GPARRAY_API void check_view_rank(const char* function, const any_array& a, std::size_t rank);
GPARRAY_API void check_view_size(const char* function, const any_array& a, std::size_t axis,
                                 std::int64_t size);
[[noreturn]] GPARRAY_API void throw_view_layout(const char* function, const any_array& a,
                                                std::string_view wanted);

template<class T, class A>
concept element_view_of = std::is_same_v<T, element_t<A>> || std::is_same_v<T, const element_t<A>>;

}  // namespace detail

/// The elements of an array in C order as a std::span, valid as long as its memory: as_span(a), or
/// as_span<const float>(a), which reads, and takes read-only arrays too. Throws value_error unless the array
/// is C-contiguous (ascontiguousarray copies) and may be written to, device_error if the CPU does not reach
/// it. The span of an expression would outlive its elements, and does not compile.
template<class T, array_like A>
  requires(detail::element_view_of<T, A> && !detail::is_expr_rvalue<A>)
[[nodiscard]] std::span<T> as_span(A&& a) {
  detail::check_span(a);
  return {detail::host_data<T>(a), static_cast<std::size_t>(a.size())};
}
/// The elements of an array in C order as a std::span that can be written to, valid as long as its memory.
template<array_like A>
  requires(!detail::is_expr_rvalue<A>)
[[nodiscard]] std::span<detail::element_t<A>> as_span(A&& a) {
  return as_span<detail::element_t<A>>(a);
}
template<class T, array_like A>
  requires(detail::is_expr_rvalue<A>)
void as_span(A&& a) = delete;
template<array_like A>
  requires(detail::is_expr_rvalue<A>)
void as_span(A&& a) = delete;

GPARRAY_END_NAMESPACE
