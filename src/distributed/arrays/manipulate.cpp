// Other orders and shapes: each rank says which elements of the whole it wants, and puts them in their
// places.
#include <algorithm>

#include <distributed/arrays/merge.hpp>
#include <distributed/arrays/traveller.hpp>

#include <gparray/distributed/manipulation.hpp>
#include <support/errors.hpp>
#include <support/moved_axes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// What a rank has of a place, but for one axis, of which it is this range of another array.
box box_with(box own, std::size_t axis, range wanted) {
  own[axis] = wanted.size() ? wanted : range{};
  return own;
}

std::shared_ptr<const placement> plain(const placement& at) {
  return std::make_shared<const placement>(at.plain());
}

/// Axes counted from the front. Throws axis_error, and value_error if one occurs twice.
dims checked_list(const dims& axes, int ndim, const char* what) {
  dims result;
  for (const std::int64_t axis : axes) {
    const int positive = checked_axis(axis, ndim);
    if (std::find(result.begin(), result.end(), positive) != result.end())
      core::fail<value_error>("repeated axis in `{}` argument", what);
    result.push_back(positive);
  }
  return result;
}

node_ptr rolled(const node_ptr& a, std::int64_t shift, int axis) {
  const auto s = shard_of(a);
  const auto at = plain(*s->where());
  const auto along = static_cast<std::size_t>(axis);
  const std::int64_t n = at->shape[along];
  if (!is_cut(*at, along) || n == 0) {
    const dims axes = axis;
    return node_of(at, gd::roll(s->own(), shift, &axes));
  }
  const std::int64_t by = (shift % n + n) % n;
  // Elements of [0, by) come from the end.
  const any_array wrapped = redistributed(
      *s,
      [&](int rank) {
        const box own = at->own_of(rank);
        const range here = own[along].cut({0, by});
        return box_with(own, along, {here.begin - by + n, here.end - by + n});
      },
      1, "roll");
  const any_array moved = redistributed(
      *s,
      [&](int rank) {
        const box own = at->own_of(rank);
        const range here = own[along].cut({by, n});
        return box_with(own, along, {here.begin - by, here.end - by});
      },
      1, "roll");
  const any_array pieces[] = {wrapped, moved};
  return node_of(at, gd::join(gd::joining::concatenate, pieces, axis, s->type()));
}

node_ptr flipped(const node_ptr& a, int axis) {
  const auto s = shard_of(a);
  const auto at = plain(*s->where());
  const auto along = static_cast<std::size_t>(axis);
  any_array part = s->own();
  if (is_cut(*at, along))
    part = redistributed(
        *s,
        [&](int rank) {
          const box own = at->own_of(rank);
          const std::int64_t n = at->shape[along];
          return box_with(own, along, {n - own[along].end, n - own[along].begin});
        },
        1, "flip");
  return node_of(at, gd::copy(gd::flip(part, axis), gparray::order::C));
}

dims all_axes(const node_ptr& a, const dims* axes) {
  const int ndim = static_cast<int>(a->where.shape.size());
  dims result;
  if (!axes)
    for (int axis = 0; axis < ndim; ++axis) result.push_back(axis);
  else
    for (const std::int64_t axis : *axes) result.push_back(checked_axis(axis, ndim));
  return result;
}

dims resolved(const dims& shape, std::int64_t size) {
  dims result = shape;
  std::int64_t known = 1, open = 0;
  for (const std::int64_t n : shape) {
    if (n < 0) ++open;
    else known *= n;
  }
  if (open == 1 && known != 0 && size % known == 0) {
    for (std::int64_t& n : result)
      if (n < 0) n = size / known;
  } else if (open != 0 || known != size) {
    core::fail<value_error>("cannot reshape array of size {} into shape {}", size, core::text(shape));
  }
  return result;
}

/// Boundaries of rows as those of their elements.
std::vector<std::int64_t> flat_cuts(const placement& at, std::int64_t size) {
  std::vector<std::int64_t> cuts;
  const std::int64_t rows = at.shape[0];
  for (const std::int64_t row : *at.axes[0].cuts) cuts.push_back(rows ? row * (size / rows) : 0);
  return cuts;
}

}  // namespace

node_ptr rolled(const node_ptr& a, const dims& shifts, const dims& axes) {
  const dims list = all_axes(a, &axes);
  if (shifts.size() != list.size() && shifts.size() != 1)
    core::fail<value_error>("roll: {} shifts along {} axes", shifts.size(), list.size());
  node_ptr result = list.empty() ? copied(a) : a;
  for (std::size_t i = 0; i < list.size(); ++i)
    result = rolled(result, shifts[shifts.size() == 1 ? 0 : i], static_cast<int>(list[i]));
  return result;
}

