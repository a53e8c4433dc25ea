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

/// Which elements of one place are where in the other.
class exchange {
 public:
  exchange(const axis_place& from, std::int64_t n, const axis_place& to, const numbers& indices,
           std::int64_t ranks)
      : ranks_(static_cast<std::size_t>(ranks)), wanted_(ranks_ * ranks_) {
    const auto size = static_cast<std::int64_t>(indices.size());
    std::vector<range> blocks;
    for (std::int64_t r = 0; r < ranks; ++r) blocks.push_back(from.own(r, n));
    for (std::int64_t r = 0; r < ranks; ++r) {
      const range own = to.own(r, size);
      for (std::int64_t p = own.begin; p < own.end; ++p) {
        const std::int64_t i = indices[static_cast<std::size_t>(p)];
        const auto owner = std::ranges::find_if(
            blocks, [i](const range& block) { return block.begin <= i && i < block.end; });
        const auto source = static_cast<std::size_t>(owner - blocks.begin());
        part& of = wanted_[source * ranks_ + static_cast<std::size_t>(r)];
        of.elements.push_back(i - owner->begin);
        of.places.push_back(p - own.begin);
        longest_ = std::max(longest_, static_cast<std::int64_t>(of.elements.size()));
      }
    }
  }

  std::int64_t longest() const { return longest_; }
  /// The elements that a rank sends: to each other one as many, the last of which may be of no use.
  numbers sent(std::int64_t rank) const {
    numbers result;
    for (std::size_t to = 0; to < ranks_; ++to) {
      const numbers& some = wanted_[static_cast<std::size_t>(rank) * ranks_ + to].elements;
      result.insert(result.end(), some.begin(), some.end());
      result.resize((to + 1) * static_cast<std::size_t>(longest_), 0);
    }
    return result;
  }
  /// Where each element of a rank's result is among those that it gets.
  numbers received(std::int64_t rank) const {
    numbers result;
    for (std::size_t from = 0; from < ranks_; ++from) {
      const numbers& places = wanted_[from * ranks_ + static_cast<std::size_t>(rank)].places;
      for (std::size_t k = 0; k < places.size(); ++k) {
        const auto place = static_cast<std::size_t>(places[k]);
        result.resize(std::max(result.size(), place + 1));
        result[place] = static_cast<std::int64_t>(from) * longest_ + static_cast<std::int64_t>(k);
      }
    }
    return result;
  }

 private:
  struct part {
    numbers elements, places;  // in the source's block, and in the other one's
  };

  std::size_t ranks_;
  std::vector<part> wanted_;  // [source][destination]
  std::int64_t longest_ = 0;
};

any_array unwritten(const dims& shape, const any_array& like) {
  const device where = like.device();
  return gd::empty(shape, like.dtype(), gparray::order::C,
                   where.is_cuda() ? memory_space::device : memory_space::host, where);
}

any_array take_here(const any_array& a, const numbers& indices, int axis) {
  const any_array at = gparray::array(indices, {.device = a.device()});
  return gd::take(a, at, gd::slice_end(axis), gd::index_mode::raise);
}

}  // namespace

node_ptr taken(const node_ptr& a, const numbers& indices, int axis) {
  const placement& at = a->where;
  const auto along = static_cast<std::size_t>(axis);
  placement result = at.plain();
  result.shape[along] = static_cast<std::int64_t>(indices.size());
  const int mesh_axis = at.axes[along].mesh_axis;
  if (mesh_axis >= 0) {
    std::vector<int> axes(along + 1, -1);
    axes[along] = mesh_axis;
    dims alone = dims::filled(along + 1, 1);
    alone[along] = result.shape[along];
    result.axes[along] = distributed::layout::blocks(mesh(at.ranks), axes).place(alone)->axes[along];
  }
  const any_array here = evaluated(*a, at);
  if (!is_cut(at, along)) return node_of(result, take_here(here, indices, axis));
  const communicator& line = at.ranks->lines[static_cast<std::size_t>(mesh_axis)];
  const std::int64_t me = at.ranks->coordinates[static_cast<std::size_t>(mesh_axis)];
  const exchange parts(at.axes[along], at.shape[along], result.axes[along], indices, line.size());
  if (parts.longest() == 0) return node_of(result, unwritten(result.own_shape(), here));
  dims sent_shape = here.shape();
  sent_shape[along] = parts.longest() * line.size();
  // A rank without elements sends what nobody looks at.
  const any_array sent =
      here.shape(axis) > 0 ? take_here(here, parts.sent(me), axis) : unwritten(sent_shape, here);
  const any_array received = all_to_all(sent, line, {.split_axis = axis, .concat_axis = axis});
  return node_of(result, take_here(received, parts.received(me), axis));
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
