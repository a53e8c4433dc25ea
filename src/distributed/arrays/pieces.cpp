#include <algorithm>
#include <optional>

#include <distributed/arrays/boxes.hpp>
#include <distributed/arrays/pieces.hpp>
#include <distributed/collectives/moved.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// A smaller piece takes a GPU about as long as its message has to wait for the connection.
constexpr std::int64_t bytes_of_piece = 8 << 20;
constexpr std::int64_t most_pieces = 8;

/// The outermost axis that is not among them, so that pieces lie in one piece of memory if that can be.
std::optional<std::size_t> axis_of_pieces(const dims& shape, const std::vector<int>& axes) {
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (shape[a] > 1 && std::find(axes.begin(), axes.end(), static_cast<int>(a)) == axes.end()) return a;
  return {};
}

/// From here on a message of its own is as good as a part of a larger one.
constexpr std::int64_t bytes_of_message = 1 << 20;

/// Whether each index of axis 0 has its elements of a box side by side in an array of the other one.
bool has_whole_rows(const box& part, const box& of) {
  std::size_t a = part.size();
  while (a > 1 && part[a - 1] == of[a - 1]) --a;
  for (std::size_t i = 1; i + 1 < a; ++i)
    if (part[i].size() != 1) return false;
  return true;
}

/// What goes from the piece of one rank to the array of another, in so many messages that nobody has to put
/// elements together first, if these are large enough.
std::vector<box> letters_of(const box& part, const box& sent_of, const box& received_in, std::size_t item) {
  auto row = static_cast<std::int64_t>(item);
  for (std::size_t a = 1; a < part.size(); ++a) row *= part[a].size();
  if (row < bytes_of_message || !has_whole_rows(part, sent_of) || !has_whole_rows(part, received_in))
    return {part};
  std::vector<box> rows;
  for (std::int64_t i = part[0].begin; i < part[0].end; ++i) {
    rows.push_back(part);
    rows.back()[0] = {i, i + 1};
  }
  return rows;
}

/// With the axes as they are in the piece.
placement resized(const placement& at, const std::vector<int>& axes, const any_array& piece) {
  placement result = at;
  for (const int axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    if (piece.shape(axis) != at.shape[a]) result.axes[a] = {};
    result.shape[a] = piece.shape(axis);
  }
  return result;
}

}  // namespace

int pieces_of(const shard& a, const std::vector<int>& axes) {
  const placement& from = *a.where();
  const any_array own = a.own();
  const transport t(from.ranks->world, own.device(), {});
  const auto along = axis_of_pieces(from.shape, axes);
  if (t.size() == 1 || !t.place().is_cuda() || !along || from.ranks->shape.size() != 1 ||
      t.moves().is_recording())
    return 1;
  auto elements = static_cast<std::int64_t>(itemsize(a.type()));
  for (const std::int64_t n : from.shape) elements *= n;
  return static_cast<int>(std::clamp<std::int64_t>(elements / t.size() / bytes_of_piece, 1,
                                                   std::min(most_pieces, from.shape[*along])));
}

std::shared_ptr<shard> made_on_the_way(const shard& a, const step_of_parts& step, int pieces,
                                       const layout_for& to) {
  const placement& from = *a.where();
  const communicator& world = from.ranks->world;
  const int me = world.rank();
  const any_array part = a.own();
  const transport t(world, part.device(), {});
  t.group().begin(signature("reshard", a.type(), from.shape));
  const std::size_t along = *axis_of_pieces(from.shape, step.axes);
  const auto piece_of = [&](const placement& at, int rank, int i) {
    box b = at.own_of(rank);
    const std::int64_t begin = b[along].begin;
    const std::vector<std::int64_t> cuts = even_cuts(b[along].size(), pieces);
    b[along] = {begin + cuts[static_cast<std::size_t>(i)], begin + cuts[static_cast<std::size_t>(i) + 1]};
    return b;
  };

  placement made;
  std::shared_ptr<const placement> at;
  box mine;
  any_array result;
  std::vector<messages> under_way;
  std::vector<event> arrivals;
  for (int i = 0; i < pieces; ++i) {
    const any_array piece = step.f(view_in(part, from.own(), piece_of(from, me, i)));
    if (i == 0) {
      made = resized(from, step.axes, piece);
      at = to(made.shape).place(made.shape);
      if (!(at->ranks->world == world)) throw value_error("the layout is of another communicator");
      mine = at->own();
      result = gd::create(at->own_shape(), piece.dtype(), {.device = part.device()});
    }
    const box here = piece_of(made, me, i);
    messages& all = under_way.emplace_back(t);
    const std::size_t item = itemsize(piece.dtype());
    for (int r = 0; r < world.size(); ++r) {
      const box theirs = at->own_of(r), its = piece_of(made, r, i);
      const box out = intersection(here, theirs), in = intersection(its, mine);
      if (!empty(out))
        for (const box& letter : r == me ? std::vector<box>{out} : letters_of(out, here, theirs, item))
          all.send(r, view_in(piece, here, letter));
      if (!empty(in))
        for (const box& letter : r == me ? std::vector<box>{in} : letters_of(in, its, mine, item))
          all.receive(r, view_in(result, mine, letter));
    }
    arrivals.push_back(all.exchange_aside());
  }
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    t.wait_for(arrivals[i]);
    under_way[i].land();
  }
  return std::make_shared<shard>(at, result);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
