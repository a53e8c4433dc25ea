// Who has which part of an array.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gparray/array/dims.hpp>
#include <gparray/distributed/communicator.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {
struct mesh_state;
struct layout_state;
struct placement;
}  // namespace detail

/// The ranks of a communicator as a grid, numbered in C order, so that axes of arrays can be split along axes
/// of the grid. To make one of more than one dimension every rank must call this.
class GPARRAY_API mesh {
 public:
  /// All ranks in a row.
  mesh(const communicator& world);
  /// A grid of this shape. Throws value_error unless its sizes multiply to the number of ranks.
  mesh(const communicator& world, const dims& shape);

  /// The sizes of the grid.
  [[nodiscard]] const dims& shape() const noexcept;
  /// Where this rank is along an axis of the grid.
  [[nodiscard]] int coordinate(int axis) const;
  /// All ranks of the grid.
  [[nodiscard]] const communicator& world() const noexcept;

  /// For the library.
  [[nodiscard]] const std::shared_ptr<const detail::mesh_state>& state() const noexcept { return state_; }
  explicit mesh(std::shared_ptr<const detail::mesh_state> state) noexcept : state_(std::move(state)) {}

 private:
  std::shared_ptr<const detail::mesh_state> state_;
};

/// Which axes of an array are cut into blocks, one for each rank along an axis of the mesh, and where. What
/// is not cut every rank has as a whole. Blocks may differ in size and be empty.
///
/// Without other boundaries an axis of n elements is cut as evenly as possible: into whole units of 2048
/// where no block is then more than an eighth larger than n / ranks, else of 1. At multiples of 2048
/// reductions along the axis give the same bits for any number of ranks.
class GPARRAY_API layout {
 public:
  /// Blocks of the first axis, one for each rank.
  static layout rows(const mesh& of);
  static layout rows(const communicator& world) { return rows(mesh(world)); }
  /// Axis k of an array is cut along axis axes[k] of the mesh, or whole for -1 and beyond the list. Throws
  /// value_error if an axis of the mesh is not there, or is there twice.
  static layout blocks(const mesh& of, const std::vector<int>& axes);
  /// Every rank has all elements.
  static layout replicated(const mesh& of);
  static layout replicated(const communicator& world) { return replicated(mesh(world)); }

  /// The same with these boundaries along an axis of the array: one number more than there are ranks along
  /// the mesh, from 0 to the axis' size, none less than the one before. The layout is then for arrays of that
  /// size.
  [[nodiscard]] layout with_boundaries(int axis, const std::vector<std::int64_t>& boundaries) const;

  /// The grid of ranks.
  [[nodiscard]] mesh ranks() const;
  /// The axis of the mesh along which an axis of arrays is cut; -1 for none.
  [[nodiscard]] int mesh_axis(int axis) const noexcept;
  /// "rows of 3 ranks", for people.
  [[nodiscard]] std::string str() const;

  /// For the library: where an array of this shape is. Throws value_error for boundaries of another size.
  [[nodiscard]] std::shared_ptr<const detail::placement> place(const dims& shape) const;
  [[nodiscard]] const std::shared_ptr<const detail::layout_state>& state() const noexcept { return state_; }
  explicit layout(std::shared_ptr<const detail::layout_state> state) noexcept : state_(std::move(state)) {}

 private:
  std::shared_ptr<const detail::layout_state> state_;
};

}  // namespace distributed
GPARRAY_END_NAMESPACE
