// Reductions of sharded arrays: what each rank makes of its part, and how that is put together.
#include <distributed/arrays/ordered_sums.hpp>

#include <gparray/distributed/collectives.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// The dtype to which elements are converted first, as a reduction of an array does it.
dtype loop_of(reduction r, dtype type) {
  const char k = kind(type) == 'u' ? 'i' : kind(type);
  if (gd::has(gd::row(r).domain, k)) return type;
  if (k == 'b' && gd::has(gd::row(r).domain, 'i')) return dtype::int8;
  core::fail<type_error>("{} of {} is not defined", name(r), name(type));
}

bool is_sum(reduction r) {
  return r == reduction::sum || r == reduction::prod || r == reduction::nansum || r == reduction::nanprod ||
         r == reduction::count_nonzero;
}

partial partial_of(reduction r, dtype type) {
  const dtype loop = loop_of(r, type), state = accumulator_dtype(r, loop);
  const bool half = is_floating(loop) && itemsize(loop) == 2;
  const ufunc fold = [&] {
    switch (r) {
      case reduction::prod:
      case reduction::nanprod:
        return ufunc::multiply;
      case reduction::min:
        return ufunc::minimum;
      case reduction::max:
        return ufunc::maximum;
      case reduction::nanmin:
        return ufunc::fmin;
      case reduction::nanmax:
        return ufunc::fmax;
      case reduction::any:
        return ufunc::logical_or;
      case reduction::all:
        return ufunc::logical_and;
      default:
        return ufunc::add;
    }
  }();
  // Partial sums of halves are float32.
  return {r, half && is_sum(r) ? dtype::float32 : loop, fold, half && is_sum(r) ? dtype::float32 : state};
}

any_array number(double value, dtype type, device where) {
  return gd::create_full({}, type, {.device = where}, gd::constant(value));
}

any_array apply(ufunc f, dtype loop, const any_array& a) {
  const gd::argument one[] = {operand(a)};
  return gd::make_expression(f, loop, one);
}

any_array apply(ufunc f, dtype loop, const any_array& a, const any_array& b) {
  const gd::argument two[] = {operand(a), operand(b)};
  return gd::make_expression(f, loop, two);
}

/// The only axis that is cut, if all before it have one element: then parts follow each other in C order.
std::optional<std::size_t> row_axis(const placement& at) {
  std::optional<std::size_t> found;
  for (std::size_t a = 0; a < at.axes.size(); ++a) {
    if (at.axes[a].whole()) continue;
    if (found) return {};
    found = a;
  }
  for (std::size_t a = 0; found && a < *found; ++a)
    if (at.shape[a] != 1) return {};
  return found;
}

std::int64_t count(const placement& at, const dims* axes) {
  std::int64_t n = 1;
  if (!axes)
    for (const std::int64_t each : at.shape) n *= each;
  else
    for (const std::int64_t axis : *axes) n *= at.shape[static_cast<std::size_t>(axis)];
  return n;
}

/// Axes that are reduced (null: all) and lie on several ranks.
std::vector<std::size_t> reduced_and_cut(const placement& at, const dims* axes) {
  std::vector<std::size_t> cut;
  for (std::size_t a = 0; a < at.axes.size(); ++a)
    if (!at.axes[a].whole() && at.ranks->shape[static_cast<std::size_t>(at.axes[a].mesh_axis)] > 1 &&
        (!axes || std::find(axes->begin(), axes->end(), static_cast<std::int64_t>(a)) != axes->end()))
      cut.push_back(a);
  return cut;
}

/// On the CPU, by the blocks of one process' tree, if the elements of each result follow each other from rank
/// to rank, and, of several results, none of its blocks lies on two. Axes stay with size 1; of all for null
/// it has no dimensions.
std::optional<any_array> reduced_by_blocks(reduction r, const shard& s, const dims* axes, double ddof) {
  const placement& at = *s.where();
  const any_array own = s.own();
  const std::vector<std::size_t> cut = reduced_and_cut(at, axes);
  if (!own.device().is_cpu() || cut.size() != 1 || count(at, nullptr) == 0) return {};
  dims reduced, first, kept_shape = own.shape();
  std::int64_t others = 1, columns = 1;
  for (std::size_t a = 0; a < at.shape.size(); ++a) {
    if (axes && std::find(axes->begin(), axes->end(), static_cast<std::int64_t>(a)) == axes->end()) {
      columns *= own.shape()[a];
      continue;
    }
    if (a < cut[0] && at.shape[a] != 1) return {};
    if (a != cut[0]) others *= at.shape[a];
    first.push_back(static_cast<std::int64_t>(reduced.size()));
    reduced.push_back(static_cast<std::int64_t>(a));
    kept_shape[a] = 1;
  }
  const std::vector<std::int64_t> cuts = own_cuts(at.axes[cut[0]], at.shape[cut[0]], others);
  const bool one = count(at, nullptr) == cuts.back();
  if (!one && !at_blocks(cuts)) return {};
  const communicator& line = at.ranks->lines[static_cast<std::size_t>(at.axes[cut[0]].mesh_axis)];
  line.state().begin(signature(name(r), s.type(), at.shape, axes ? static_cast<int>(cut[0]) : -1));
  const dtype loop = loop_of(r, s.type());
  if (columns == 0) return gd::create(kept_shape, result_dtype(r, loop), {.device = own.device()});
  const std::int64_t rows =
      cuts[static_cast<std::size_t>(line.rank()) + 1] - cuts[static_cast<std::size_t>(line.rank())];
  const any_array x = gd::reshape(gd::moveaxis(as(own, loop), reduced, first),
                                  one ? dims{rows} : dims{rows, columns}, gparray::order::C);
  return gd::reshape(merged_by_block(r, ddof, x, cuts, line), axes ? kept_shape : dims{}, gparray::order::C);
}

