// From one layout to another, from and to arrays of one rank.
#include <sstream>

#include <distributed/arrays/node.hpp>
#include <distributed/collectives/moved.hpp>

#include <gparray/distributed/sorting.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

bool empty(const box& b) {
  return std::any_of(b.begin(), b.end(), [](const range& r) { return r.size() == 0; });
}

bool contains(const box& outer, const box& inner) { return intersection(outer, inner) == inner; }

/// What takes a GPU longer to copy than to wait for another stream.
constexpr std::int64_t worth_two_streams = std::int64_t{1} << 24;

}  // namespace

any_array view_in(const any_array& a, const box& of, const box& part) {
  std::vector<gd::index_item> items;
  for (std::size_t i = 0; i < of.size(); ++i)
    items.emplace_back(slice(part[i].begin - of[i].begin, part[i].end - of[i].begin));
  return items.empty() ? a : gd::basic_index(a, items);
}

any_array redistributed(const shard& a, const std::function<box(int)>& wanted_by, double factor,
                        const char* operation) {
  const placement& from = *a.where();
  const communicator& world = from.ranks->world;
  const int me = world.rank();
  const box own = from.own(), mine = wanted_by(me);
  const any_array part = a.own();
  const transport t(world, part.device(), {});
  t.group().begin(signature(operation, a.type(), from.shape));
  // A piece comes from the first rank that has it, unless it is here.
  messages all(t);
  const any_array result = gd::create(shape_of(mine), a.type(), {.device = part.device()});
  for (int r = 0; r < world.size(); ++r) {
    const box theirs = wanted_by(r);
    const box out = intersection(own, theirs);
    if (r != me && from.first_of_its_kind(me) && !empty(out) && !contains(from.own_of(r), theirs))
      all.send(r, view_in(part, own, out));
    const box in = intersection(from.own_of(r), mine);
    if (r != me && from.first_of_its_kind(r) && !empty(in) && !contains(own, mine))
      all.receive(r, view_in(result, mine, in));
  }
  const box kept = intersection(own, mine);
  const auto keep = [&](const box& b) {
    if (empty(b)) return;
    const any_array from = view_in(part, own, b), to = view_in(result, mine, b);
    if (factor == 1) write(to, from);
    else write_scaled(to, from, factor);
  };
  std::int64_t kept_bytes = static_cast<std::int64_t>(itemsize(a.type()));
  for (const range& r : kept) kept_bytes *= r.size();
  // What several ranks have may come from another one although it is here.
  bool comes_once = true;
  for (int r = 0; r < world.size(); ++r) comes_once &= from.first_of_its_kind(r);
  if (world.size() == 1 || t.place().is_cpu() || kept_bytes < worth_two_streams || !comes_once) {
    all.exchange(factor);
    keep(kept);
  } else {
    const messages::journey under_way = all.exchange_aside();
    t.wait_for(under_way.begins);
    // A little first, while the messages' kernel finds its place; a part of the copy's time is spared.
    box little = kept, rest = kept;
    std::size_t axis = 0;
    while (kept[axis].size() == 1) ++axis;
    little[axis].end = rest[axis].begin = kept[axis].begin + (kept[axis].size() + 255) / 256;
    keep(little);
    keep(rest);
    t.wait_for(under_way.ends);
    all.land(factor);
  }
  return result;
}

node_ptr made(const dims& shape, dtype type, const distributed::layout& where, const maker& f) {
  auto at = where.place(shape);
  dims offset;
  for (const range& r : at->own()) offset.push_back(r.begin);
  any_array part = f(offset, at->own_shape());
  if (part.shape() != at->own_shape())
    core::fail<value_error>("the part of rank {} has shape {}, and what was made for it {}",
                            at->ranks->world.rank(), core::text(at->own_shape()), core::text(part.shape()));
  return node_of(std::move(at), gd::as_type(part, type));
}

node_ptr nothing(dtype type) {
  return node_of(distributed::layout::replicated(communicator()).place({0}), gd::create({0}, type, {}));
}

