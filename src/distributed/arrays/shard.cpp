#include <algorithm>

#include <distributed/arrays/shard.hpp>
#include <distributed/collectives/moved.hpp>
#include <distributed/runtime/communicator_state.hpp>

#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

void halo::include(const halo& other) {
  for (std::size_t a = 0; a < low.size(); ++a) {
    low[a] = std::max(low[a], other.low[a]);
    high[a] = std::max(high[a], other.high[a]);
  }
}

bool halo::includes(const halo& other) const {
  for (std::size_t a = 0; a < low.size(); ++a)
    if (low[a] < other.low[a] || high[a] < other.high[a]) return false;
  return true;
}

halo halo::common(const halo& other) const {
  halo both(low.size());
  for (std::size_t a = 0; a < low.size(); ++a) {
    both.low[a] = std::min(low[a], other.low[a]);
    both.high[a] = std::min(high[a], other.high[a]);
  }
  return both;
}

box own_with(const placement& at, const halo& beside) {
  box all = at.own();
  for (std::size_t a = 0; a < all.size(); ++a) {
    const axis_place& place = at.axes[a];
    if (place.whole()) continue;
    const range block = place.block(at.ranks->coordinates[static_cast<std::size_t>(place.mesh_axis)]);
    if (block.size() > 0)
      all[a] = range{block.begin - beside.low[a], block.end + beside.high[a]}.cut({0, at.shape[a]});
  }
  return all;
}

namespace {

struct rounds {
  std::uint64_t now = 1, first = 0;  // first: of the loop, or 0
  bool is_recording = false;
};
rounds& rounds_here() {
  static thread_local constinit core::lasting<rounds> here{};
  return here;
}

}  // namespace

recorded_rounds::recorded_rounds() : outer_(rounds_here().first) {
  rounds_here().first = ++rounds_here().now;
  rounds_here().is_recording = false;
}
recorded_rounds::~recorded_rounds() {
  rounds_here().first = outer_;
  rounds_here().is_recording = false;
}
void recorded_rounds::next_round(bool is_recorded) {
  ++rounds_here().now;
  rounds_here().is_recording = is_recorded;
}
bool recorded_rounds::active() { return rounds_here().first != 0; }
bool recorded_rounds::is_recording() { return rounds_here().is_recording; }
std::uint64_t recorded_rounds::now() { return rounds_here().now; }
bool recorded_rounds::in_another_round(std::uint64_t then) {
  const rounds& here = rounds_here();
  return here.first != 0 && then >= here.first && then != here.now;
}

shard::shard(std::shared_ptr<const placement> at, any_array part)
    : where_(std::move(at)),
      type_(part.dtype()),
      padded_(std::move(part)),
      room_(where_->axes.size()),
      fresh_(where_->axes.size()),
      fresh_around_(where_->axes.size()),
      usual_(std::make_shared<habits>(habits{halo(where_->axes.size())})),
      written_in_(recorded_rounds::now()) {
  for (const range& r : where_->own()) origin_.push_back(r.begin);
}

any_array shard::view(const box& b) const {
  is_unseen_ = false;
  return view_of(padded_, b);
}

any_array shard::view_of(const any_array& padded, const box& b) const {
  std::vector<gd::index_item> items;
  bool all = true;
  for (std::size_t a = 0; a < b.size(); ++a) {
    const std::int64_t begin = b[a].begin - origin_[a], size = b[a].size();
    all &= size == padded.shape()[a];
    items.emplace_back(size ? slice(begin, begin + size) : slice(0, 0));
  }
  return all ? padded : gd::basic_index(padded, items);
}

any_array shard::own() const {
  is_unseen_ = false;
  return has_room_ ? view(where_->own()) : padded_;
}

void shard::overwrite(const box& inside) {
  if (!std::exchange(is_unseen_, false)) return;
  // What is outside, axis by axis.
  std::vector<box> rim;
  box left = own_with(*where_, fresh_around(inside));
  std::int64_t elements = 0;
  const auto keep = [&](std::size_t axis, range r) {
    if (r.size() == 0) return;
    rim.push_back(left);
    rim.back()[axis] = r;
    std::int64_t n = 1;
    for (const range& each : rim.back()) n *= each.size();
    elements += n;
  };
  for (std::size_t a = 0; a < left.size(); ++a) {
    const range all = left[a], in = inside[a].cut(all);
    keep(a, {all.begin, in.begin});
    keep(a, {in.end, all.end});
    left[a] = in;
    if (in.size() == 0) return;
  }
  if (elements * 8 > padded_.size()) return;
  const any_array before = padded_;
  padded_ = gd::create(before.shape(), type_, {.device = before.device()});
  for (const box& b : rim) gd::assign(view_of(padded_, b), operand(view_of(before, b)));
}

void shard::written() {
  fresh_ = fresh_around_ = halo(where_->axes.size());
  is_computed_ = false;
  written_in_ = recorded_rounds::now();
  ++version_;
}

