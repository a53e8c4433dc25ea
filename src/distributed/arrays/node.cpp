#include <algorithm>
#include <optional>

#include <distributed/arrays/deep_halo.hpp>
#include <distributed/arrays/node.hpp>
#include <distributed/collectives/moved.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

placement window_place(const shard& s, const std::vector<window_axis>& items) {
  placement at{s.where()->ranks, {}, {}};
  std::size_t axis = 0;
  for (const window_axis& item : items) {
    if (item.kind == window_axis::kind_type::newaxis) {
      at.shape.push_back(1);
      at.axes.emplace_back();
      continue;
    }
    if (item.kind == window_axis::kind_type::slice) {
      axis_place place = s.where()->axes[axis];
      place.shift += item.start;
      at.shape.push_back(item.size);
      at.axes.push_back(std::move(place));
    }
    ++axis;
  }
  return at;
}

std::vector<window_axis> all_of(const dims& shape) {
  std::vector<window_axis> items;
  for (const std::int64_t n : shape) items.push_back({window_axis::kind_type::slice, 0, 1, n});
  return items;
}

}  // namespace

void throw_layouts_differ(const char* what, std::size_t axis) {
  core::fail<value_error>(
      "{} along axis {}: nothing moves by itself between layouts; x.reshard(a.layout()) moves x to that of a",
      what, axis);
}

leaf::leaf(std::shared_ptr<shard> s)
    : node(s->where(), s->type()), shard_(std::move(s)), items_(all_of(where.shape)) {}

leaf::leaf(std::shared_ptr<shard> s, std::vector<window_axis> items, std::uint64_t version)
    : node(window_place(*s, items), s->type()),
      shard_(std::move(s)),
      items_(std::move(items)),
      version_(version) {
  std::size_t axis = 0;
  for (const window_axis& item : items_) {
    if (item.kind == window_axis::kind_type::newaxis) continue;
    const bool cut = !shard_->where()->axes[axis].whole();
    if (item.kind == window_axis::kind_type::number) pinned_ |= cut;
    // A window may be used beside itself; what is all of an axis cannot.
    else window_ |= cut && (item.start != 0 || item.size != shard_->where()->shape[axis]);
    ++axis;
  }
}

std::shared_ptr<const leaf> leaf::as_it_is_now() const {
  return std::make_shared<const leaf>(shard_, items_, shard_->version());
}

bool leaf::has_pin() const {
  std::size_t axis = 0;
  for (const window_axis& item : items_) {
    if (item.kind == window_axis::kind_type::newaxis) continue;
    if (item.kind == window_axis::kind_type::number && !shard_->where()->axes[axis].whole()) {
      const range own = shard_->where()->own(axis);
      if (item.start < own.begin || item.start >= own.end) return false;
    }
    ++axis;
  }
  return true;
}

std::optional<box> leaf::written_box() const {
  box inside;
  for (const window_axis& item : items_) {
    if (item.kind != window_axis::kind_type::slice || item.step != 1) return {};
    inside.push_back({item.start, item.start + item.size});
  }
  return inside;
}

any_array leaf::view(const box& wanted) const {
  // The block of the shard first, then what is taken of it.
  box source;
  std::vector<gd::index_item> picks;
  bool plain = true;
  std::size_t axis = 0, result = 0;
  for (const window_axis& item : items_) {
    if (item.kind == window_axis::kind_type::newaxis) {
      picks.emplace_back(newaxis);
      plain = false;
      ++result;
      continue;
    }
    if (item.kind == window_axis::kind_type::number) {
      source.push_back({item.start, item.start + 1});
      picks.emplace_back(0);
      plain = false;
    } else {
      const range r = wanted[result++];
      if (item.step == 1) {
        source.push_back({item.start + r.begin, item.start + r.end});
        picks.emplace_back(gparray::_);
      } else {
        // An axis that is not cut: the whole of it is here.
        source.push_back({0, shard_->where()->shape[axis]});
        const std::int64_t first = item.start + item.step * r.begin,
                           last = item.start + item.step * (r.end - 1);
        if (r.size() == 0) picks.emplace_back(slice(0, 0));
        else if (item.step < 0 && last == 0) picks.emplace_back(slice(first, none, item.step));
        else picks.emplace_back(slice(first, item.step > 0 ? last + 1 : last - 1, item.step));
        plain = false;
      }
    }
    ++axis;
  }
  const any_array block = shard_->view(source);
  return plain ? block : gd::basic_index(block, picks);
}