node_ptr flipped(const node_ptr& a, const dims* axes) {
  const dims list = all_axes(a, axes);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (std::find(list.begin(), list.begin() + i, list[i]) != list.begin() + i)
      throw value_error("repeated axis");
  node_ptr result = list.empty() ? copied(a) : a;
  for (const std::int64_t axis : list) result = flipped(result, static_cast<int>(axis));
  return result;
}

node_ptr shifted_spectrum(const node_ptr& a, const dims* axes, bool inverse) {
  const dims list = all_axes(a, axes);
  dims shifts;
  for (const std::int64_t axis : list) {
    const std::int64_t half = a->where.shape[static_cast<std::size_t>(axis)] / 2;
    shifts.push_back(inverse ? -half : half);
  }
  return rolled(a, shifts, list);
}

node_ptr swapped_axes(const node_ptr& a, int axis1, int axis2) {
  const int n = static_cast<int>(a->where.shape.size());
  dims order;
  for (std::int64_t i = 0; i < n; ++i) order.push_back(i);
  std::swap(order[static_cast<std::size_t>(checked_axis(axis1, n))],
            order[static_cast<std::size_t>(checked_axis(axis2, n))]);
  return transposed(a, order);
}

node_ptr moved_axes(const node_ptr& a, const dims& source, const dims& destination) {
  const int n = static_cast<int>(a->where.shape.size());
  const dims from = checked_list(source, n, "source"), to = checked_list(destination, n, "destination");
  return transposed(a, core::moved_axes(from, to, n));
}

namespace {

/// Where the first of some arrays is that is of ranks. Throws value_error if others are on another mesh.
const placement* first_place(std::span<const node_ptr> arrays) {
  const placement* like = nullptr;
  for (const node_ptr& x : arrays) {
    if (like) check_mesh(*like, *x);
    else if (x->where.ranks) like = &x->where;
  }
  return like;
}

/// The shard of an array; of what every rank has anyway as if all these had it.
std::shared_ptr<shard> shard_among(const node_ptr& x, const placement& like) {
  const auto s = shard_of(x);
  if (x->where.ranks) return s;
  placement everywhere = x->where;
  everywhere.ranks = like.ranks;
  return std::make_shared<shard>(std::make_shared<const placement>(std::move(everywhere)), s->own());
}

}  // namespace

distributed::layout layout_like(const placement& like, const std::function<bool(std::size_t)>& is_resized) {
  layout_state layout{like.ranks, {}, {}};
  const auto as_there = plain(like);
  for (std::size_t a = 0; a < like.axes.size(); ++a) {
    layout.mesh_axes.push_back(as_there->axes[a].mesh_axis);
    layout.given.push_back(is_resized(a) ? nullptr : as_there->axes[a].cuts);
  }
  return distributed::layout(std::make_shared<const layout_state>(std::move(layout)));
}

node_ptr stacked(std::span<const node_ptr> arrays, dtype type, int wanted_axis) {
  const placement& like = *first_place(arrays);
  const int axis = checked_axis(wanted_axis, static_cast<int>(like.shape.size()) + 1);
  const auto at = plain(like);
  std::vector<any_array> parts;
  for (const node_ptr& x : arrays) {
    if (x->where.shape != like.shape) throw value_error("all input arrays must have the same shape");
    const auto s = shard_among(x, like);
    parts.push_back(at->same(*s->where())
                        ? s->own()
                        : redistributed(*s, [&](int rank) { return at->own_of(rank); }, 1, "stack"));
  }
  placement to = *at;
  to.shape.insert(static_cast<std::size_t>(axis), static_cast<std::int64_t>(arrays.size()));
  to.axes.insert(to.axes.begin() + axis, axis_place{});
  return node_of(std::move(to), gd::join(gd::joining::stack, parts, axis, type));
}

