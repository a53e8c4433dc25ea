// Vectors sorted by all ranks. Each sorts what it has; where these parts are cut, so that every rank gets as
// many elements as it is to have, is found from samples, and each rank merges the pieces that it gets. So an
// element travels once at most, and ranks have even parts whatever the elements are.
//
// Large parts of GPUs travel in pieces, of which one is merged while the next one is under way. They want the
// same memory and multiprocessors, so that a part of the time is spared, and few pieces are as good as many.
#include <distributed/arrays/node.hpp>
#include <distributed/arrays/sorted_cuts.hpp>

#include <gparray/distributed/sorting.hpp>
#include <gparray/sorting/runs.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

using element_run = gd::run_of_elements;

/// A piece that is merged while the next one travels: so large that its message takes much longer than it
/// takes to begin, and of all ranks so few that where they begin is found soon.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 24, pieces_of_all = 4;

std::int64_t pieces_of(const std::vector<std::int64_t>& sizes, std::int64_t item_bytes) {
  const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end()),
                     ranks = static_cast<std::int64_t>(sizes.size());
  return std::max<std::int64_t>(1, std::min(largest * item_bytes / piece_bytes, pieces_of_all / ranks));
}

/// Where a piece begins. Each is smaller than the one before, as the last one is merged while nothing
/// travels.
std::int64_t piece_begin(std::int64_t size, std::int64_t piece, std::int64_t pieces) {
  return size * (2 * pieces * piece - piece * (piece - 1)) / (pieces * (pieces + 1));
}

element_run part_of(const element_run& r, std::int64_t begin, std::int64_t end) {
  return {detail::part_of(r.elements, 0, begin, end),
          r.numbers.rep() ? detail::part_of(r.numbers, 0, begin, end) : any_array()};
}
element_run room_for(const element_run& like, std::int64_t n) {
  const auto room = [&](const any_array& a) { return gd::create({n}, a.dtype(), {.device = a.device()}); };
  return {room(like.elements), like.numbers.rep() ? room(like.numbers) : any_array()};
}

/// Elements [begin, end) of a rank's n, and some beside them: NCCL moves single bytes where what it moves
/// does not begin at a multiple of 16 bytes.
range letter_of(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t unit) {
  return begin == end ? range{begin, begin}
                      : range{begin / unit * unit, std::min(n, (end + unit - 1) / unit * unit)};
}

/// What this rank has to have when all elements are in order; `mine` are in order, and all ranks have and get
/// as many as `sizes` says.
element_run merged(const element_run& mine, const std::vector<std::int64_t>& sizes,
                   const communicator& world) {
  const auto ranks = static_cast<std::size_t>(world.size()), me = static_cast<std::size_t>(world.rank());
  const transport t(world, mine.elements.device(), {});
  const bool aside = !t.place().is_cpu();
  const auto pieces = static_cast<std::size_t>(
      aside ? pieces_of(sizes, static_cast<std::int64_t>(itemsize(mine.elements.dtype()))) : 1);
  // The pieces of rank r begin with number r * pieces.
  std::vector<std::int64_t> wanted;
  std::int64_t before = 0;
  for (const std::int64_t size : sizes) {
    for (std::size_t i = 0; i < pieces; ++i)
      wanted.push_back(before +
                       piece_begin(size, static_cast<std::int64_t>(i), static_cast<std::int64_t>(pieces)));
    before += size;
  }
  wanted.push_back(before);
  const auto cuts = sorted_cuts(mine.elements, sizes, wanted, mine.numbers.rep() != nullptr, t);

  const std::int64_t unit = std::max<std::int64_t>(
      16 / static_cast<std::int64_t>(itemsize(mine.elements.dtype())), mine.numbers.rep() ? 2 : 1);
  const auto letter = [&](std::size_t piece, std::size_t from) {
    return letter_of(cuts[piece][from], cuts[piece + 1][from], sizes[from], unit);
  };

  // What comes from others lies as it comes, in the order of pieces and ranks.
  std::int64_t room = 0;
  for (std::size_t piece = me * pieces; piece < (me + 1) * pieces; ++piece)
    for (std::size_t r = 0; r < ranks; ++r) room += r == me ? 0 : letter(piece, r).size() + unit;
  const element_run result = room_for(mine, sizes[me]), come = room_for(mine, room);
  std::vector<std::vector<element_run>> runs(pieces);
  std::vector<event> arrived;
  std::int64_t at = 0;
  t.group().note(signature("sort"));
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    messages letters(t);
    const auto each = [](const element_run& r, const auto& f) {
      if (r.elements.size() == 0) return;
      f(r.elements);
      if (r.numbers.rep()) f(r.numbers);
    };
    for (std::size_t r = 0; r < ranks; ++r) {
      const std::size_t own = me * pieces + piece;
      if (r == me) {
        runs[piece].push_back(part_of(mine, cuts[own][r], cuts[own + 1][r]));
        continue;
      }
      const range out = letter(r * pieces + piece, me), in = letter(own, r);
      each(part_of(mine, out.begin, out.end),
           [&](const any_array& a) { letters.send(static_cast<int>(r), a); });
      const element_run from = part_of(come, at, at + in.size());
      each(from, [&](const any_array& a) { letters.receive(static_cast<int>(r), a); });
      runs[piece].push_back(part_of(from, cuts[own][r] - in.begin, cuts[own + 1][r] - in.begin));
      at += (in.size() + unit - 1) / unit * unit;
    }
    if (aside) arrived.push_back(letters.exchange_aside().ends);
    else letters.exchange();
  }
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    if (aside) t.wait_for(arrived[piece]);
    const std::size_t number = me * pieces + piece;
    const std::int64_t first = wanted[me * pieces];
    gd::merge_runs(runs[piece], part_of(result, wanted[number] - first, wanted[number + 1] - first));
  }
  return result;
}

}  // namespace

node_ptr sorted(const char* operation, const node_ptr& a, bool numbers) {
  if (a->where.shape.size() != 1)
    core::fail<value_error>("{}: the array has shape {}; vectors alone can be sorted", operation,
                            core::text(a->where.shape));
  const communicator& world = a->where.ranks->world;
  const auto rows = layout::rows(world);
  const std::shared_ptr<shard> s = shard_of(resharded(a, rows));
  const any_array values = s->own();
  const auto elements = [&] { return gd::sort(values, -1); };
  const auto order = [&] { return gd::argsort(values, -1); };
  if (world.size() == 1) return node_of(s->where(), numbers ? order() : elements());
  std::vector<std::int64_t> sizes;
  for (int r = 0; r < world.size(); ++r) sizes.push_back(s->where()->own_of(r)[0].size());
  element_run mine;
  if (!numbers) {
    mine.elements = elements();
  } else {
    const ndarray<std::int64_t> here(order());
    mine.elements = gd::take(values, here, 0, gd::index_mode::clip);
    mine.numbers = ndarray<std::int64_t>(here + s->where()->own()[0].begin);
  }
  const element_run all = merged(mine, sizes, world);
  return node_of(s->where(), numbers ? all.numbers : all.elements);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