void leaf::check_version() const {
  if (version_ && version_ != shard_->version())
    throw value_error(
        "an array was written to after an expression with a window of it was made and before it was "
        "computed: "
        "give the expression a name of type sharded first");
}

any_array leaf::value(const box& wanted, const std::vector<axis_place>&) const {
  check_version();
  return view(wanted);
}

node_ptr leaf::everywhere() const {
  check_version();
  const placement& of = *shard_->where();
  any_array part =
      has_pin() ? own_view() : gd::create(where.own_shape(), type, {.device = shard_->own().device()});
  std::size_t axis = 0;
  for (const window_axis& item : items_) {
    if (item.kind == window_axis::kind_type::newaxis) continue;
    if (item.kind == window_axis::kind_type::number && !of.axes[axis].whole()) {
      // After each axis those that differ in the axes before have it, too.
      const std::vector<std::int64_t>& cuts = *of.axes[axis].cuts;
      const auto block = std::upper_bound(cuts.begin(), cuts.end(), item.start + of.axes[axis].shift) - 1;
      part = broadcast(part, static_cast<int>(block - cuts.begin()),
                       of.ranks->lines[static_cast<std::size_t>(of.axes[axis].mesh_axis)], {});
    }
    ++axis;
  }
  return node_of(place, std::move(part));
}

void leaf::need(const std::vector<axis_place>& target, halo_needs& halos) const {
  halo wanted(shard_->where()->axes.size());
  bool is_cut = false;
  std::size_t axis = 0, result = 0;
  for (const window_axis& item : items_) {
    if (item.kind == window_axis::kind_type::newaxis) {
      ++result;
      continue;
    }
    if (item.kind == window_axis::kind_type::slice) {
      const axis_place& mine = where.axes[result];
      if (!mine.whole()) {
        if (!mine.same_cuts(target[result])) throw_layouts_differ("arrays have different layouts", result);
        const std::int64_t beside = mine.shift - target[result].shift;
        if (beside > 0) wanted.high[axis] = beside;
        else wanted.low[axis] = -beside;
        is_cut = true;
      }
      ++result;
    }
    ++axis;
  }
  if (!is_cut) return;
  for (auto& [known, so_far] : halos)
    if (known == shard_) return so_far.include(wanted);
  halos.emplace_back(shard_, wanted);
}

replicated_node::replicated_node(const any_array& a)
    : node(placement{nullptr, a.shape(), std::vector<axis_place>(a.shape().size())}, a.dtype()), array_(a) {}

any_array replicated_node::value(const box& wanted, const std::vector<axis_place>&) const {
  std::vector<gd::index_item> items;
  for (const range& r : wanted) items.emplace_back(r.size() ? slice(r.begin, r.end) : slice(0, 0));
  return shape_of(wanted) == array_.shape() ? array_ : gd::basic_index(array_, items);
}

namespace {

/// The target of an operand that is broadcast to the result.
std::vector<axis_place> target_of(const node& operand, const placement& result,
                                  const std::vector<axis_place>& target) {
  const std::size_t missing = result.shape.size() - operand.where.shape.size();
  std::vector<axis_place> own(target.begin() + static_cast<std::ptrdiff_t>(missing), target.end());
  for (std::size_t a = 0; a < own.size(); ++a)
    if (operand.where.shape[a] == 1 && result.shape[a + missing] != 1) own[a] = {};
  return own;
}

box box_of(const node& operand, const placement& result, const box& wanted) {
  const std::size_t missing = result.shape.size() - operand.where.shape.size();
  box own(wanted.begin() + static_cast<std::ptrdiff_t>(missing), wanted.end());
  for (std::size_t a = 0; a < own.size(); ++a)
    if (operand.where.shape[a] == 1 && result.shape[a + missing] != 1) own[a] = {0, 1};
  return own;
}

}  // namespace

any_array operation_node::value(const box& wanted, const std::vector<axis_place>& target) const {
  std::vector<any_array> values;
  for (const node_ptr& x : operands_)
    values.push_back(x->value(box_of(*x, where, wanted), target_of(*x, where, target)));
  return f_(values);
}

