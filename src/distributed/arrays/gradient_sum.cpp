#include <distributed/arrays/merge.hpp>

#include <gparray/distributed/gradient_sum.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace gd = gparray::detail;

struct gradient_sum::state {
  communicator world;
  std::int64_t parts;
  std::vector<std::int64_t> cuts;             // of parts among ranks
  std::vector<std::vector<any_array>> added;  // for each part of this rank

  std::int64_t first() const { return cuts[static_cast<std::size_t>(world.rank())]; }
  std::int64_t last() const { return cuts[static_cast<std::size_t>(world.rank()) + 1]; }
};

gradient_sum::gradient_sum(const communicator& world, const gradient_sum_options& options)
    : state_(new state{world, options.parts ? options.parts : world.size(), {}, {}}) {
  if (state_->parts < world.size())
    core::fail<value_error>("gradient_sum: {} parts for {} ranks; each rank needs one", state_->parts,
                            world.size());
  state_->cuts = detail::even_cuts(state_->parts, world.size());
}

gradient_sum::~gradient_sum() = default;
gradient_sum::gradient_sum(gradient_sum&&) noexcept = default;
gradient_sum& gradient_sum::operator=(gradient_sum&&) noexcept = default;

std::vector<part> gradient_sum::my_parts(std::int64_t n) const {
  const std::vector<std::int64_t> cuts = detail::even_cuts(n, static_cast<int>(state_->parts));
  std::vector<part> mine;
  for (std::int64_t p = state_->first(); p < state_->last(); ++p)
    mine.emplace_back(cuts[static_cast<std::size_t>(p)], cuts[static_cast<std::size_t>(p) + 1]);
  return mine;
}

void gradient_sum::add_arrays(std::vector<any_array> gradients) {
  auto& added = state_->added;
  if (static_cast<std::int64_t>(added.size()) == state_->last() - state_->first())
    core::fail<value_error>("gradient_sum: add was called for more than the {} parts of this rank",
                            added.size());
  for (std::size_t i = 0; !added.empty() && i < gradients.size(); ++i)
    if (gradients.size() != added[0].size() || gradients[i].shape() != added[0][i].shape() ||
        gradients[i].dtype() != added[0][i].dtype())
      throw value_error(
          "gradient_sum: the gradients of each part are as many, of the same shapes and dtypes");
  added.push_back(std::move(gradients));
}

std::vector<any_array> gradient_sum::finish_arrays() {
  const auto added = std::exchange(state_->added, {});
  if (static_cast<std::int64_t>(added.size()) != state_->last() - state_->first())
    core::fail<value_error>("gradient_sum: add was called for {} of the {} parts of this rank", added.size(),
                            state_->last() - state_->first());
  std::vector<any_array> sums(added[0].size());
  for (std::size_t first = 0; first < sums.size(); ++first) {
    if (sums[first].rep()) continue;
    // All of this dtype, one behind the other.
    const dtype type = added[0][first].dtype();
    const detail::partial how{reduction::sum, type, ufunc::add, type};
    const auto add = [&](any_array& left, any_array& right) { left = detail::folded(how, left, right); };
    std::vector<std::size_t> alike;
    for (std::size_t i = first; i < sums.size(); ++i)
      if (added[0][i].dtype() == type) alike.push_back(i);
    const auto flat = [&](const std::vector<any_array>& gradients) {
      std::vector<any_array> pieces;
      for (const std::size_t i : alike) pieces.push_back(gd::ravel(gradients[i], gparray::order::C));
      return pieces.size() == 1 ? pieces[0] : gd::join(gd::joining::concatenate, pieces, 0, type);
    };

    // This rank's parts as few subtrees, and those of all ranks together.
    const std::vector<detail::subtree> mine = detail::subtrees(state_->first(), state_->last());
    std::size_t most = 0;
    for (std::size_t r = 0; r + 1 < state_->cuts.size(); ++r)
      most = std::max(most, detail::subtrees(state_->cuts[r], state_->cuts[r + 1]).size());
    std::vector<any_array> states;
    for (const detail::subtree& tree : mine) {
      detail::carry<any_array> sum(add);
      for (std::int64_t p = 0; p < std::int64_t{1} << tree.level; ++p)
        sum.push({p, 0}, flat(added[static_cast<std::size_t>(tree.first - state_->first() + p)]));
      states.push_back(sum.root());
    }
    any_array total;
    const bool one_each = most == 1 && state_->parts % state_->world.size() == 0;
    if (one_each) {
      total = detail::all_reduce(states[0], state_->world, {});
    } else {
      while (states.size() < most)
        states.push_back(gd::create_zeros(states[0].shape(), type, {.device = states[0].device()}));
      const any_array all =
          detail::all_gather(gd::join(gd::joining::stack, states, 0, type), state_->world, {});
      detail::carry<any_array> sum(add);
      for (std::size_t r = 0; r + 1 < state_->cuts.size(); ++r) {
        const auto its = detail::subtrees(state_->cuts[r], state_->cuts[r + 1]);
        for (std::size_t i = 0; i < its.size(); ++i) {
          const gd::index_item number(static_cast<std::int64_t>(r * most + i));
          sum.push(its[i], gd::basic_index(all, std::span(&number, 1)));
        }
      }
      total = sum.root();
    }
    std::int64_t at = 0;
    for (const std::size_t i : alike) {
      const std::int64_t n = added[0][i].size();
      sums[i] = gd::reshape(detail::part_of(total, 0, at, at + n), added[0][i].shape(), gparray::order::C);
      at += n;
    }
  }
  return sums;
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
