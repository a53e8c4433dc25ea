// Where the elements of an array are.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include <gparray/array/dims.hpp>
#include <gparray/distributed/layout.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

struct mesh_state {
  communicator world;
  dims shape, coordinates;
  std::vector<communicator> lines;  // of those ranks that differ in this coordinate alone

  /// The rank at the coordinates of this one but for one axis.
  int neighbour(int axis, std::int64_t coordinate) const;
  dims coordinates_of(int rank) const;
};

/// Whether they are the same grid of the same ranks.
bool same_mesh(const std::shared_ptr<const mesh_state>& a,
               const std::shared_ptr<const mesh_state>& b) noexcept;

using boundaries = std::shared_ptr<const std::vector<std::int64_t>>;

/// Elements [begin, end) of an axis.
struct range {
  std::int64_t begin = 0, end = 0;

  std::int64_t size() const noexcept { return end > begin ? end - begin : 0; }
  range cut(range other) const noexcept { return {std::max(begin, other.begin), std::min(end, other.end)}; }
  friend bool operator==(const range&, const range&) = default;
};
using box = std::vector<range>;

/// How one axis is distributed. Element i lives where element i + shift of the axis of which the cuts are
/// does: so a window of an array is where the array is.
struct axis_place {
  int mesh_axis = -1;  // whole
  boundaries cuts;
  std::int64_t shift = 0;

  bool whole() const noexcept { return mesh_axis < 0; }
  /// Whether the same cuts are meant, wherever a window of them begins.
  bool same_cuts(const axis_place& other) const noexcept {
    return mesh_axis == other.mesh_axis && (whole() || cuts == other.cuts || *cuts == *other.cuts);
  }
  /// The block of a coordinate, which may reach over the ends of a window.
  range block(std::int64_t coordinate) const {
    return {(*cuts)[static_cast<std::size_t>(coordinate)] - shift,
            (*cuts)[static_cast<std::size_t>(coordinate) + 1] - shift};
  }
  /// Its elements, of n.
  range own(std::int64_t coordinate, std::int64_t n) const { return block(coordinate).cut({0, n}); }
};

struct layout_state {
  std::shared_ptr<const mesh_state> ranks;
  std::vector<int> mesh_axes;           // of axes of arrays; -1: whole
  std::vector<boundaries> given;        // of the same axes; null: by default
  std::vector<axis_place> places = {};  // of the same axes, if the layout is that of an array: what has these
                                        // boundaries, so that a window's lies beside the array still
};

struct placement {
  std::shared_ptr<const mesh_state> ranks;
  dims shape;
  std::vector<axis_place> axes;

  /// What this rank has of an axis.
  range own(std::size_t axis) const;
  box own() const;
  /// What a rank has.
  box own_of(int rank) const;
  /// Whether a rank is the first of those that have the same.
  bool first_of_its_kind(int rank) const;
  dims own_shape() const;
  /// Whether every rank has all elements.
  bool replicated() const noexcept;
  /// Whether they are the same for arrays of one shape.
  bool same(const placement& other) const noexcept;
  /// The same elements with boundaries that do not depend on where a window begins.
  placement plain() const;
  /// The layout that places arrays of this shape so.
  distributed::layout layout() const;
};

dims shape_of(const box& b);
/// What both have.
box intersection(const box& a, const box& b);
/// Where a part of a box begins as seen from its beginning.
dims begin_in(const box& of, const box& part);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