node_ptr from_local(const any_array& part, const distributed::layout& where) {
  struct sizes {
    std::int64_t ndim, type, of[max_ndim];
  };
  const auto ranks = where.ranks().state();
  sizes mine{part.ndim(), static_cast<std::int64_t>(part.dtype()), {}};
  std::copy(part.shape().begin(), part.shape().end(), mine.of);
  const std::vector<sizes> all = all_gather_values(mine, ranks->world);
  placement at{ranks, part.shape(), {}};
  for (int axis = 0; axis < part.ndim(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    axis_place place;
    place.mesh_axis = where.mesh_axis(axis);
    if (!place.whole()) {
      const auto m = static_cast<std::size_t>(place.mesh_axis);
      std::vector<std::int64_t> cuts{0};
      for (std::int64_t c = 0; c < ranks->shape[m]; ++c) {
        dims coordinates = dims::filled(ranks->shape.size(), 0);
        coordinates[m] = c;
        std::int64_t rank = 0;
        for (std::size_t i = 0; i < coordinates.size(); ++i) rank = rank * ranks->shape[i] + coordinates[i];
        cuts.push_back(cuts.back() + all[static_cast<std::size_t>(rank)].of[a]);
      }
      at.shape[a] = cuts.back();
      const layout_state& given = *where.state();
      if (a < given.places.size() && *given.given[a] == cuts) place = given.places[a];
      else place.cuts = std::make_shared<const std::vector<std::int64_t>>(std::move(cuts));
    }
    at.axes.push_back(std::move(place));
  }
  // Decided from what all know, so that all throw.
  for (int r = 0; r < ranks->world.size(); ++r) {
    const sizes& its = all[static_cast<std::size_t>(r)];
    if (its.ndim != all[0].ndim || its.type != all[0].type)
      core::fail<value_error>("from_local: rank {} has another number of dimensions or dtype than rank 0", r);
    // What this rank made of the sizes is the same everywhere but along axes that are whole.
    for (int axis = 0; axis < part.ndim(); ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const axis_place& place = at.axes[a];
      const std::int64_t expected =
          place.whole()
              ? all[0].of[a]
              : place.own(ranks->coordinates_of(r)[static_cast<std::size_t>(place.mesh_axis)], at.shape[a])
                    .size();
      if (its.of[a] != expected)
        core::fail<value_error>(
            "from_local: along axis {} the part of rank {} has {} elements, not {} as others beside it", axis,
            r, its.of[a], expected);
    }
  }
  return node_of(std::move(at), part);
}

node_ptr scattered(const any_array& x, int root, const distributed::layout& where) {
  const communicator world = where.ranks().world();
  check_rank("scatter", "the root", root, world.size());
  struct description {
    std::int64_t type, ndim, sizes[max_ndim];
  } of_root{static_cast<std::int64_t>(x.dtype()), x.ndim(), {}};
  std::copy(x.shape().begin(), x.shape().end(), of_root.sizes);
  world.state().begin(signature("scatter", root));
  world.state().host().broadcast(&of_root, sizeof of_root, root, default_stream(device::cpu()));
  const dims shape(std::span<const std::int64_t>(of_root.sizes, static_cast<std::size_t>(of_root.ndim)));
  const auto at = where.place(shape);
  // As an array of which the root has everything.
  placement all{at->ranks, shape, std::vector<axis_place>(shape.size())};
  const any_array part = x.dtype() == static_cast<dtype>(of_root.type)
                             ? x
                             : gd::create({0}, static_cast<dtype>(of_root.type), {});
  const transport t(world, default_device(), {});
  messages letters(t);
  for (int r = 0; world.rank() == root && r < world.size(); ++r)
    letters.send(r, view_in(part, all.own(), at->own_of(r)));
  const any_array result = t.room(at->own_shape(), part.dtype());
  letters.receive(root, result);
  letters.exchange();
  return node_of(at, t.unpacked(result));
}

any_array local(const node_ptr& a) {
  if (const auto* const here = dynamic_cast<const leaf*>(a.get()); here && here->has_pin() && !here->pinned())
    return here->own_view();
  return shard_of(a)->own();
}

void written(const node_ptr& a) {
  if (const auto* const here = dynamic_cast<const leaf*>(a.get())) here->of()->written();
}

any_array gathered(const node_ptr& a, int root) {
  const auto s = shard_of(a);
  const placement& from = *s->where();
  if (root >= from.ranks->world.size()) check_rank("gather_to", "the root", root, from.ranks->world.size());
  if (from.replicated()) {
    if (root >= 0 && root != from.ranks->world.rank()) return gd::create({0}, s->type(), {});
    const bool is_of_others = dynamic_cast<const leaf*>(a.get()) != nullptr;
    return is_of_others ? gd::copy(s->own(), gparray::order::C) : s->own();
  }
  box all, nothing;
  for (const std::int64_t n : from.shape) {
    all.push_back({0, n});
    nothing.push_back({0, 0});
  }
  const any_array result =
      redistributed(*s, [&](int r) { return root < 0 || r == root ? all : nothing; }, 1, "gather");
  return root < 0 || root == from.ranks->world.rank() ? result : gd::create({0}, s->type(), {});
}

node_ptr resharded(const node_ptr& a, const distributed::layout& to) { return resharded(a, to, 1); }

node_ptr resharded(const node_ptr& a, const distributed::layout& to, double factor) {
  const auto s = shard_of(a);
  const auto at = to.place(s->where()->shape);
  if (!(at->ranks->world == s->where()->ranks->world))
    throw value_error("reshard: the layout is of another communicator");
  if (at->same(*s->where())) return computed(a);
  any_array part = redistributed(*s, [&](int r) { return at->own_of(r); }, factor);
  return node_of(at, std::move(part));
}

node_ptr transposed(const node_ptr& a, const dims& wanted) {
  const auto s = shard_of(a);
  const placement& from = *s->where();
  dims axes;
  for (const std::int64_t axis : wanted)
    axes.push_back(checked_axis(axis, static_cast<int>(from.axes.size())));
  if (wanted.empty())
    for (std::size_t i = from.axes.size(); i-- > 0;) axes.push_back(static_cast<std::int64_t>(i));
  const any_array part = gd::copy(gd::transpose(s->own(), axes), gparray::order::C);
  placement at{from.ranks, {}, {}};
  for (const std::int64_t axis : axes) {
    at.shape.push_back(from.shape[static_cast<std::size_t>(axis)]);
    at.axes.push_back(from.axes[static_cast<std::size_t>(axis)]);
  }
  return node_of(std::move(at), part);
}

void item(const node_ptr& a, const dims& index, void* value) {
  const auto s = shard_of(a);
  const placement& at = *s->where();
  if (index.size() != at.axes.size())
    core::fail<index_error>("item: {} indices for an array of {} dimensions", index.size(), at.axes.size());
  box element;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const std::int64_t n = at.shape[i];
    if (index[i] < -n || index[i] >= n)
      core::fail<index_error>("index {} is out of bounds for axis {} with size {}", index[i], i, n);
    const std::int64_t positive = index[i] < 0 ? index[i] + n : index[i];
    element.push_back({positive, positive + 1});
  }
  const communicator& world = at.ranks->world;
  int owner = 0;
  while (!contains(at.own_of(owner), element)) ++owner;
  if (contains(at.own(), element)) gd::item(s->view(element), value);
  if (at.replicated()) return;
  world.state().begin(signature("item", s->type(), index, owner));
  world.state().host().broadcast(value, itemsize(s->type()), owner, default_stream(device::cpu()));
}

