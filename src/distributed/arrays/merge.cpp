#include <cstring>

#include <distributed/arrays/merge.hpp>

#include <gparray/reduction/states.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// The leaves of the trees by which the CPU reduces.
constexpr std::int64_t leaf_size = gd::reduction_block;

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
  const any_array packed = t.movable(mine);
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

std::vector<std::int64_t> own_cuts(const axis_place& place, std::int64_t n, std::int64_t times) {
  std::vector<std::int64_t> cuts;
  for (const std::int64_t cut : *place.cuts)
    cuts.push_back(std::clamp<std::int64_t>(cut - place.shift, 0, n) * times);
  cuts.front() = 0;
  cuts.back() = n * times;
  return cuts;
}

bool at_blocks(const std::vector<std::int64_t>& cuts) {
  return std::all_of(cuts.begin(), cuts.end(),
                     [&](std::int64_t cut) { return cut % leaf_size == 0 || cut == cuts.back(); });
}

namespace {

/// Bytes that are aligned as any state or element.
class bytes {
 public:
  explicit bytes(std::size_t size) : memory_(size / unit + 1) {}
  char* at(std::size_t offset = 0) { return reinterpret_cast<char*>(memory_.data()) + offset; }
  /// The next size that keeps what follows aligned.
  static std::size_t padded(std::size_t size) { return (size + unit - 1) / unit * unit; }

 private:
  static constexpr std::size_t unit = sizeof(std::max_align_t);
  std::vector<std::max_align_t> memory_;
};

}  // namespace

any_array merged_by_block(reduction r, double ddof, const any_array& x, const std::vector<std::int64_t>& cuts,
                          const communicator& line) {
  const auto ranks = static_cast<std::size_t>(line.size()), me = static_cast<std::size_t>(line.rank());
  const transport t(line, device::cpu(), {});
  const std::int64_t n = cuts.back(), columns = x.ndim() == 1 ? 1 : x.shape(1);
  const dtype element = x.dtype();
  const std::size_t row = static_cast<std::size_t>(columns) * itemsize(element),
                    states = static_cast<std::size_t>(columns) * gd::state_size(r, element);
  std::vector<division> parts;
  std::size_t most_states = 0;
  std::int64_t most_pieces = 0;
  for (std::size_t i = 0; i < ranks; ++i) {
    parts.push_back({n, cuts[i], cuts[i + 1], leaf_size});
    most_states = std::max(most_states, subtrees(parts[i].first_whole(), parts[i].last_whole()).size());
    most_pieces = std::max(most_pieces, parts[i].pieces());
  }

  // What each rank says: the states of its whole leaves, and its rows of leaves that lie on several ranks.
  const std::size_t pieces_at = bytes::padded(most_states * states),
                    size = bytes::padded(pieces_at + static_cast<std::size_t>(most_pieces) * row);
  bytes mine(size), all(ranks * size);
  const division& own = parts[me];
  const any_array packed = t.movable(x);
  const char* const rows = static_cast<const char*>(t.read(packed));
  const auto row_at = [&](std::int64_t number) {
    return rows + static_cast<std::size_t>(number - own.begin) * row;
  };
  char* to = mine.at();
  for (const subtree& whole : subtrees(own.first_whole(), own.last_whole())) {
    const std::int64_t first = whole.first * leaf_size,
                       last = std::min(n, first + (leaf_size << whole.level));
    gd::reduce_to_states(r, element, row_at(first), last - first, columns, first, to);
    to += states;
  }
  to = mine.at(pieces_at);
  for (const range& piece : {own.head(), own.tail()}) {
    const std::size_t count = static_cast<std::size_t>(piece.size()) * row;
    if (count) std::memcpy(to, row_at(piece.begin), count);
    to += count;
  }
  t.moves().all_gather(mine.at(), all.at(), size, t.stream());

  carry<bytes> tree(
      [&](bytes& left, bytes& right) { gd::merge_states(r, element, left.at(), right.at(), columns); });
  const auto push = [&](const subtree& where, const char* from) {
    bytes state(states);
    std::memcpy(state.at(), from, states);
    tree.push(where, std::move(state));
  };
  bytes leaf(most_pieces > 0 ? static_cast<std::size_t>(leaf_size) * row : 0), state(states);
  std::int64_t number = 0, filled = 0;  // of the leaf that is put together, and its rows so far
  for (std::size_t i = 0; i < ranks; ++i) {
    const char* from = all.at(i * size + pieces_at);
    const auto add_piece = [&](const range& piece) {
      if (piece.size() == 0) return;
      const std::size_t count = static_cast<std::size_t>(piece.size()) * row;
      std::memcpy(leaf.at(static_cast<std::size_t>(filled) * row), from, count);
      from += count;
      filled += piece.size();
      if (filled < std::min(leaf_size, n - number * leaf_size)) return;
      gd::reduce_to_states(r, element, leaf.at(), filled, columns, number * leaf_size, state.at());
      push({number++, 0}, state.at());
      filled = 0;
    };
    add_piece(parts[i].head());
    const char* its = all.at(i * size);
    for (const subtree& whole : subtrees(parts[i].first_whole(), parts[i].last_whole())) {
      push(whole, its);
      its += states;
      number = whole.first + (std::int64_t{1} << whole.level);
    }
    add_piece(parts[i].tail());
  }
  const any_array result =
      gd::create(x.ndim() == 1 ? dims{} : dims{columns}, result_dtype(r, element), {.device = x.device()});
  gd::finish_states(r, element, tree.root().at(), columns, n, ddof, t.written(result));
  return result;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
