#include <algorithm>

#include <distributed/arrays/placement.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

namespace {

/// Reductions have leaves of so many elements: blocks of whole leaves give the same bits.
constexpr std::int64_t block_size = 2048;

boundaries even(std::int64_t n, std::int64_t parts) {
  std::vector<std::int64_t> cuts{0};
  const std::int64_t leaves = (n + block_size - 1) / block_size,
                     most = (leaves + parts - 1) / parts * block_size;
  const std::int64_t unit = 8 * most * parts <= 9 * n ? block_size : 1;
  const std::int64_t units = (n + unit - 1) / unit;
  for (std::int64_t r = 1; r <= parts; ++r)
    cuts.push_back(std::min(n, (units / parts * r + std::min(r, units % parts)) * unit));
  return std::make_shared<const std::vector<std::int64_t>>(std::move(cuts));
}

std::shared_ptr<const mesh_state> make_mesh(const communicator& world, const dims& shape) {
  std::int64_t ranks = 1;
  for (const std::int64_t n : shape) ranks *= n;
  if (ranks != world.size() || std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 1; }))
    core::fail<value_error>("a mesh of shape {} has not the {} ranks of the communicator", core::text(shape),
                            world.size());
  auto made = std::make_shared<mesh_state>(mesh_state{world, shape, dims::filled(shape.size(), 0), {}});
  made->coordinates = made->coordinates_of(world.rank());
  for (std::size_t a = 0; a < shape.size(); ++a) {
    // Groups that are there already, or need no other rank: to connect GPUs takes long.
    if (shape[a] == ranks || shape[a] == 1) {
      made->lines.push_back(shape[a] == ranks ? world : communicator());
      continue;
    }
    // Those of one color agree in all coordinates but this one.
    const int first = made->neighbour(static_cast<int>(a), 0);
    made->lines.push_back(world.split(first, static_cast<int>(made->coordinates[a])));
  }
  return made;
}

}  // namespace

int mesh_state::neighbour(int axis, std::int64_t coordinate) const {
  std::int64_t rank = 0;
  for (std::size_t a = 0; a < shape.size(); ++a)
    rank = rank * shape[a] + (static_cast<int>(a) == axis ? coordinate : coordinates[a]);
  return static_cast<int>(rank);
}

dims mesh_state::coordinates_of(int rank) const {
  dims at = dims::filled(shape.size(), 0);
  for (std::size_t a = shape.size(); a-- > 0; rank /= static_cast<int>(shape[a])) at[a] = rank % shape[a];
  return at;
}

bool same_mesh(const std::shared_ptr<const mesh_state>& a,
               const std::shared_ptr<const mesh_state>& b) noexcept {
  return a == b || (a && b && a->world == b->world && a->shape == b->shape);
}

range placement::own(std::size_t axis) const {
  const axis_place& place = axes[axis];
  if (place.whole()) return {0, shape[axis]};
  return place.own(ranks->coordinates[static_cast<std::size_t>(place.mesh_axis)], shape[axis]);
}

box placement::own() const {
  box mine;
  for (std::size_t a = 0; a < axes.size(); ++a) mine.push_back(own(a));
  return mine;
}

box placement::own_of(int rank) const {
  const dims at = ranks->coordinates_of(rank);
  box its;
  for (std::size_t a = 0; a < axes.size(); ++a)
    its.push_back(axes[a].whole() ? range{0, shape[a]}
                                  : axes[a].own(at[static_cast<std::size_t>(axes[a].mesh_axis)], shape[a]));
  return its;
}

bool placement::first_of_its_kind(int rank) const {
  const dims at = ranks->coordinates_of(rank);
  for (std::size_t m = 0; m < at.size(); ++m) {
    const bool used = std::any_of(axes.begin(), axes.end(),
                                  [&](const axis_place& a) { return a.mesh_axis == static_cast<int>(m); });
    if (!used && at[m] != 0) return false;
  }
  return true;
}

dims placement::own_shape() const { return shape_of(own()); }

dims shape_of(const box& b) {
  dims shape;
  for (const range& r : b) shape.push_back(r.size());
  return shape;
}

box intersection(const box& a, const box& b) {
  box both;
  for (std::size_t i = 0; i < a.size(); ++i) both.push_back(a[i].cut(b[i]));
  return both;
}

dims begin_in(const box& of, const box& part) {
  dims begin;
  for (std::size_t i = 0; i < of.size(); ++i) begin.push_back(part[i].begin - of[i].begin);
  return begin;
}

bool placement::replicated() const noexcept {
  return std::all_of(axes.begin(), axes.end(), [](const axis_place& a) { return a.whole(); });
}

bool placement::same(const placement& other) const noexcept {
  if (shape != other.shape || !same_mesh(ranks, other.ranks)) return false;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (!axes[a].same_cuts(other.axes[a]) || (!axes[a].whole() && axes[a].shift != other.axes[a].shift))
      return false;
  return true;
}

