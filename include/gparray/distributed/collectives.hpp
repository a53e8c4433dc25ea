// What all ranks of a communicator do together on arrays: MPI's and NCCL's operations, of any dtype and
// layout.
//
// Every rank calls them, in the same order. On a GPU they are enqueued on the current stream, or on `stream`,
// behind what made the array; on the CPU they are done on return. Results are new arrays on the device of the
// argument. Shapes that must agree and ranks that do not exist are errors on all ranks, before anything is
// sent. Throw distributed_error if a rank does not come, see communicator.
#pragma once
#include <optional>
#include <type_traits>
#include <vector>

#include <gparray/creation.hpp>
#include <gparray/distributed/communicator.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

/// How elements of different ranks become one. any and all are for bool, mean for inexact dtypes.
enum class op : std::uint8_t { sum, prod, min, max, mean, any, all };

/// In which order the elements of ranks are combined.
enum class order : std::uint8_t {
  /// As a balanced binary tree over the numbers of ranks, ((0 + 1) + (2 + 3)) + 4, by gparray's own
  /// functions:
  /// the same bits on every rank, with every engine, in every run, and NaN as in gp::minimum.
  exact,
  /// The engine's own reduction if it has one for the dtype, which may be quicker. Ranks agree, but the bits
  /// may change with the engine, the number of elements and the network.
  any
};

/// Keyword arguments of reductions over ranks.
struct all_reduce_options {
  distributed::op op = distributed::op::sum;             ///< what is computed
  distributed::order order = distributed::order::exact;  ///< in which order
  std::optional<stream_view> stream = {};                ///< instead of the current one
  any_array out = {};                                    ///< an array of shape and dtype of x to write to
};
/// Keyword arguments of reduce_scatter.
struct reduce_scatter_options {
  distributed::op op = distributed::op::sum;  ///< what is computed
  int axis = 0;                               ///< which axis is cut into the ranks' parts
  std::optional<stream_view> stream = {};     ///< instead of the current one
};
/// Keyword arguments of all_gather, gather and scatter.
struct gather_options {
  int axis = 0;                            ///< along which the ranks' parts lie
  std::optional<stream_view> stream = {};  ///< instead of the current one
};
/// Keyword arguments of all_to_all.
struct all_to_all_options {
  int split_axis = 0;                      ///< which axis is cut into parts for the ranks
  int concat_axis = 0;                     ///< along which the parts that come are put together
  std::optional<stream_view> stream = {};  ///< instead of the current one
};
/// Keyword arguments of the other operations.
struct stream_option {
  std::optional<stream_view> stream = {};  ///< instead of the current one
};

namespace detail {

GPARRAY_API any_array all_reduce(const any_array& x, const communicator& c,
                                 const all_reduce_options& options);
GPARRAY_API any_array reduce(const any_array& x, int root, const communicator& c,
                             const all_reduce_options& options);
GPARRAY_API any_array reduce_scatter(const any_array& x, const communicator& c,
                                     const reduce_scatter_options& options);
GPARRAY_API any_array broadcast(const any_array& x, int root, const communicator& c,
                                const stream_option& options);
GPARRAY_API any_array all_gather(const any_array& x, const communicator& c, const gather_options& options);
GPARRAY_API any_array gather(const any_array& x, int root, const communicator& c,
                             const gather_options& options);
GPARRAY_API any_array scatter(const any_array& x, int root, const communicator& c,
                              const gather_options& options);
GPARRAY_API any_array all_to_all(const any_array& x, const communicator& c,
                                 const all_to_all_options& options);
GPARRAY_API void send(const any_array& x, int to, const communicator& c, const stream_option& options);
GPARRAY_API any_array recv(const dims& shape, dtype type, int from, const communicator& c,
                           const stream_option& options);
GPARRAY_API any_array send_recv(const any_array& x, int to, int from, const communicator& c,
                                const stream_option& options);
GPARRAY_API void all_gather_bytes(const void* mine, void* all, std::size_t count, const communicator& c);

template<array_like A>
auto typed_as(any_array&& result) {
  return gparray::detail::typed<gparray::detail::element_t<A>>(std::move(result));
}

}  // namespace detail