void operation_node::need(const std::vector<axis_place>& target, halo_needs& halos) const {
  for (const node_ptr& x : operands_) x->need(target_of(*x, where, target), halos);
}

namespace {

/// The window of what a number selects along an axis that is cut, to be read everywhere(); null for others.
const leaf* pinned(const node& a) {
  const auto* const window = dynamic_cast<const leaf*>(&a);
  return window && window->pinned() ? window : nullptr;
}

}  // namespace

any_array evaluated(const node& a, const placement& at) {
  if (const leaf* const window = pinned(a)) return evaluated(*window->everywhere(), at);
  halo_needs halos;
  a.need(at.axes, halos);
  for (auto& [source, wanted] : halos) source->fetch(wanted);
  return a.value(at.own(), at.axes);
}

std::shared_ptr<shard> stored(const node& a) {
  return std::make_shared<shard>(a.place, evaluated(a, a.where));
}

std::shared_ptr<shard> shard_of(const node_ptr& a) {
  const auto* const here = dynamic_cast<const leaf*>(a.get());
  // A window that takes all there is is not told from it.
  if (here && here->place == here->of()->where()) return here->of();
  return here && here->whole() && !here->pinned() && here->where.same(*here->of()->where()) ? here->of()
                                                                                            : stored(*a);
}

node_ptr node_of(std::shared_ptr<shard> s) { return std::make_shared<const leaf>(std::move(s)); }
node_ptr node_of(std::shared_ptr<const placement> at, any_array part) {
  return node_of(std::make_shared<shard>(std::move(at), std::move(part)));
}
node_ptr node_of(placement at, any_array part) {
  return node_of(std::make_shared<const placement>(std::move(at)), std::move(part));
}

void check_mesh(const placement& at, const node& x) {
  if (at.ranks && x.where.ranks && !same_mesh(at.ranks, x.where.ranks))
    throw value_error("arrays are on different meshes: make their layouts of one mesh");
}

namespace {

/// The shape to which all broadcast; none if they do not.
std::optional<dims> common_shape(const std::vector<node_ptr>& operands) {
  dims common;
  for (const node_ptr& x : operands) {
    const dims& shape = x->where.shape;
    while (common.size() < shape.size()) common.insert(0, 1);
    const std::size_t missing = common.size() - shape.size();
    for (std::size_t a = 0; a < shape.size(); ++a) {
      std::int64_t& size = common[a + missing];
      if (size == 1) size = shape[a];
      else if (shape[a] != 1 && shape[a] != size) return {};
    }
  }
  return common;
}

/// Where the result of operands is: as the first that is cut along an axis.
placement joint_place(const std::vector<node_ptr>& operands, bool& waits) {
  const std::optional<dims> shape = common_shape(operands);
  if (!shape) {
    std::vector<const dims*> shapes;
    for (const node_ptr& x : operands) shapes.push_back(&x->where.shape);
    core::throw_not_broadcastable(shapes);
  }
  placement at{nullptr, *shape, {}};
  at.axes.resize(at.shape.size());
  for (const node_ptr& x : operands) {
    waits |= x->waits();
    if (!x->where.ranks) continue;
    check_mesh(at, *x);
    at.ranks = x->where.ranks;
    const std::size_t missing = at.shape.size() - x->where.shape.size();
    for (std::size_t a = 0; a < x->where.axes.size(); ++a) {
      const axis_place& mine = x->where.axes[a];
      axis_place& common = at.axes[a + missing];
      if (mine.whole()) continue;
      if (x->where.shape[a] != at.shape[a + missing])
        throw_layouts_differ("an axis of size 1 that is cut is broadcast", a + missing);
      if (common.whole()) common = mine;
      else if (!common.same_cuts(mine)) throw_layouts_differ("arrays have different layouts", a + missing);
      else waits |= common.shift != mine.shift;
    }
  }
  for (std::size_t a = 0; a < at.axes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!at.axes[a].whole() && at.axes[a].mesh_axis == at.axes[b].mesh_axis)
        core::fail<value_error>(
            "axis {} of one array and axis {} of another are cut among the same ranks: nothing moves by "
            "itself "
            "between layouts; x.reshard(a.layout()) moves x to that of a",
            b, a);
  return at;
}

}  // namespace