node_ptr padded(const node_ptr& a, const gd::per_side<std::int64_t>& width, std::string_view mode,
                const pad_options& options) {
  const std::size_t ndim = a->where.shape.size();
  if (width.pairs().size() != 1 && width.pairs().size() != ndim)
    core::fail<value_error>("pad: widths of {} axes for an array of {}", width.pairs().size(), ndim);
  if (mode != "constant") return padded_with_copies(a, width, mode, options);
  const auto s = shard_of(a);
  const placement& from = *s->where();
  dims shape = from.shape;
  for (std::size_t axis = 0; axis < ndim; ++axis) {
    const auto [before, behind] = width.of(axis);
    if (before < 0 || behind < 0) throw value_error("index can't contain negative values");
    shape[axis] += before + behind;
  }
  const auto at =
      layout_like(from, [&](std::size_t axis) { return shape[axis] != from.shape[axis]; }).place(shape);
  // What a rank has of the array itself within its part of the result.
  const auto inside = [&](int rank) {
    box own = at->own_of(rank);
    for (std::size_t axis = 0; axis < ndim; ++axis) {
      const std::int64_t before = width.of(axis).first, n = from.shape[axis];
      own[axis] = {std::clamp<std::int64_t>(own[axis].begin - before, 0, n),
                   std::clamp<std::int64_t>(own[axis].end - before, 0, n)};
    }
    return own;
  };
  const int me = from.ranks->world.rank();
  const any_array piece = redistributed(*s, inside, 1, "pad");
  const box own = at->own_of(me), mine = inside(me);
  any_array part = piece;
  // Axis by axis, as others are padded together: what is in a corner is the last axis's.
  for (std::size_t axis = 0; axis < ndim; ++axis) {
    const std::int64_t before = width.of(axis).first;
    std::vector<any_array> along;
    const auto border = [&](std::int64_t n, const scalar& value) {
      dims sizes = part.shape();
      sizes[axis] = n;
      if (n > 0)
        along.push_back(gd::create_full(sizes, s->type(), {.device = part.device()}, value.as_argument()));
    };
    const auto& [first, last] = options.constant_values.of(axis);
    border(std::min(own[axis].end, before) - own[axis].begin, first);
    along.push_back(part);
    border(own[axis].end - std::max(own[axis].begin, before + from.shape[axis]), last);
    if (along.size() > 1) part = gd::join(gd::joining::concatenate, along, static_cast<int>(axis), s->type());
  }
  return node_of(at, part);
}

node_ptr concatenated(std::span<const node_ptr> arrays, dtype type, int wanted_axis) {
  const placement* const like = first_place(arrays);
  if (like->shape.empty()) throw value_error("zero-dimensional arrays cannot be concatenated");
  const int axis = checked_axis(wanted_axis, static_cast<int>(like->shape.size()));
  const auto along = static_cast<std::size_t>(axis);
  dims shape = like->shape;
  shape[along] = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const dims& its = arrays[i]->where.shape;
    if (its.size() != shape.size())
      core::fail<value_error>(
          "all the input arrays must have same number of dimensions, but array {} has shape {} where {} axes "
          "are wanted",
          i, core::text(its), shape.size());
    for (std::size_t a = 0; a < shape.size(); ++a)
      if (a != along && its[a] != shape[a])
        core::fail<value_error>(
            "all the input array dimensions except for the concatenation axis must match exactly, but along "
            "dimension {} array {} has size {} instead of {}",
            a, i, its[a], shape[a]);
    shape[along] += its[along];
  }
  const auto at = layout_like(*like, [&](std::size_t a) { return a == along; }).place(shape);
  const range mine = at->own(along);
  any_array part;
  std::int64_t before = 0;
  for (const node_ptr& x : arrays) {
    const auto s = shard_among(x, *like);
    const std::int64_t n = x->where.shape[along];
    const any_array piece = redistributed(
        *s,
        [&](int rank) {
          const box own = at->own_of(rank);
          const range here = own[along].cut({before, before + n});
          return box_with(own, along, {here.begin - before, here.end - before});
        },
        1, "concatenate");
    if (!part.rep()) part = gd::create(at->own_shape(), type, {.device = piece.device()});
    const range here = mine.cut({before, before + n});
    if (here.size())
      gd::assign(part_of(part, axis, here.begin - mine.begin, here.end - mine.begin), operand(piece));
    before += n;
  }
  return node_of(at, part);
}

node_ptr reshaped(const node_ptr& a, const dims& wanted) {
  const auto s = shard_of(a);
  const auto from = plain(*s->where());
  std::int64_t size = 1;
  for (const std::int64_t n : from->shape) size *= n;
  const dims shape = resolved(wanted, size);
  if (from->replicated()) {
    const placement to{from->ranks, shape, std::vector<axis_place>(shape.size())};
    return node_of(to, gd::copy(gd::reshape(s->own(), shape, gparray::order::C), gparray::order::C));
  }
  bool by_rows = !from->axes[0].whole() && !shape.empty();
  for (std::size_t axis = 1; axis < from->axes.size(); ++axis) by_rows &= !is_cut(*from, axis);
  if (!by_rows)
    throw value_error(
        "reshape: elements lie on ranks in C order if the array is cut along its first axis alone; reshard "
        "to "
        "layout::rows first");
  const auto rows = distributed::layout::blocks(mesh(from->ranks), {from->axes[0].mesh_axis});
  const auto to = rows.place(shape), flat = rows.with_boundaries(0, flat_cuts(*from, size)).place({size});
  const node_ptr vector = node_of(flat, gd::copy(gd::ravel(s->own(), gparray::order::C), gparray::order::C));
  const any_array part = local(resharded(vector, rows.with_boundaries(0, flat_cuts(*to, size))));
  return node_of(to, gd::reshape(part, to->own_shape(), gparray::order::C));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
