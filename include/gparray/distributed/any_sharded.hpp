// The part of sharded arrays that knows no element type, and the way into the library.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <gparray/distributed/layout.hpp>
#include <gparray/gparray.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

class node;
/// Elements that have been computed, or how to compute them once it is known where.
using node_ptr = std::shared_ptr<const node>;
/// What a mask selects of an array.
struct selected_elements;
using selected_ptr = std::shared_ptr<const selected_elements>;

/// The selected elements as an array of their own: all ranks learn how many there are.
GPARRAY_API node_ptr read(const selected_ptr& what);

}  // namespace detail

/// An array of which each rank has a part, of whatever element type: what sharded<V> and expressions share.
class GPARRAY_API any_sharded {
 public:
  /// The sizes of all axes of the whole array.
  [[nodiscard]] const dims& shape() const;
  /// The size of one axis; negative counts from the end. Throws axis_error.
  [[nodiscard]] std::int64_t shape(int axis) const;
  /// The number of axes.
  [[nodiscard]] int ndim() const { return static_cast<int>(shape().size()); }
  /// The number of elements of the whole array.
  [[nodiscard]] std::int64_t size() const;
  /// The element type.
  [[nodiscard]] gparray::dtype dtype() const;
  /// Which rank has what.
  [[nodiscard]] distributed::layout layout() const;
  /// The ranks that share the array.
  [[nodiscard]] const communicator& world() const;
  /// The index of the first element of this rank's part.
  [[nodiscard]] dims local_offset() const;
  /// The shape of this rank's part.
  [[nodiscard]] dims local_shape() const;

  /// For the library: the private state.
  [[nodiscard]] const detail::node_ptr& state() const {
    if (!node_) node_ = detail::read(selected_);
    return node_;
  }

 protected:
  explicit any_sharded(detail::node_ptr node) noexcept : node_(std::move(node)) {}
  explicit any_sharded(detail::selected_ptr selected) noexcept : selected_(std::move(selected)) {}

  mutable detail::node_ptr node_;  // null: what is selected has not been looked at
  detail::selected_ptr selected_;
};

namespace detail {

/// Computes an operation from what its operands are on this rank: arrays of which some are broadcast.
using operation = std::function<any_array(std::span<any_array> operands)>;

/// The result of an element-wise operation. Throws value_error if shapes do not broadcast or layouts differ.
GPARRAY_API node_ptr operate(std::vector<node_ptr> operands, dtype result, operation f);
/// An array that every rank has as a whole, as an operand.
GPARRAY_API node_ptr replicated(const any_array& a);
/// The elements in memory, as one array; itself if they are that already.
GPARRAY_API node_ptr computed(const node_ptr& a);
/// New elements of the same values.
GPARRAY_API node_ptr copied(const node_ptr& a);
/// A window by the items of an index. Throws index_error, and value_error for steps along an axis that is
/// cut.
GPARRAY_API node_ptr indexed(const node_ptr& a, std::span<const gparray::detail::index_item> items);
/// target[...] = source, converted.
GPARRAY_API void assign(const node_ptr& target, const node_ptr& source);
GPARRAY_API void assign(const node_ptr& target, const gparray::detail::argument& number);

/// What a mask of the first axes, or all, selects. Throws index_error for a mask of another shape.
GPARRAY_API selected_ptr select(const node_ptr& a, const node_ptr& mask);
/// Writes values, one for each selected element or one for all, to the array.
GPARRAY_API void write(const selected_ptr& what, const node_ptr& values);
GPARRAY_API void write(const selected_ptr& what, const gparray::detail::argument& number);

/// What a rank makes of its part: where it begins and how large it is.
using maker = std::function<any_array(const dims& offset, const dims& shape)>;
GPARRAY_API node_ptr made(const dims& shape, dtype type, const distributed::layout& where, const maker& f);
/// No elements, of a world of one rank.
GPARRAY_API node_ptr nothing(dtype type);
GPARRAY_API node_ptr from_local(const any_array& part, const distributed::layout& where);
GPARRAY_API node_ptr scattered(const any_array& x, int root, const distributed::layout& where);
GPARRAY_API any_array local(const node_ptr& a);
/// Notes that the part was written to.
GPARRAY_API void written(const node_ptr& a);

/// All elements: on every rank, or on the root alone and nothing on the others.
GPARRAY_API any_array gathered(const node_ptr& a, int root);
GPARRAY_API void item(const node_ptr& a, const dims& index, void* value);
GPARRAY_API node_ptr resharded(const node_ptr& a, const distributed::layout& to);
GPARRAY_API node_ptr transposed(const node_ptr& a, const dims& axes);
GPARRAY_API node_ptr reshaped(const node_ptr& a, const dims& shape);
GPARRAY_API std::string text_of(const node_ptr& a);
/// How often a halo of the array has been exchanged, for tests.
GPARRAY_API int exchanges(const node_ptr& a);

/// Over all axes for null: an array of no dimensions then. Throws as the reductions of arrays do.
GPARRAY_API any_array reduced(reduction r, const node_ptr& a, const reduction_options& options);
GPARRAY_API node_ptr reduced(reduction r, const node_ptr& a, const dims& axes,
                             const reduction_options& options);

/// The sum of what each rank has made of its part; where several have the same part, of one of them.
GPARRAY_API any_array sum_of_parts(const node_ptr& a, const any_array& mine);

template<class A>
concept sharded_like = std::derived_from<std::remove_cvref_t<A>, any_sharded>;

/// Arrays of bool, sharded or the same on all ranks.
template<class M>
concept mask_like =
    (sharded_like<M> || array_like<M>) && std::same_as<typename std::remove_cvref_t<M>::value_type, bool>;

}  // namespace detail
}  // namespace distributed
GPARRAY_END_NAMESPACE