/// Of sums, extremes and truth values. Axes stay with size 1; of all for null it has no dimensions.
any_array reduced_partially(const partial& how, const placement& at, any_array own, const dims* axes) {
  if (!has_identity(how.by) && count(at, axes) == 0)
    core::fail<value_error>("zero-size array to reduction operation {} which has no identity", name(how.by));
  if (is_ordered(how, at, own.device())) return reduced_in_order(how, at, std::move(own), axes);
  const std::vector<std::size_t> cut = reduced_and_cut(at, axes);
  if (cut.empty()) return reduced_here(how, own, axes);

  const auto& lines = at.ranks->lines;
  const auto line_of = [&](std::size_t a) -> const communicator& {
    return lines[static_cast<std::size_t>(at.axes[a].mesh_axis)];
  };
  line_of(cut[0]).state().begin(
      signature(name(how.by), own.dtype(), at.shape, axes ? static_cast<int>(cut[0]) : -1));
  // A rank without elements has nothing to say to those with some.
  any_array result;
  if (own.size() > 0 || has_identity(how.by)) {
    result = reduced_here(how, own, axes);
  } else {
    dims shape;
    if (axes) {
      shape = own.shape();
      for (const std::int64_t a : *axes) shape[static_cast<std::size_t>(a)] = 1;
    }
    result = gd::create_zeros(shape, how.state, {.device = own.device()});
  }
  for (const std::size_t a : cut) {
    std::vector<bool> had_elements;
    const std::vector<std::int64_t> cuts = own_cuts(at.axes[a], at.shape[a], 1);
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) had_elements.push_back(cuts[c] < cuts[c + 1]);
    result = merged_by_rank(how, result, line_of(a), had_elements);
  }
  return result;
}

placement reduced_place(const placement& at, const dims& axes) {
  placement left = at;
  for (const std::int64_t a : axes) {
    left.shape[static_cast<std::size_t>(a)] = 1;
    left.axes[static_cast<std::size_t>(a)] = {};
  }
  return left;
}

node_ptr with_kept_axes(const shard& s, const dims& axes, const any_array& r) {
  return node_of(reduced_place(*s.where(), axes), r);
}

any_array arg_reduced(reduction r, const shard& s) {
  const placement& at = *s.where();
  const any_array own = s.own();
  if (at.replicated()) return reduced_here({r, loop_of(r, s.type()), ufunc::add, dtype::int64}, own, nullptr);
  const auto axis = row_axis(at);
  if (!axis)
    core::fail<value_error>(
        "{} of all elements needs parts that follow each other in C order: reshard to rows", name(r));
  if (count(at, nullptr) == 0) core::fail<value_error>("attempt to get {} of an empty sequence", name(r));
  // The first rank that has the extreme has the first of them.
  struct candidate {
    std::int64_t index;
    alignas(16) unsigned char value[16];
  };
  candidate mine{-1, {}};
  const dtype loop = loop_of(r, s.type());
  if (own.size() > 0) {
    const any_array flat = gd::ravel(own, gparray::order::C);
    const any_array at_index = reduced_here({r, loop, ufunc::add, dtype::int64}, flat, nullptr);
    gd::item(at_index, &mine.index);
    const gd::index_item number(mine.index);
    gd::item(gd::basic_index(flat, std::span(&number, 1)), mine.value);
    mine.index += at.own(*axis).begin * (count(at, nullptr) / at.shape[*axis]);
  }
  const std::vector<candidate> all =
      all_gather_values(mine, at.ranks->lines[static_cast<std::size_t>(at.axes[*axis].mesh_axis)]);
  std::vector<unsigned char> values;
  std::vector<std::int64_t> indices;
  for (const candidate& c : all) {
    if (c.index < 0) continue;
    values.insert(values.end(), c.value, c.value + itemsize(s.type()));
    indices.push_back(c.index);
  }
  const any_array found =
      gd::from_host(values.data(), {static_cast<std::int64_t>(indices.size())}, s.type(), device::cpu());
  std::int64_t best = 0;
  gd::item(reduced_here({r, loop, ufunc::add, dtype::int64}, found, nullptr), &best);
  return gd::create_full({}, dtype::int64, {.device = own.device()},
                         gd::constant(indices[static_cast<std::size_t>(best)]));
}