any_array exchanged(const any_array& x, std::span<const std::int64_t> cuts, const communicator& c) {
  if (c.size() == 1) return x;  // whose engine would take a GPU's elements through host memory
  const std::size_t ranks = static_cast<std::size_t>(c.size()), item = itemsize(x.dtype());
  std::vector<std::int64_t> all(ranks * (ranks + 1));
  all_gather_bytes(cuts.data(), all.data(), cuts.size_bytes(), c);
  const transport t(c, x.device(), {});
  std::vector<std::size_t> from{0}, to{0};
  const auto me = static_cast<std::size_t>(c.rank());
  for (std::size_t r = 0; r < ranks; ++r) {
    from.push_back(static_cast<std::size_t>(cuts[r + 1]) * item);
    const std::int64_t* const its = &all[r * (ranks + 1)];
    to.push_back(to.back() + static_cast<std::size_t>(its[me + 1] - its[me]) * item);
  }
  t.group().note(signature("exchange"));
  const any_array packed = t.movable(x),
                  result = t.room({static_cast<std::int64_t>(to.back() / item)}, x.dtype());
  t.moves().all_to_all(t.read(packed), from, t.written(result), to, t.stream());
  return t.unpacked(result);
}

std::string text_of(const node_ptr& a) {
  std::ostringstream text;
  text << gathered(a, -1);
  return text.str();
}

}  // namespace distributed::detail

namespace distributed {

const dims& any_sharded::shape() const { return state()->where.shape; }
gparray::dtype any_sharded::dtype() const { return state()->type; }

std::int64_t any_sharded::shape(int axis) const {
  return shape()[static_cast<std::size_t>(detail::checked_axis(axis, ndim()))];
}

std::int64_t any_sharded::size() const {
  std::int64_t n = 1;
  for (const std::int64_t each : shape()) n *= each;
  return n;
}

distributed::layout any_sharded::layout() const { return state()->where.layout(); }
const communicator& any_sharded::world() const { return state()->where.ranks->world; }
dims any_sharded::local_shape() const { return state()->where.own_shape(); }

dims any_sharded::local_offset() const {
  dims offset;
  for (const detail::range& r : state()->where.own()) offset.push_back(r.begin);
  return offset;
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