namespace {

/// The shards of operands that are all of arrays in one place, as in most operations; none otherwise.
bool parts_in_one_place(const std::vector<node_ptr>& operands, std::vector<any_array>& parts) {
  for (const node_ptr& x : operands) {
    const auto* const here = dynamic_cast<const leaf*>(x.get());
    if (!here || here->place != here->of()->where() || x->place != operands[0]->place) return false;
    parts.push_back(here->of()->own());
  }
  return true;
}

}  // namespace

node_ptr operate(std::vector<node_ptr> operands, dtype result, operation f) {
  if (std::vector<any_array> parts; parts_in_one_place(operands, parts))
    return node_of(operands[0]->place, f(parts));
  for (node_ptr& x : operands)
    if (const leaf* const window = pinned(*x)) x = window->everywhere();
  bool waits = false;
  placement at = joint_place(operands, waits);
  if (waits)
    for (node_ptr& x : operands)
      if (const auto* const here = dynamic_cast<const leaf*>(x.get())) x = here->as_it_is_now();
  auto made =
      std::make_shared<const operation_node>(std::move(at), result, std::move(operands), std::move(f));
  return waits ? node_ptr(std::move(made)) : node_of(stored(*made));
}

node_ptr replicated(const any_array& a) { return std::make_shared<const replicated_node>(a); }

node_ptr computed(const node_ptr& a) {
  const auto* const here = dynamic_cast<const leaf*>(a.get());
  if (here && here->place == here->of()->where()) return a;
  auto s = shard_of(a);
  // A window shares no elements with the array that it is of, not even one of all of them.
  if (here) s = std::make_shared<shard>(s->where(), gd::copy(s->own(), gparray::order::C));
  gd::name_expression(s->own());
  return node_of(std::move(s));
}

node_ptr copied(const node_ptr& a) {
  const auto s = shard_of(a);
  const auto* const here = dynamic_cast<const leaf*>(a.get());
  return here ? node_of(s->copy()) : node_of(s);
}

void assign(const node_ptr& target, const node_ptr& source) {
  if (const leaf* const window = pinned(*source)) return assign(target, window->everywhere());
  const auto& to = dynamic_cast<const leaf&>(*target);
  // All of two arrays in one place, as by a += b.
  const auto* const all = dynamic_cast<const leaf*>(source.get());
  if (all && to.place == to.of()->where() && all->place == to.place && all->of()->where() == to.place) {
    // What has no name is stored here alone.
    const bool is_temporary = source.use_count() == 1 && all->of().use_count() == 1;
    const any_array value = is_temporary ? all->of()->taken() : all->of()->own();
    gd::assign(to.of()->own(), operand(value, is_temporary));
    return to.of()->written();
  }
  const auto& shape = to.where.shape;
  if (common_shape({target, source}) != shape)
    core::fail<value_error>("could not broadcast input array from shape {} into shape {}",
                            core::text(source->where.shape), core::text(shape));
  check_mesh(to.where, *source);
  // Broadcast as an operand is.
  const operation_node spread(to.where, source->type, {source},
                              [](std::span<any_array> x) { return std::move(x[0]); });
  halo_needs halos;
  spread.need(to.where.axes, halos);
  const std::optional<box> inside = to.written_box();
  std::optional<deep_halo> deep;
  if (inside) {
    deep.emplace(*to.of(), *inside, halos);
    // With the window that is written, and the array itself, nobody else has it, nor is it read here.
    if (to.of().use_count() <= 2) to.of()->overwrite(*inside);
  }
  for (auto& [from, wanted] : halos) from->fetch(wanted);
  const halo beside = deep ? deep->reach() : halo(to.of()->where()->axes.size());
  if (to.has_pin()) {
    const any_array value = spread.value(own_with(to.where, beside), to.where.axes);
    gd::assign(to.view_with(beside), operand(value, source->waits()));
  }
  if (inside) to.of()->written(*inside, beside);
  else to.of()->written();
}

void assign(const node_ptr& target, const gd::argument& number) {
  const auto& to = dynamic_cast<const leaf&>(*target);
  if (to.has_pin()) gd::assign(to.own_view(), number);
  to.of()->written();
}

int exchanges(const node_ptr& a) { return dynamic_cast<const leaf&>(*a).of()->exchanges(); }

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
