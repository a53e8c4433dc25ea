#include <distributed/arrays/merge.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// The leaves of the trees by which the CPU reduces.
constexpr std::int64_t leaf_size = 2048;

/// Which elements, and which whole leaves, are where.
struct division {
  std::int64_t n, begin, end;

  /// Leaves that are here alone; the last of all may be short.
  std::int64_t first_leaf() const { return (begin + leaf_size - 1) / leaf_size; }
  std::int64_t last_leaf() const {
    const std::int64_t last = end == n ? (n + leaf_size - 1) / leaf_size : end / leaf_size;
    return std::max(last, first_leaf());
  }
  /// Elements before and behind those.
  range head() const { return {begin, std::min(end, first_leaf() * leaf_size)}; }
  range tail() const { return range{std::max(head().end, std::min(end, last_leaf() * leaf_size)), end}; }
  std::int64_t pieces() const { return head().size() + tail().size(); }
};

}  // namespace

std::vector<subtree> subtrees(std::int64_t begin, std::int64_t end) {
  std::vector<subtree> found;
  while (begin < end) {
    int level = 0;
    while (begin % (std::int64_t{2} << level) == 0 && begin + (std::int64_t{2} << level) <= end) ++level;
    found.push_back({begin, level});
    begin += std::int64_t{1} << level;
  }
  return found;
}

void carry::push(subtree node, any_array state) {
  nodes_.push_back({node, std::move(state)});
  while (nodes_.size() > 1 && (nodes_.back().where.first >> nodes_.back().where.level) % 2 == 1) merge_last();
}

any_array carry::root() {
  while (nodes_.size() > 1) merge_last();
  return nodes_[0].state;
}

void carry::merge_last() {
  const any_array right = std::move(nodes_.back().state);
  nodes_.pop_back();
  entry& left = nodes_.back();
  left.state = folded(how_, left.state, right);
  ++left.where.level;
}

gd::argument operand(const any_array& a) {
  gd::argument argument;
  argument.array = &a;
  argument.type = a.dtype();
  argument.fuse = true;
  return argument;
}

any_array folded(const partial& how, const any_array& a, const any_array& b) {
  const gd::argument pair[] = {operand(a), operand(b)};
  return gd::make_expression(how.fold, gd::resolve_loop(how.fold, how.state).loop, pair);
}

any_array reduced_here(const partial& how, const any_array& a, const dims* axes) {
  any_array r = gd::reduce_later(how.by, operand(a), how.element, axes, {.keepdims = axes != nullptr});
  return r.dtype() == how.state ? r : gd::astype(operand(r), how.state, true);
}

any_array merged_by_rank(const partial& how, const any_array& mine, const communicator& line,
                         const std::vector<bool>& had_elements) {
  if (line.size() == 1) return mine;
  const transport t(line, mine.device(), {});
  const any_array packed = t.packed(mine);
  dims shape = mine.shape();
  shape.insert(0, line.size());
  const any_array all = t.room(shape, how.state);
  t.moves().all_gather(t.read(packed), t.written(all), static_cast<std::size_t>(packed.nbytes()), t.stream());
  std::vector<any_array> parts;
  for (int r = 0; r < line.size(); ++r) {
    if (!had_elements[static_cast<std::size_t>(r)]) continue;
    const gd::index_item number(r);
    parts.push_back(gd::basic_index(all, std::span(&number, 1)));
  }
  while (parts.size() > 1) {
    std::vector<any_array> next;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) next.push_back(folded(how, parts[i], parts[i + 1]));
    if (parts.size() % 2) next.push_back(parts.back());
    parts = std::move(next);
  }
  return t.unpacked(parts.empty() ? packed : parts[0]);
}

bool at_blocks(const std::vector<std::int64_t>& cuts) {
  return std::all_of(cuts.begin(), cuts.end(),
                     [&](std::int64_t cut) { return cut % leaf_size == 0 || cut == cuts.back(); });
}

