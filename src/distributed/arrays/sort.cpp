// Vectors sorted by all ranks. Each sorts what it has; where these parts are cut, so that every rank gets as
// many elements as it is to have, is found from samples, and each rank merges the pieces that it gets. So an
// element travels once at most, and ranks have even parts whatever the elements are.
//
// Large parts of GPUs travel in pieces, of which one is merged while the next one is under way. Messages want
// the multiprocessors that merge, so that a part of the time is spared, and few pieces are as good as many;
// what is written to others' memory by copy engines does not.
#include <distributed/arrays/node.hpp>
#include <distributed/arrays/sorted_cuts.hpp>
#include <distributed/collectives/one_sided.hpp>

#include <gparray/distributed/sorting.hpp>
#include <gparray/sorting/runs.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

using element_run = gd::run_of_elements;

/// A piece that is merged while the next one travels: so large that its message takes much longer than it
/// takes to begin, and of all ranks so few that where they begin is found soon. More are worth it where they
/// do not wait for multiprocessors that merge.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 24;

std::int64_t pieces_of(const std::vector<std::int64_t>& sizes, std::int64_t item_bytes, bool by_engines) {
  const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end()),
                     ranks = static_cast<std::int64_t>(sizes.size()), pieces_of_all = by_engines ? 8 : 4;
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

/// Pieces of sorted elements on their way: written to the memory of the rank that is to have them, if GPUs
/// can do that, else as messages.
class run_exchange {
 public:
  /// `most`: of how many elements there has to be room on a rank.
  run_exchange(const element_run& like, std::int64_t most, const transport& t) : transport_(t), most_(most) {
    const auto item = static_cast<std::int64_t>(itemsize(like.elements.dtype()));
    // The numbers lie behind the elements, at a multiple of what any dtype wants.
    numbers_at_ = (most * item + 255) / 256 * 256;
    const std::int64_t bytes = numbers_at_ + (like.numbers.rep() ? most * std::int64_t{8} : 0);
    if (bytes >= one_sided_from.exchange && one_sided::works_for(t))
      puts_ = one_sided::begin(t, static_cast<std::size_t>(bytes));
    come_ = puts_ ? element_run{puts_->landing(0, {most}, like.elements.dtype()), any_array()}
                  : room_for(like, most);
    if (puts_ && like.numbers.rep())
      come_.numbers = puts_->landing(static_cast<std::size_t>(numbers_at_), {most}, like.numbers.dtype());
  }

  void send(int to, const element_run& part, std::int64_t at) {
    if (part.elements.size() == 0) return;
    if (puts_) puts_->put(to, 0, {most_}, {at}, part.elements);
    else letters().send(to, part.elements);
    if (!part.numbers.rep()) return;
    if (puts_) puts_->put(to, static_cast<std::size_t>(numbers_at_), {most_}, {at}, part.numbers);
    else letters().send(to, part.numbers);
  }
  /// Where it will be.
  element_run receive(int from, std::int64_t at, std::int64_t n) {
    element_run part = part_of(come_, at, at + n);
    if (puts_ || n == 0) return part;
    letters().receive(from, part.elements);
    if (part.numbers.rep()) letters().receive(from, part.numbers);
    return part;
  }
  /// What has been sent goes. It has come behind the mark, or is here without one.
  std::optional<event> end_of_piece() {
    if (puts_) return puts_->arrived();
    std::optional<event> come;
    if (transport_.place().is_cpu()) letters().exchange();
    else come = letters().exchange_aside().ends;
    letters_.reset();
    return come;
  }

 private:
  messages& letters() { return letters_ ? *letters_ : letters_.emplace(transport_); }

  const transport& transport_;
  std::int64_t most_, numbers_at_;
  std::unique_ptr<one_sided> puts_;
  std::optional<messages> letters_;
  element_run come_;
};

/// What this rank has to have when all elements are in order; `mine` are in order, and all ranks have and get
/// as many as `sizes` says.
element_run merged(const element_run& mine, const std::vector<std::int64_t>& sizes,
                   const communicator& world) {
  const auto ranks = static_cast<std::size_t>(world.size()), me = static_cast<std::size_t>(world.rank());
  const transport t(world, mine.elements.device(), {});
  const bool aside = !t.place().is_cpu();
  const auto pieces = static_cast<std::size_t>(
      aside ? pieces_of(sizes, static_cast<std::int64_t>(itemsize(mine.elements.dtype())),
                        one_sided::works_for(t))
            : 1);
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

  // What comes to a rank lies in the order of its pieces and of the ranks that it comes from.
  const auto place_of = [&](std::size_t to, std::size_t piece, std::size_t from) {
    std::int64_t at = 0;
    for (std::size_t i = to * pieces; i <= piece; ++i)
      for (std::size_t r = 0; r < (i == piece ? from : ranks); ++r)
        at += r == to ? 0 : (letter(i, r).size() + unit - 1) / unit * unit;
    return at;
  };
  std::int64_t most = 0;
  for (std::size_t r = 0; r < ranks; ++r) most = std::max(most, place_of(r, (r + 1) * pieces - 1, ranks));
  const element_run result = room_for(mine, sizes[me]);
  t.group().note(signature("sort"));
  run_exchange exchange(mine, most, t);
  std::vector<std::vector<element_run>> runs(pieces);
  std::vector<std::optional<event>> arrived;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t own = me * pieces + piece;
    for (std::size_t r = 0; r < ranks; ++r) {
      if (r == me) {
        runs[piece].push_back(part_of(mine, cuts[own][r], cuts[own + 1][r]));
        continue;
      }
      const range out = letter(r * pieces + piece, me), in = letter(own, r);
      exchange.send(static_cast<int>(r), part_of(mine, out.begin, out.end),
                    place_of(r, r * pieces + piece, me));
      const element_run from = exchange.receive(static_cast<int>(r), place_of(me, own, r), in.size());
      runs[piece].push_back(part_of(from, cuts[own][r] - in.begin, cuts[own + 1][r] - in.begin));
    }
    arrived.push_back(exchange.end_of_piece());
  }
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    if (arrived[piece]) t.wait_for(*arrived[piece]);
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
