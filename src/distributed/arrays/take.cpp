// Elements by their numbers along an axis that is cut. All ranks know all numbers, and so who sends what to
// whom: one exchange, of parts that are as long as the longest.
#include <algorithm>

#include <distributed/arrays/merge.hpp>
#include <distributed/arrays/traveller.hpp>

#include <gparray/distributed/manipulation.hpp>
#include <gparray/distributed/selection.hpp>
#include <gparray/indexing.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

using numbers = std::vector<std::int64_t>;

/// What a rank sends and gets, of `ranks` that share an axis of n elements, for these indices of a place.
struct exchange {
  exchange(const axis_place& from, std::int64_t n, const axis_place& to, const numbers& indices,
           std::int64_t ranks, std::int64_t me)
      : sent(static_cast<std::size_t>(ranks)) {
    const auto size = static_cast<std::int64_t>(indices.size());
    std::vector<range> blocks;
    for (std::int64_t r = 0; r < ranks; ++r) blocks.push_back(from.own(r, n));
    for (std::int64_t r = 0; r < ranks; ++r) {
      const range own = to.own(r, size);
      numbers counts(static_cast<std::size_t>(ranks));  // of what each rank sends to r
      for (std::int64_t p = own.begin; p < own.end; ++p) {
        const std::int64_t i = indices[static_cast<std::size_t>(p)];
        const auto owner =
            std::ranges::find_if(blocks, [i](range block) { return block.begin <= i && i < block.end; });
        const std::int64_t source = owner - blocks.begin();
        std::int64_t& count = counts[static_cast<std::size_t>(source)];
        if (source == me) sent[static_cast<std::size_t>(r)].push_back(i - owner->begin);
        if (r == me) received.emplace_back(source, count);
        longest = std::max(longest, ++count);
      }
    }
  }

  /// The elements that this rank sends: to each one as many, the last of which may be of no use.
  numbers all_sent() const {
    numbers result;
    for (const numbers& some : sent) {
      result.insert(result.end(), some.begin(), some.end());
      result.resize(result.size() + static_cast<std::size_t>(longest) - some.size(), 0);
    }
    return result;
  }
  /// Where each element of this rank's result is among those that it gets.
  numbers places() const {
    numbers result;
    for (const auto& [source, k] : received) result.push_back(source * longest + k);
    return result;
  }

  std::vector<numbers> sent;                                    // to each rank, of this one's block
  std::vector<std::pair<std::int64_t, std::int64_t>> received;  // from a rank, as its k-th element
  std::int64_t longest = 0;                                     // of what any rank sends to any
};

any_array take_here(const any_array& a, const numbers& indices, int axis) {
  const any_array at = gparray::array(indices, {.device = a.device()});
  return gd::take(a, at, gd::slice_end(axis), gd::index_mode::raise);
}

}  // namespace

node_ptr taken(const node_ptr& a, const numbers& indices, int axis) {
  const placement& at = a->where;
  const auto along = static_cast<std::size_t>(axis);
  dims shape = at.shape;
  shape[along] = static_cast<std::int64_t>(indices.size());
  const auto result = layout_like(at, [&](std::size_t k) { return k == along; }).place(shape);
  const any_array here = evaluated(*a, at);
  if (!is_cut(at, along)) return node_of(result, take_here(here, indices, axis));
  const auto m = static_cast<std::size_t>(at.axes[along].mesh_axis);
  const communicator& line = at.ranks->lines[m];
  const exchange parts(at.axes[along], at.shape[along], result->axes[along], indices, line.size(),
                       at.ranks->coordinates[m]);
  const auto unread = [&](std::int64_t n) {
    dims sizes = here.shape();
    sizes[along] = n;
    return gd::create_full(sizes, a->type, {.device = here.device()}, gd::constant(0));
  };
  if (parts.longest == 0) return node_of(result, unread(0));
  // A rank without elements sends what nobody looks at.
  const any_array sent =
      here.shape(axis) > 0 ? take_here(here, parts.all_sent(), axis) : unread(parts.longest * line.size());
  const any_array received = all_to_all(sent, line, {.split_axis = axis, .concat_axis = axis});
  return node_of(result, take_here(received, parts.places(), axis));
}

node_ptr padded_with_copies(const node_ptr& a, const gd::per_side<std::int64_t>& width, std::string_view mode,
                            const pad_options& options) {
  constexpr std::string_view modes[] = {"edge", "reflect", "symmetric", "wrap"};
  if (std::ranges::find(modes, mode) == std::end(modes))
    core::fail<value_error>(
        "pad of a sharded array has the modes 'constant', 'edge', 'reflect', 'symmetric' and 'wrap', not "
        "'{}'",
        mode);
  if (options.reflect_type != "even")
    throw value_error("pad of a sharded array reflects elements as they are: reflect_type 'even'");
  node_ptr result = a;
  for (std::size_t axis = 0; axis < a->where.shape.size(); ++axis) {
    const auto& [before, behind] = width.of(axis);
    if (before == 0 && behind == 0) continue;
    const auto own = gparray::arange<std::int64_t>(a->where.shape[axis], {.device = device::cpu()});
    const auto numbers_of = gd::typed<std::int64_t>(gd::pad(own, {before, behind}, mode, options));
    result = taken(result, numbers_of.to_vector(), static_cast<int>(axis));
  }
  return result == a ? node_of(stored(*a)) : result;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
