#include <algorithm>
#include <optional>
#include <tuple>

#include <distributed/arrays/traveller.hpp>
#include <distributed/collectives/moved.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

bool is_cut(const placement& at, std::size_t axis) {
  const axis_place& place = at.axes[axis];
  return !place.whole() && at.ranks->shape[static_cast<std::size_t>(place.mesh_axis)] > 1;
}

traveller::traveller(const node_ptr& a, const distributed::layout* goal)
    : now_(shard_of(a)), home_(now_->where()->plain()) {
  if (goal) goal_ = *goal;
}

int traveller::mesh_axis_at_home(std::size_t axis) const {
  return goal_ ? goal_->mesh_axis(static_cast<int>(axis)) : home_.axes[axis].mesh_axis;
}

void traveller::make_whole(int axis, const std::vector<int>& later) {
  const auto a = static_cast<std::size_t>(axis);
  const placement& at = *now_->where();
  if (!is_cut(at, a)) return;
  const int mesh_axis = at.axes[a].mesh_axis;
  std::optional<std::size_t> best;
  const auto merit = [&](std::size_t other) {
    return std::tuple(std::find(later.begin(), later.end(), static_cast<int>(other)) == later.end(),
                      mesh_axis_at_home(other) == mesh_axis, at.shape[other]);
  };
  for (std::size_t other = 0; other < at.axes.size(); ++other)
    if (other != a && !is_cut(at, other) && (!best || merit(other) > merit(*best))) best = other;
  if (best) {
    std::vector<int> cut_along;
    for (std::size_t i = 0; i < at.axes.size(); ++i)
      cut_along.push_back(i == *best ? mesh_axis : is_cut(at, i) && i != a ? at.axes[i].mesh_axis : -1);
    return go(at.ranks, cut_along);
  }
  // All axes are cut: for a while one alone is, for all ranks.
  std::size_t largest = a == 0 ? 1 : 0;
  for (std::size_t other = 0; other < at.axes.size(); ++other)
    if (other != a && at.shape[other] > at.shape[largest]) largest = other;
  std::vector<int> cut_along(at.axes.size(), -1);
  cut_along[largest] = 0;
  go(mesh(at.ranks->world).state(), cut_along);
}

void traveller::become(const std::vector<int>& axes, const any_array& part) {
  placement at = *now_->where();
  for (const int axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    if (part.shape(axis) != at.shape[a]) at.axes[a] = {};
    at.shape[a] = part.shape(axis);
  }
  now_ = std::make_shared<shard>(std::make_shared<const placement>(std::move(at)), part);
}

node_ptr traveller::at_home() {
  if (goal_) {
    go(*goal_);
  } else {
    std::vector<int> cut_along;
    for (const axis_place& place : home_.axes) cut_along.push_back(place.mesh_axis);
    go(home_.ranks, cut_along);
  }
  if (owed_ != 1) write_scaled(now_->own(), now_->own(), owed_);
  return node_of(now_);
}

void traveller::go(const std::shared_ptr<const mesh_state>& ranks, const std::vector<int>& cut_along) {
  layout_state to{ranks, cut_along, {}};
  const dims& shape = now_->where()->shape;
  for (std::size_t a = 0; a < cut_along.size(); ++a) {
    const bool as_at_home =
        ranks == home_.ranks && cut_along[a] == home_.axes[a].mesh_axis && shape[a] == home_.shape[a];
    to.given.push_back(as_at_home ? home_.axes[a].cuts : nullptr);
  }
  go(distributed::layout(std::make_shared<const layout_state>(std::move(to))));
}

void traveller::go(const distributed::layout& to) {
  const std::shared_ptr<shard> moved = shard_of(resharded(node_of(now_), to, owed_));
  if (moved != now_) owed_ = 1;
  now_ = moved;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
