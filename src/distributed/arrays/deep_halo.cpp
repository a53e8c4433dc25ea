#include <algorithm>
#include <limits>
#include <tuple>

#include <distributed/arrays/deep_halo.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// Writes for one fetch at most. Blocks are so many times as large as their halo at least.
constexpr std::int64_t most_writes = 16, smallest_share = 8;
/// So many elements a device computes while a message travels: two H100 by NCCL, cores by MPI.
constexpr std::int64_t per_message_of_gpu = 1 << 20, per_message_of_cpu = 1 << 15;

template<class F>
void for_axis(const shard& s, int mesh_axis, const F& f) {
  const std::vector<axis_place>& axes = s.where()->axes;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (!axes[a].whole() && axes[a].mesh_axis == mesh_axis) f(a);
}

/// low_and_high(axis of the mesh) for each axis that is cut.
template<class F>
halo halo_of(const shard& s, const F& low_and_high) {
  const std::vector<axis_place>& axes = s.where()->axes;
  halo made(axes.size());
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (!axes[a].whole()) std::tie(made.low[a], made.high[a]) = low_and_high(axes[a].mesh_axis);
  return made;
}

}  // namespace

deep_halo::deep_halo(shard& target, const box& inside, halo_needs& sources)
    : target_(target), inside_(inside), sources_(sources) {
  for (const auto& [source, needed] : sources) needed_.push_back(needed);
  // What is there for the first time may be so for the last time: a temporary of each step.
  used_ = target.is_asked_again();
  bool complete = true;
  for (const auto& [source, needed] : sources) {
    used_ &= source->is_asked_again();
    complete &= source->fresh().includes(needed);
  }
  used_ &= !target.is_recorded_alone();
  if (used_ && !complete) deepen();
}

/// The time of a write by the number of writes for a fetch, n, is that of a message over n, and of computing
/// n / 2 times what one write needs on either side: least if n^2 of those elements take as long as a message.
std::int64_t deep_halo::writes_for_one_fetch(int mesh_axis, std::int64_t width) const {
  const placement& at = *target_.where();
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max(), elements = width;
  for (std::size_t a = 0; a < at.axes.size(); ++a) {
    const axis_place& place = at.axes[a];
    if (place.whole()) {
      elements *= at.shape[a];
      continue;
    }
    const auto parts = static_cast<std::int64_t>(place.cuts->size()) - 1;
    if (place.mesh_axis != mesh_axis) elements *= (at.shape[a] + parts - 1) / parts;
    else
      for (std::size_t c = 0; c + 1 < place.cuts->size(); ++c)
        smallest = std::min(smallest, (*place.cuts)[c + 1] - (*place.cuts)[c]);
  }
  const std::int64_t most = std::min(most_writes, smallest / smallest_share / width),
                     per_message = target_.place().is_cpu() ? per_message_of_cpu : per_message_of_gpu;
  std::int64_t n = 1;
  while (n < most && (n + 1) * (n + 1) <= per_message / std::max<std::int64_t>(elements, 1)) ++n;
  return n;
}

void deep_halo::deepen() {
  const halo beside = halo_of(target_, [&](int mesh_axis) {
    std::int64_t width = 0;
    for (const auto& source : sources_) {
      const halo& needed = source.second;
      for_axis(*source.first, mesh_axis,
               [&](std::size_t a) { width = std::max({width, needed.low[a], needed.high[a]}); });
    }
    const std::int64_t more = width > 0 ? (writes_for_one_fetch(mesh_axis, width) - 1) * width : 0;
    return std::pair(more, more);
  });
  std::vector<halo> deep = needed_;
  // Arrays that are repeated on the same memory keep the room that they had when that was recorded.
  bool have_room = true;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const shard& source = *sources_[i].first;
    for (std::size_t b = 0; b < target_.where()->axes.size(); ++b)
      if (const axis_place& cut = target_.where()->axes[b]; !cut.whole())
        for_axis(source, cut.mesh_axis, [&](std::size_t a) {
          deep[i].low[a] += beside.low[b];
          deep[i].high[a] += beside.high[b];
        });
    have_room &= source.has_room(deep[i]);
  }
  if (recorded_rounds::is_recording() && !(have_room && target_.has_room(beside))) {
    used_ = false;
    return;
  }
  wanted_ = beside;
  for (std::size_t i = 0; i < sources_.size(); ++i) sources_[i].second = deep[i];
}

halo deep_halo::reach() {
  if (!used_) return halo(target_.where()->axes.size());
  if (wanted_ && !target_.fresh_around(inside_).includes(*wanted_)) target_.fetch(*wanted_);
  const halo around = target_.fresh_around(inside_);
  std::vector<halo> fresh;
  for (const auto& [source, needed] : sources_) fresh.push_back(source->fresh());
  return halo_of(target_, [&](int mesh_axis) {
    std::int64_t low = 0, high = 0;
    for_axis(target_, mesh_axis,
             [&](std::size_t a) { std::tie(low, high) = std::pair(around.low[a], around.high[a]); });
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for_axis(*sources_[i].first, mesh_axis, [&](std::size_t a) {
        low = std::min(low, fresh[i].low[a] - needed_[i].low[a]);
        high = std::min(high, fresh[i].high[a] - needed_[i].high[a]);
      });
    return std::pair(low, high);
  });
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
