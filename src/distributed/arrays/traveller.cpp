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

namespace {

/// The place of an array that has a part's sizes along some axes, which are whole.
placement with_sizes_of(const any_array& part, placement at, const std::vector<int>& axes) {
  for (const int axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    if (part.shape(axis) != at.shape[a]) at.axes[a] = {};
    at.shape[a] = part.shape(axis);
  }
  return at;
}

}  // namespace

traveller::traveller(const node_ptr& a, const distributed::layout* goal)
    : now_(shard_of(a)), home_(now_->where()->plain()) {
  if (goal) goal_ = *goal;
}

int traveller::mesh_axis_at_home(std::size_t axis) const {
  return goal_ ? goal_->mesh_axis(static_cast<int>(axis)) : home_.axes[axis].mesh_axis;
}

distributed::layout traveller::layout_with_whole(const placement& at, int axis,
                                                 const std::vector<int>& later) const {
  const auto a = static_cast<std::size_t>(axis);
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
    return layout_of(at, at.ranks, cut_along);
  }
  // All axes are cut: for a while one alone is, for all ranks.
  std::size_t largest = a == 0 ? 1 : 0;
  for (std::size_t other = 0; other < at.axes.size(); ++other)
    if (other != a && at.shape[other] > at.shape[largest]) largest = other;
  std::vector<int> cut_along(at.axes.size(), -1);
  cut_along[largest] = 0;
  return layout_of(at, mesh(at.ranks->world).state(), cut_along);
}

void traveller::make_whole(int axis, const std::vector<int>& later) {
  const placement& at = *now_->where();
  if (is_cut(at, static_cast<std::size_t>(axis))) go(layout_with_whole(at, axis, later));
}

void traveller::transform_and_make_whole(const std::vector<int>& axes,
                                         const std::function<any_array(const any_array&)>& f, int next,
                                         const std::vector<int>& later) {
  if (transform_in_pieces(axes, f, next, later)) return;
  become(axes, f(now_->own()));
  make_whole(next, later);
}

bool traveller::transform_in_pieces(const std::vector<int>& axes,
                                    const std::function<any_array(const any_array&)>& f, int next,
                                    const std::vector<int>& later) {
  constexpr std::int64_t max_pieces = 8;
  const placement& at = *now_->where();
  const auto cut = static_cast<std::size_t>(next);
  // What has come is read while the next would come to the same place.
  if (!is_cut(at, cut) || arrived_) return false;
  const any_array own = now_->own();
  const transport& t = transport_.emplace(at.ranks->world, own.device(), std::nullopt);
  if (!one_sided::works_for(t)) return false;
  const auto place = layout_with_whole(at, next, later).place(at.shape);
  std::int64_t least_rows = at.shape[cut], largest = 0, run = 0;
  for (int r = 0; r < t.size(); ++r) {
    // Each element is on one rank, here and there.
    if (!at.first_of_its_kind(r) || !place->first_of_its_kind(r)) return false;
    const box here = at.own_of(r), there = place->own_of(r);
    std::int64_t bytes = static_cast<std::int64_t>(itemsize(now_->type())), together = bytes;
    for (std::size_t axis = here.size(); axis-- > 0;) {
      bytes *= here[axis].size();
      if (together >= 0) together *= there[axis].size();
      // What is cut there ends what lies together.
      if (together >= 0 && there[axis].size() != at.shape[axis]) run = std::max(run, together), together = -1;
    }
    least_rows = std::min(least_rows, here[cut].size());
    largest = std::max(largest, bytes);
  }
  const std::int64_t pieces = std::min({max_pieces, largest / one_sided_from.piece, least_rows});
  if (pieces < 2 || run < one_sided_from.run) return false;

  t.group().begin(signature("reshard", now_->type(), at.shape));
  const range mine = at.own(cut);
  const auto rows_of = [&](std::int64_t piece) {
    return range{mine.size() * piece / pieces, mine.size() * (piece + 1) / pieces};
  };
  const auto transformed = [&](const range& rows) { return f(part_of(own, next, rows.begin, rows.end)); };
  any_array made = transformed(rows_of(0));
  const placement after = with_sizes_of(made, at, axes);
  const auto there = layout_with_whole(after, next, later).place(after.shape);
  std::size_t bytes = 0;
  for (int r = 0; r < t.size(); ++r) {
    std::size_t its = itemsize(made.dtype());
    for (const range& axis : there->own_of(r)) its *= static_cast<std::size_t>(axis.size());
    bytes = std::max(bytes, its);
  }
  auto exchange = one_sided::begin(t, bytes);
  if (!exchange) {
    become(axes, f(own));
    make_whole(next, later);
    return true;
  }
  const box goal = there->own();
  const any_array landing = exchange->landing(0, shape_of(goal), made.dtype());
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const range rows = rows_of(piece);
    if (piece > 0) made = transformed(rows);
    if (owed_ != 1) write_scaled(made, made, owed_);
    box here = after.own();
    here[cut] = {mine.begin + rows.begin, mine.begin + rows.end};
    for (int step = 1; step <= t.size(); ++step) {  // to the own rank at last
      const int r = (t.rank() + step) % t.size();
      const box all = there->own_of(r), part = intersection(here, all);
      if (r == t.rank()) write(view_in(landing, all, part), view_in(made, here, part));
      else exchange->put(r, 0, shape_of(all), begin_in(all, part), view_in(made, here, part));
    }
  }
  owed_ = 1;
  t.wait_for(exchange->arrived());
  now_ = std::make_shared<shard>(there, landing);
  arrived_ = std::move(exchange);
  return true;
}

void traveller::become(const std::vector<int>& axes, const any_array& part) {
  now_ = std::make_shared<shard>(std::make_shared<const placement>(with_sizes_of(part, *now_->where(), axes)),
                                 part);
  arrived_.reset();
}

node_ptr traveller::at_home() {
  if (arrived_) become({}, gd::copy(now_->own(), gparray::order::C));
  if (goal_) {
    go(*goal_);
  } else {
    std::vector<int> cut_along;
    for (const axis_place& place : home_.axes) cut_along.push_back(place.mesh_axis);
    go(layout_of(*now_->where(), home_.ranks, cut_along));
  }
  if (owed_ != 1) write_scaled(now_->own(), now_->own(), owed_);
  return node_of(now_);
}

distributed::layout traveller::layout_of(const placement& at, const std::shared_ptr<const mesh_state>& ranks,
                                         const std::vector<int>& cut_along) const {
  layout_state to{ranks, cut_along, {}};
  for (std::size_t a = 0; a < cut_along.size(); ++a) {
    const bool as_at_home =
        ranks == home_.ranks && cut_along[a] == home_.axes[a].mesh_axis && at.shape[a] == home_.shape[a];
    to.given.push_back(as_at_home ? home_.axes[a].cuts : nullptr);
  }
  return distributed::layout(std::make_shared<const layout_state>(std::move(to)));
}

void traveller::go(const distributed::layout& to) {
  const std::shared_ptr<shard> moved = shard_of(resharded(node_of(now_), to, owed_));
  if (moved != now_) owed_ = 1;
  now_ = moved;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