/// Axes counted from the front, each once, in order. Throws axis_error, value_error.
dims checked_axes(const dims& axes, int ndim) {
  dims result;
  for (const std::int64_t axis : axes) result.push_back(checked_axis(axis, ndim));
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    throw value_error("duplicate value in 'axis'");
  return result;
}

/// The squares of absolute values, of differences from the centre if there is one: an array of their own, so
/// that parts of them can be added in an order of their own.
any_array squares(const any_array& elements, const any_array& centre) {
  const dtype wide = elements.dtype(), real = real_dtype(wide);
  const any_array from = centre.rep() ? apply(ufunc::subtract, wide, elements, centre) : elements;
  if (!is_complex(wide)) return apply(ufunc::multiply, real, from, from);
  const any_array re = gd::complex_part(from, 0), im = gd::complex_part(from, 1);
  return apply(ufunc::add, real, apply(ufunc::multiply, real, re, re), apply(ufunc::multiply, real, im, im));
}

/// What a reduction is of elements that cannot be NaN.
reduction without_nan(reduction r) {
  return r == reduction::nanmean  ? reduction::mean
         : r == reduction::nanvar ? reduction::var
         : r == reduction::nanstd ? reduction::std
                                  : r;
}

/// The sum that a reduction is made of, if it is one.
std::optional<partial> sum_of(reduction r, dtype type) {
  switch (r) {
    case reduction::mean:
    case reduction::norm:
    case reduction::var:
    case reduction::std:
    case reduction::nanmean:
    case reduction::nanvar:
    case reduction::nanstd: {
      const dtype wide = accumulator_dtype(r, loop_of(r, type)),
                  state = without_nan(r) == reduction::mean ? wide : real_dtype(wide);
      return partial{r != without_nan(r) ? reduction::nansum : reduction::sum, state, ufunc::add, state};
    }
    default:
      if (is_sum(r)) return partial_of(r, type);
      return {};
  }
}

/// The own elements; those of an expression that nobody else has are then the caller's alone, and need not be
/// stored to be reduced.
any_array last_use(const std::shared_ptr<shard>& s) { return s.use_count() == 1 ? s->taken() : s->own(); }

/// How many elements are not NaN, as real numbers.
any_array counted(const shard& s, const dims* axes, dtype real) {
  const any_array own = s.own(), is_number = apply(ufunc::equal, s.type(), own, own);
  return as(
      reduced_partially(partial_of(reduction::count_nonzero, dtype::bool_), *s.where(), is_number, axes),
      real);
}