/// The elements of x of all ranks combined, element by element: the same array on every rank. x has the same
/// shape everywhere. float16 and bfloat16 are combined as float32 and rounded once. Throws value_error or
/// type_error for an operation that the dtype does not have.
template<array_like A>
ndarray<gparray::detail::element_t<A>> all_reduce(const A& x, const communicator& c,
                                                  const all_reduce_options& options = {}) {
  return detail::typed_as<A>(detail::all_reduce(x, c, options));
}
/// A number of every rank combined, in the same way: it waits for the result.
template<scalar_like S>
auto all_reduce(S x, const communicator& c, const all_reduce_options& options = {}) {
  auto own = gparray::detail::own_type(x);
  return all_reduce(gparray::full<decltype(own)>({}, own, {.device = device::cpu()}), c, options).item();
}
/// The same, of which only the root gets the result; the others get an empty array. It moves what all_reduce
/// moves.
template<array_like A>
ndarray<gparray::detail::element_t<A>> reduce(const A& x, int root, const communicator& c,
                                              const all_reduce_options& options = {}) {
  return detail::typed_as<A>(detail::reduce(x, root, c, options));
}
/// The part of all_reduce(x) that is this rank's: parts lie along an axis in the order of ranks and are those
/// of gp::array_split.
template<array_like A>
[[nodiscard]] ndarray<gparray::detail::element_t<A>> reduce_scatter(
    const A& x, const communicator& c, const reduce_scatter_options& options = {}) {
  return detail::typed_as<A>(detail::reduce_scatter(x, c, options));
}
/// The root's x on every rank. The others' must have the same shape, and its elements are not looked at.
template<array_like A>
[[nodiscard]] ndarray<gparray::detail::element_t<A>> broadcast(const A& x, int root, const communicator& c,
                                                               const stream_option& options = {}) {
  return detail::typed_as<A>(detail::broadcast(x, root, c, options));
}
/// The root's number on every rank: it waits for it.
template<scalar_like S>
[[nodiscard]] auto broadcast(S x, int root, const communicator& c) {
  auto own = gparray::detail::own_type(x);
  return broadcast(gparray::full<decltype(own)>({}, own, {.device = device::cpu()}), root, c).item();
}
/// The arrays of all ranks, one behind the other along an axis, in the order of ranks, on every rank. Along
/// that axis their sizes may differ. Arrays of no dimensions give a vector.
template<array_like A>
[[nodiscard]] ndarray<gparray::detail::element_t<A>> all_gather(const A& x, const communicator& c,
                                                                const gather_options& options = {}) {
  return detail::typed_as<A>(detail::all_gather(x, c, options));
}
/// The same on the root alone; the others get an empty array.
template<array_like A>
[[nodiscard]] ndarray<gparray::detail::element_t<A>> gather(const A& x, int root, const communicator& c,
                                                            const gather_options& options = {}) {
  return detail::typed_as<A>(detail::gather(x, root, c, options));
}
/// The part of the root's x that is this rank's, along an axis and as of gp::array_split. What the others
/// give says the dtype and is not looked at otherwise.
template<array_like A>
[[nodiscard]] ndarray<gparray::detail::element_t<A>> scatter(const A& x, int root, const communicator& c,
                                                             const gather_options& options = {}) {
  return detail::typed_as<A>(detail::scatter(x, root, c, options));
}
/// Cuts x into a part for each rank (gp::array_split along split_axis) and sends it there; the parts that
/// come are put together along concat_axis, along which their sizes may differ, in the order of ranks.
template<array_like A>
[[nodiscard]] ndarray<gparray::detail::element_t<A>> all_to_all(const A& x, const communicator& c,
                                                                const all_to_all_options& options = {}) {
  return detail::typed_as<A>(detail::all_to_all(x, c, options));
}

/// Sends x to another rank, which must receive it; may wait until it does. Of several ranks that send to each
/// other use send_recv.
template<array_like A>
void send(const A& x, int to, const communicator& c, const stream_option& options = {}) {
  detail::send(x, to, c, options);
}
/// The array of this shape and dtype that a rank sends here, on the device of this rank. Throws
/// distributed_error if it sends another number of bytes.
template<element V>
[[nodiscard]] ndarray<V> recv(const dims& shape, int from, const communicator& c,
                              const stream_option& options = {}) {
  return gparray::detail::typed<V>(detail::recv(shape, dtype_of<V>, from, c, options));
}
/// Sends x to a rank and receives an array of the same shape and dtype from one, at the same time.
template<array_like A>
[[nodiscard]] ndarray<gparray::detail::element_t<A>> send_recv(const A& x, int to, int from,
                                                               const communicator& c,
                                                               const stream_option& options = {}) {
  return detail::typed_as<A>(detail::send_recv(x, to, from, c, options));
}

/// A value in host memory of every rank, in the order of ranks: a size, a time, a struct without pointers.
template<class T>
  requires(std::is_trivially_copyable_v<T> && !std::same_as<T, bool>)
[[nodiscard]] std::vector<T> all_gather_values(const T& value, const communicator& c) {
  std::vector<T> all(static_cast<std::size_t>(c.size()));
  detail::all_gather_bytes(&value, all.data(), sizeof(T), c);
  return all;
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