placement placement::plain() const {
  placement same = *this;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    axis_place& place = same.axes[a];
    if (place.whole() || (place.shift == 0 && place.cuts->back() == shape[a])) continue;
    std::vector<std::int64_t> own{0};
    for (std::size_t c = 0; c + 1 < place.cuts->size(); ++c)
      own.push_back(std::clamp((*place.cuts)[c + 1] - place.shift, own.back(), shape[a]));
    place.cuts = std::make_shared<const std::vector<std::int64_t>>(std::move(own));
    place.shift = 0;
  }
  return same;
}

distributed::layout placement::layout() const {
  auto state = std::make_shared<layout_state>(layout_state{ranks, {}, {}, axes});
  for (const axis_place& place : plain().axes) {
    state->mesh_axes.push_back(place.mesh_axis);
    state->given.push_back(place.cuts);
  }
  return distributed::layout(std::move(state));
}

}  // namespace detail

mesh::mesh(const communicator& world) : mesh(world, dims{world.size()}) {}
mesh::mesh(const communicator& world, const dims& shape) : state_(detail::make_mesh(world, shape)) {}

const dims& mesh::shape() const noexcept { return state_->shape; }
const communicator& mesh::world() const noexcept { return state_->world; }

int mesh::coordinate(int axis) const {
  const int n = static_cast<int>(shape().size());
  if (axis < -n || axis >= n) core::throw_axis(axis, n);
  return static_cast<int>(state_->coordinates[static_cast<std::size_t>(axis < 0 ? axis + n : axis)]);
}

layout layout::rows(const mesh& of) {
  if (of.shape().size() != 1)
    core::fail<value_error>("rows are of a mesh of one dimension, and this one has shape {}; use blocks",
                            core::text(of.shape()));
  return blocks(of, {0});
}

layout layout::blocks(const mesh& of, const std::vector<int>& axes) {
  const int n = static_cast<int>(of.shape().size());
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a] < -1 || axes[a] >= n)
      core::fail<value_error>("a mesh of shape {} has no axis {}", core::text(of.shape()), axes[a]);
    if (axes[a] >= 0 && std::count(axes.begin(), axes.end(), axes[a]) > 1)
      core::fail<value_error>("two axes of an array cannot be cut along axis {} of the mesh", axes[a]);
  }
  return layout(std::make_shared<const detail::layout_state>(
      detail::layout_state{of.state(), axes, std::vector<detail::boundaries>(axes.size())}));
}

layout layout::replicated(const mesh& of) { return blocks(of, {}); }

layout layout::with_boundaries(int axis, const std::vector<std::int64_t>& boundaries) const {
  if (mesh_axis(axis) < 0) core::fail<value_error>("axis {} of arrays of this layout is not cut", axis);
  const auto parts = static_cast<std::size_t>(ranks().shape()[static_cast<std::size_t>(mesh_axis(axis))]);
  if (boundaries.size() != parts + 1 || boundaries[0] != 0 ||
      !std::is_sorted(boundaries.begin(), boundaries.end()))
    core::fail<value_error>(
        "boundaries for {} ranks are {} numbers, 0 first and none less than the one before", parts,
        parts + 1);
  auto state = std::make_shared<detail::layout_state>(*state_);
  state->given[static_cast<std::size_t>(axis)] =
      std::make_shared<const std::vector<std::int64_t>>(boundaries);
  state->places.clear();
  return layout(std::move(state));
}

mesh layout::ranks() const { return mesh(state_->ranks); }

int layout::mesh_axis(int axis) const noexcept {
  const auto a = static_cast<std::size_t>(axis);
  return axis >= 0 && a < state_->mesh_axes.size() ? state_->mesh_axes[a] : -1;
}

std::string layout::str() const {
  std::string text;
  for (std::size_t a = 0; a < state_->mesh_axes.size(); ++a) {
    if (state_->mesh_axes[a] < 0) continue;
    const auto m = static_cast<std::size_t>(state_->mesh_axes[a]);
    text += fmt::format("{}axis {} cut for {} ranks", text.empty() ? "" : ", ", a, state_->ranks->shape[m]);
    if (state_->given[a]) text += fmt::format(" at {}", fmt::join(*state_->given[a], " "));
  }
  return text.empty() ? fmt::format("all of it on each of {} ranks", state_->ranks->world.size()) : text;
}

std::shared_ptr<const detail::placement> layout::place(const dims& shape) const {
  for (const std::int64_t n : shape)
    if (n < 0) throw value_error("negative dimensions are not allowed");
  auto placed = std::make_shared<detail::placement>(detail::placement{state_->ranks, shape, {}});
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const int m = mesh_axis(static_cast<int>(a));
    detail::axis_place place;
    if (m >= 0) {
      place.mesh_axis = m;
      place.cuts = state_->given[a];
      if (!place.cuts) place.cuts = detail::even(shape[a], state_->ranks->shape[static_cast<std::size_t>(m)]);
      if (place.cuts->back() != shape[a])
        core::fail<value_error>("the boundaries of the layout are for {} elements along axis {}, not for {}",
                                place.cuts->back(), a, shape[a]);
      if (a < state_->places.size()) place = state_->places[a];
    }
    placed->axes.push_back(std::move(place));
  }
  return placed;
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