/// With reduced axes kept as of size 1 (null: all, no dimensions).
any_array reduced_to(reduction wanted, const std::shared_ptr<shard>& s, const dims* axes, double ddof) {
  const dtype type = s->type();
  const reduction r = is_floating(type) || is_complex(type) ? wanted : without_nan(wanted);
  const placement& at = *s->where();
  const std::int64_t n = count(at, axes);
  const std::optional<partial> sum_within = sum_of(r, type);
  if (reduced_and_cut(at, axes).empty() && !(sum_within && is_ordered(*sum_within, at, s->own().device())))
    return gd::reduce_later(r, operand(s->own()), loop_of(r, type), axes,
                            {.keepdims = axes != nullptr, .ddof = ddof});
  if (auto result = reduced_by_blocks(r, *s, axes, ddof)) return *result;
  switch (r) {
    case reduction::mean: {
      const dtype element = result_dtype(reduction::mean, loop_of(r, type)), wide = sum_within->state;
      const any_array sum = reduced_partially(*sum_within, at, s->own(), axes);
      // Of complex numbers too: by a real number, part by part.
      const any_array divisor = number(static_cast<double>(n), wide, sum.device());
      return as(apply(ufunc::divide, wide, sum, divisor), element);
    }
    case reduction::nanmean: {
      const dtype element = result_dtype(r, loop_of(r, type)), wide = sum_within->state;
      const any_array sum = reduced_partially(*sum_within, at, s->own(), axes),
                      counts = counted(*s, axes, real_dtype(wide));
      return as(apply(ufunc::divide, wide, sum, as(counts, wide)), element);
    }
    case reduction::nanvar:
    case reduction::nanstd: {
      const dtype result = result_dtype(r, loop_of(r, type));
      const dtype wide = accumulator_dtype(r, loop_of(r, type)), real = real_dtype(wide);
      const any_array centre = as(reduced_to(reduction::nanmean, s, axes, 0), wide),
                      sum = reduced_partially(*sum_within, at, squares(as(s->own(), wide), centre), axes),
                      counts = counted(*s, axes, real);
      // Without a degree of freedom it is NaN, as 0 / 0.
      const any_array degrees = apply(ufunc::subtract, real, counts, number(ddof, real, sum.device())),
                      some = as(apply(ufunc::greater, real, degrees, number(0, real, sum.device())), real),
                      divisor = apply(ufunc::divide, real, apply(ufunc::multiply, real, degrees, some), some),
                      variance = apply(ufunc::divide, real, sum, divisor);
      return as(r == reduction::nanstd ? apply(ufunc::sqrt, real, variance) : variance, result);
    }
    case reduction::norm:
    case reduction::var:
    case reduction::std: {
      const dtype result = result_dtype(r, loop_of(r, type));
      const dtype wide = accumulator_dtype(r, loop_of(r, type)), real = real_dtype(wide);
      any_array centre;
      if (r != reduction::norm) centre = as(reduced_to(reduction::mean, s, axes, 0), wide);
      any_array squared = squares(as(r == reduction::norm ? last_use(s) : s->own(), wide), centre);
      const any_array sum = reduced_partially(*sum_within, at, std::move(squared), axes);
      if (r == reduction::norm) return as(apply(ufunc::sqrt, real, sum), result);
      const double degrees = std::max(static_cast<double>(n) - ddof, 0.);
      const any_array variance = apply(ufunc::divide, real, sum, number(degrees, real, sum.device()));
      return as(r == reduction::std ? apply(ufunc::sqrt, real, variance) : variance, result);
    }
    case reduction::ptp: {
      const any_array most = reduced_partially(partial_of(reduction::max, type), at, s->own(), axes);
      const any_array least = reduced_partially(partial_of(reduction::min, type), at, s->own(), axes);
      return apply(ufunc::subtract, most.dtype(), most, least);
    }
    default:
      return as(reduced_partially(partial_of(r, type), at, last_use(s), axes),
                result_dtype(r, loop_of(r, type)));
  }
}

void check_options(reduction r, const reduction_options& options, bool has_axes) {
  if (options.out.rep() || options.where.rep() || options.initial)
    core::fail<value_error>("{} of a sharded array has the options keepdims and ddof alone", name(r));
  if (!options.axis.get()) return;
  if (has_axes) throw value_error("got multiple values for argument 'axis'");
  // What is left is a sharded array, and without one a number: other types.
  core::fail<value_error>(
      "{} of a sharded array takes an axis by its place among the arguments, gp::{}(a, axis), and not as an "
      "option",
      name(r), name(r));
}

}  // namespace

any_array reduced(reduction r, const node_ptr& a, const reduction_options& options) {
  check_options(r, options, false);
  const auto s = shard_of(a);
  any_array result = returns_index(r) ? arg_reduced(r, *s) : reduced_to(r, s, nullptr, options.ddof);
  if (!options.keepdims) return result;
  return gd::reshape(result, dims::filled(a->where.shape.size(), 1), gparray::order::C);
}

any_array sum_of_parts(const node_ptr& a, const any_array& mine) {
  const placement& at = a->where;
  if (!at.ranks || at.ranks->world.size() == 1) return mine;
  const communicator& world = at.ranks->world;
  return all_reduce(at.first_of_its_kind(world.rank())
                        ? mine
                        : gd::create_zeros(mine.shape(), mine.dtype(), {.device = mine.device()}),
                    world, {});
}

node_ptr reduced(reduction r, const node_ptr& a, const dims& wanted, const reduction_options& options) {
  check_options(r, options, true);
  const auto s = shard_of(a);
  const placement& at = *s->where();
  const dims axes = checked_axes(wanted, static_cast<int>(at.axes.size()));
  any_array result;
  if (returns_index(r)) {
    if (axes.size() != 1 || !at.axes[static_cast<std::size_t>(axes[0])].whole())
      core::fail<value_error>("{} along an axis that is cut: reshard so that another axis is", name(r));
    result = reduced_here({r, loop_of(r, s->type()), ufunc::add, dtype::int64}, s->own(), &axes);
  } else {
    result = reduced_to(r, s, &axes, options.ddof);
  }
  if (options.keepdims) return with_kept_axes(*s, axes, result);
  placement left = reduced_place(at, axes);
  for (std::size_t i = axes.size(); i-- > 0;) {
    left.shape.erase(static_cast<std::size_t>(axes[i]));
    left.axes.erase(left.axes.begin() + axes[i]);
  }
  return node_of(std::move(left), gd::squeeze(result, axes));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