any_array merged_by_block(const partial& how, const any_array& x, const std::vector<std::int64_t>& cuts,
                          const communicator& line) {
  const auto ranks = static_cast<std::size_t>(line.size()), me = static_cast<std::size_t>(line.rank());
  const transport t(line, x.device(), {});
  const std::int64_t n = cuts.back();
  std::vector<division> parts;
  std::size_t most_states = 0;
  std::int64_t most_pieces = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    parts.push_back({n, cuts[r], cuts[r + 1]});
    most_states = std::max(most_states, subtrees(parts[r].first_leaf(), parts[r].last_leaf()).size());
    most_pieces = std::max(most_pieces, parts[r].pieces());
  }
  const division& own = parts[me];
  const dims axis{0};
  const auto reduce_part = [&](const any_array& a, range of) {
    const any_array r = reduced_here(how, part_of(a, 0, of.begin, of.end), &axis);
    const gd::index_item number(0);
    return gd::basic_index(r, std::span(&number, 1));
  };

  // The states of whole leaves of all ranks.
  dims shape = x.shape();
  shape[0] = static_cast<std::int64_t>(most_states);
  const any_array states = t.room(shape, how.state);
  const std::vector<subtree> mine = subtrees(own.first_leaf(), own.last_leaf());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const std::int64_t first = mine[i].first * leaf_size;
    const any_array state =
        reduce_part(x, {first - own.begin, std::min(n, first + (leaf_size << mine[i].level)) - own.begin});
    const gd::index_item number(static_cast<std::int64_t>(i));
    gd::assign(gd::basic_index(states, std::span(&number, 1)), operand(state));
  }
  shape.insert(0, line.size());
  const any_array all_states = t.room(shape, how.state);
  t.moves().all_gather(t.read(states), t.written(all_states), static_cast<std::size_t>(states.nbytes()),
                       t.stream());

  // Elements of leaves that lie on several ranks.
  any_array all_pieces;
  if (most_pieces > 0) {
    const any_array pieces = t.room({most_pieces}, x.dtype());
    const auto put = [&](std::int64_t at, range r) {
      if (r.size() == 0) return;
      const any_array from = part_of(x, 0, r.begin - own.begin, r.end - own.begin);
      gd::assign(part_of(pieces, 0, at, at + r.size()), operand(from));
    };
    put(0, own.head());
    put(own.head().size(), own.tail());
    all_pieces = t.room({line.size() * most_pieces}, x.dtype());
    t.moves().all_gather(t.read(pieces), t.written(all_pieces), static_cast<std::size_t>(pieces.nbytes()),
                         t.stream());
  }

  carry tree(how);
  std::vector<any_array> open;  // pieces of the leaf that is not complete yet
  std::int64_t in_open = 0, leaf = 0;
  const auto add_piece = [&](std::size_t r, std::int64_t at, range piece) {
    if (piece.size() == 0) return;
    const std::int64_t from = static_cast<std::int64_t>(r) * most_pieces + at;
    open.push_back(part_of(all_pieces, 0, from, from + piece.size()));
    in_open += piece.size();
    if (in_open < std::min(leaf_size, n - leaf * leaf_size)) return;
    const any_array whole =
        open.size() == 1 ? open[0] : gd::join(gd::joining::concatenate, open, 0, x.dtype());
    tree.push({leaf, 0}, reduce_part(whole, {0, in_open}));
    ++leaf;
    open.clear();
    in_open = 0;
  };
  for (std::size_t r = 0; r < ranks; ++r) {
    add_piece(r, 0, parts[r].head());
    const std::vector<subtree> its = subtrees(parts[r].first_leaf(), parts[r].last_leaf());
    for (std::size_t i = 0; i < its.size(); ++i) {
      const gd::index_item numbers[] = {static_cast<std::int64_t>(r), static_cast<std::int64_t>(i)};
      tree.push(its[i], gd::basic_index(all_states, numbers));
      leaf = its[i].first + (std::int64_t{1} << its[i].level);
    }
    add_piece(r, parts[r].head().size(), parts[r].tail());
  }
  return t.unpacked(tree.root());
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