void shard::written(const box& inside, const halo& beside) {
  const halo around = fresh_around(inside);
  written();
  fresh_around_ = around;
  inside_ = inside;
  fresh_ = around.common(beside);
  is_computed_ = true;
}

halo shard::fresh() const {
  if (recorded_rounds::in_another_round(written_in_)) return halo(where_->axes.size());
  return is_computed_ && is_recorded_alone() ? halo(where_->axes.size()) : fresh_;
}

bool shard::is_recorded_alone() const {
  if (recorded_rounds::active()) return false;
  const engine* const by = where_->ranks->world.state().of(padded_.device());
  return by && by->is_recording();
}

halo shard::fresh_around(const box& inside) const {
  halo around = fresh();
  if (inside == inside_) around.include(fresh_around_);
  return around;
}

range shard::block(std::size_t axis) const {
  const axis_place& place = where_->axes[axis];
  return place.block(where_->ranks->coordinates[static_cast<std::size_t>(place.mesh_axis)]);
}

range shard::wanted_by(std::size_t axis, std::int64_t coordinate, const halo& wanted) const {
  const range block = where_->axes[axis].block(coordinate);
  if (block.size() == 0) return {0, 0};
  return range{block.begin - wanted.low[axis], block.end + wanted.high[axis]}.cut({0, where_->shape[axis]});
}

void shard::make_room(const halo& wanted) {
  if (room_.includes(wanted)) return;
  halo room = room_;
  room.include(wanted);
  dims origin = origin_, shape = padded_.shape();
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (where_->axes[a].whole()) continue;
    const range own = where_->own(a),
                all = wanted_by(
                    a, where_->ranks->coordinates[static_cast<std::size_t>(where_->axes[a].mesh_axis)], room);
    const range both = own.size() == 0   ? all
                       : all.size() == 0 ? own
                                         : range{std::min(own.begin, all.begin), std::max(own.end, all.end)};
    origin[a] = both.begin;
    shape[a] = both.size();
  }
  const any_array before = own();
  padded_ = gd::create(shape, type_, {.device = before.device()});
  origin_ = origin;
  room_ = room;
  usual_->room.include(room);
  has_room_ = true;
  write(own(), before);
}

void shard::fetch(const halo& wanted) {
  halo all = fresh();
  if (all.includes(wanted)) return;
  all.include(wanted);
  make_room(all);
  // One axis after the other, with what has come along those before: this brings the corners.
  for (std::size_t a = 0; a < where_->axes.size(); ++a)
    if (all.low[a] || all.high[a]) exchange(a, all);
  fresh_ = all;
  is_computed_ = false;
  if (recorded_rounds::in_another_round(written_in_)) written_in_ = recorded_rounds::now();
  ++exchanges_;
}

void shard::exchange(std::size_t axis, const halo& wanted) {
  const auto m = static_cast<std::size_t>(where_->axes[axis].mesh_axis);
  const mesh_state& ranks = *where_->ranks;
  const std::int64_t me = ranks.coordinates[m], n = where_->shape[axis];
  box slab = where_->own();
  for (std::size_t a = 0; a < axis; ++a) {
    const axis_place& place = where_->axes[a];
    if (!place.whole())
      slab[a] = wanted_by(a, ranks.coordinates[static_cast<std::size_t>(place.mesh_axis)], wanted);
  }
  const auto slab_of = [&](range r) {
    box b = slab;
    b[axis] = r;
    return b;
  };
  const communicator& line = ranks.lines[m];
  const transport t(line, padded_.device(), {});
  t.group().note(signature("halo"));
  messages all(t);
  for (std::int64_t c = 0; c < ranks.shape[m]; ++c) {
    if (c == me) continue;
    const auto other = static_cast<int>(c);
    const range out = where_->axes[axis].own(me, n).cut(wanted_by(axis, c, wanted));
    if (out.size()) all.send(other, view(slab_of(out)));
    const range in = where_->axes[axis].own(c, n).cut(wanted_by(axis, me, wanted));
    if (in.size()) all.receive(other, view(slab_of(in)));
  }
  all.exchange();
}

namespace {

/// Fewer elements a GPU copies before it has been told of each side.
constexpr std::int64_t worth_waiting = 1 << 23;

/// A copy that is made when somebody looks at it, if that may save something.
any_array later_copy(const any_array& a) {
  const gd::argument one[] = {operand(a, false)};
  return gd::make_expression(ufunc::positive, a.dtype(), one);
}

}  // namespace

std::shared_ptr<shard> shard::copy() const {
  auto made = std::make_shared<shard>(*this);
  made->exchanges_ = 0;
  made->is_unseen_ = false;
  made->fresh_ = fresh();
  made->written_in_ = recorded_rounds::now();
  if (room_.includes(usual_->room)) {
    made->is_unseen_ = padded_.size() >= worth_waiting && padded_.device().is_cuda() && type_ != dtype::bool_;
    made->padded_ = made->is_unseen_ ? later_copy(padded_) : gd::copy(padded_, gparray::order::C);
  } else {
    made->make_room(usual_->room);
    made->fresh_ = made->fresh_around_ = halo(where_->axes.size());
  }
  return made;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
