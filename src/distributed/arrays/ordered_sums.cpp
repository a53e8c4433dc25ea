#include <algorithm>
#include <bit>

#include <distributed/arrays/ordered_sums.hpp>

#include <gparray/reduction/blocks.hpp>
#include <gparray/reduction/states.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// So many elements that share an index of a cut axis, a line, are a block of their own: their values are few
/// enough to be sent to all ranks, unless there are more of them than that.
constexpr std::int64_t long_line = 512, most_values = 1 << 14;
/// Elements of a block that lies on several ranks, which all of them reduce.
constexpr std::int64_t most_shared_elements = 1 << 16;
/// With so many results side by side additions go down the columns, which is quicker.
constexpr std::int64_t least_columns = 32;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Neighbouring axes that are reduced at once. Only the first of them may be distributed.
struct segment {
  std::size_t begin, end;
  bool is_placed;
};

/// Those without a distributed axis first, which sends less, and of each kind the last ones first.
std::vector<segment> segments_of(const placement& at, const dims* axes) {
  std::vector<segment> found;
  bool continues = false;
  for (std::size_t a = 0; a < at.axes.size(); ++a) {
    const bool is_placed = !at.axes[a].whole();
    if (at.shape[a] == 1 && !is_placed) continue;
    const bool is_reduced =
        !axes || std::find(axes->begin(), axes->end(), static_cast<std::int64_t>(a)) != axes->end();
    if (is_reduced && (!continues || is_placed)) found.push_back({a, a + 1, is_placed});
    else if (is_reduced) found.back().end = a + 1;
    continues = is_reduced;
  }
  std::reverse(found.begin(), found.end());
  std::stable_partition(found.begin(), found.end(), [](const segment& s) { return !s.is_placed; });
  return found;
}

/// An array that is reduced segment by segment. What is combined with what, and in which order, follows from
/// the shape of all of it.
class ordered_reduction {
 public:
  ordered_reduction(const partial& how, const placement& at, any_array own, const dims* axes)
      : how_(how), at_(at), axes_(axes), shape_(at.shape), now_(std::move(own)) {}

  /// `is_last`: nothing else is reduced, so that the result may have its final shape.
  void reduce(const segment& s, bool is_last) {
    if (s.is_placed) reduce_placed(s, is_last);
    else if (now_.size() > 0) now_ = reduced_at_once(s);
    else now_ = room(s, 1);
    for (std::size_t a = s.begin; a < s.end; ++a) elements_ *= std::exchange(shape_[a], 1);
    put_together();
  }
  const any_array& result() const { return now_; }

 private:
  /// From now on what has been reduced is.
  void put_together() {
    how_.by = how_.fold == ufunc::multiply ? reduction::prod : reduction::sum;
    how_.element = how_.state;
  }
  /// This rank's part of so many values along the segment.
  any_array room(const segment& s, std::int64_t values) const {
    dims shape = now_.shape();
    for (std::size_t a = s.begin; a < s.end; ++a) shape[a] = a == s.begin ? values : 1;
    return gd::create(shape, how_.state, {.device = now_.device()});
  }
  /// Elements of all ranks along some axes.
  std::int64_t size_of(std::size_t begin, std::size_t end) const {
    std::int64_t n = 1;
    for (std::size_t a = begin; a < end; ++a) n *= shape_[a];
    return n;
  }
  gd::axis_blocks blocks_of(const segment& s, std::int64_t first, std::int64_t block, std::int64_t count,
                            const any_array& out) const {
    return {static_cast<int>(s.begin),
            static_cast<int>(s.end),
            first,
            block,
            count,
            size_of(s.end, shape_.size()) >= least_columns,
            out};
  }
  any_array reduced_at_once(const segment& s) const {
    const any_array out = room(s, 1);
    const gd::axis_blocks all[] = {blocks_of(s, 0, now_.shape()[s.begin], 1, out)};
    gd::reduce_blocks(how_.by, operand(now_), how_.element, all);
    return out;
  }

  void reduce_placed(const segment& s, bool is_last);
  /// The values of all blocks, on all ranks along the axis.
  any_array values_of_blocks(const segment& s, const std::vector<std::int64_t>& cuts, std::int64_t block,
                             const communicator& line);

  partial how_;
  const placement& at_;
  const dims* axes_;
  dims shape_;  // of all ranks' parts together
  any_array now_;
  std::int64_t elements_ = 1;  // that each of these has been made of
};

/// Blocks that lie on several ranks, with room for their elements along an axis.
struct shared_blocks {
  std::vector<std::int64_t> numbers;
  std::int64_t n, block;

  shared_blocks(const std::vector<std::int64_t>& cuts, std::int64_t of) : n(cuts.back()), block(of) {
    for (const std::int64_t cut : cuts)
      if (cut % block != 0 && cut != n && (numbers.empty() || numbers.back() != cut / block))
        numbers.push_back(cut / block);
  }
  std::int64_t size_of(std::int64_t number) const { return std::min(block, n - number * block); }
  /// All but the last of all have the same size, so that they are at even distances.
  std::int64_t size() const {
    return numbers.empty() ? 0
                           : static_cast<std::int64_t>(numbers.size() - 1) * block + size_of(numbers.back());
  }
  /// The place of elements of one of them.
  range place_of(range elements) const {
    const std::int64_t number = elements.begin / block;
    const auto found = std::find(numbers.begin(), numbers.end(), number) - numbers.begin();
    const std::int64_t shift = (static_cast<std::int64_t>(found) - number) * block;
    return {elements.begin + shift, elements.end + shift};
  }
};

any_array ordered_reduction::values_of_blocks(const segment& s, const std::vector<std::int64_t>& cuts,
                                              std::int64_t block, const communicator& line) {
  const int axis = static_cast<int>(s.begin), ranks = line.size();
  const std::int64_t n = cuts.back();
  const shared_blocks shared(cuts, block);
  const auto division_of = [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return division{n, cuts[r], cuts[r + 1], block};
  };
  const any_array values = room(s, ceil_div(n, block));
  dims edge_shape = now_.shape();
  edge_shape[s.begin] = shared.size();
  const any_array edges = gd::create(edge_shape, how_.state, {.device = now_.device()});
  if (values.size() == 0) return values;
  const auto values_at = [&](std::int64_t begin, std::int64_t end) {
    return detail::part_of(values, axis, begin, end);
  };
  const auto whole_of = [&](const division& d) { return values_at(d.first_whole(), d.last_whole()); };
  const auto edge_at = [&](range elements) {
    const range place = shared.place_of(elements);
    return detail::part_of(edges, axis, place.begin, place.end);
  };

  // What lies here alone: values of blocks, the last of which may be short, and elements of others as they
  // are.
  const division own = division_of(line.rank());
  std::vector<gd::axis_blocks> parts;
  const auto add = [&](std::int64_t first, std::int64_t last, std::int64_t size) {
    if (first < last)
      parts.push_back(blocks_of(s, first * block - own.begin, size, last - first, values_at(first, last)));
  };
  const std::int64_t last = own.last_whole(),
                     full = std::max(own.first_whole(), std::min(last, own.end / block));
  add(own.first_whole(), full, block);
  add(full, last, n % block);
  for (const range& r : {own.head(), own.tail()})
    if (r.size() > 0) parts.push_back({axis, axis + 1, r.begin - own.begin, 1, r.size(), false, edge_at(r)});
  if (!parts.empty()) gd::reduce_blocks(how_.by, operand(now_), how_.element, parts);

  if (ranks > 1) {
    const transport t(line, now_.device(), {});
    messages all(t);
    for (int r = 0; r < ranks; ++r) {
      if (r == line.rank()) continue;
      const division other = division_of(r);
      if (own.first_whole() < own.last_whole()) all.send(r, whole_of(own));
      if (other.first_whole() < other.last_whole()) all.receive(r, whole_of(other));
      for (const range& piece : {own.head(), own.tail()})
        if (piece.size() > 0) all.send(r, edge_at(piece));
      for (const range& piece : {other.head(), other.tail()})
        if (piece.size() > 0) all.receive(r, edge_at(piece));
    }
    all.exchange();
  }
  std::vector<gd::axis_blocks> of_edges;
  for (const std::int64_t number : shared.numbers) {
    const std::int64_t begin = number * block, size = shared.size_of(number);
    of_edges.push_back(
        blocks_of(s, shared.place_of({begin, begin + size}).begin, size, 1, values_at(number, number + 1)));
  }
  if (!of_edges.empty()) gd::reduce_blocks(how_.by, operand(edges), how_.state, of_edges);
  return values;
}

void ordered_reduction::reduce_placed(const segment& s, bool is_last) {
  const axis_place& place = at_.axes[s.begin];
  const communicator& line = at_.ranks->lines[static_cast<std::size_t>(place.mesh_axis)];
  const std::int64_t n = shape_[s.begin], others = size_of(s.begin + 1, s.end);
  const bool is_long = others * elements_ >= long_line, has_many = n > most_values;
  if (is_long && has_many && others > 1) {
    // Blocks are then of the lines' values.
    reduce({s.begin + 1, s.end, false}, false);
    return reduce_placed({s.begin, s.begin + 1, true}, is_last);
  }
  std::int64_t block = 1;
  if (!is_long || has_many) {
    // A power of two, at multiples of which default layouts cut long axes.
    const std::int64_t least = ceil_div(gd::reduction_block, is_long ? 1 : others * elements_);
    block = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(least)));
  }
  line.state().begin(signature(name(how_.by), now_.dtype(), at_.shape, static_cast<int>(s.begin)));
  const std::vector<std::int64_t> cuts = own_cuts(place, n);
  std::int64_t columns = 1;
  for (std::size_t a = 0; a < shape_.size(); ++a)
    if (a < s.begin || a >= s.end) columns *= now_.shape()[a];
  if (!shared_blocks(cuts, block).numbers.empty() &&
      std::min(block, n) * others * columns > most_shared_elements) {
    std::vector<bool> had_elements;
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r) had_elements.push_back(cuts[r] < cuts[r + 1]);
    const any_array mine = now_.size() > 0 ? reduced_at_once(s) : room(s, 1);
    now_ = merged_by_rank(how_, mine, line, had_elements);
    return;
  }
  // Where each value is one already, and here, nothing has to be done.
  if (block > 1 || others > 1 || line.size() > 1) now_ = values_of_blocks(s, cuts, block, line);
  for (std::size_t a = s.begin + 1; a < s.end; ++a) elements_ *= std::exchange(shape_[a], 1);
  const std::int64_t n_values = ceil_div(n, block);
  if (now_.size() == 0) now_ = room(s, 1);
  if (n_values == 1 || now_.size() == 0) return;
  put_together();
  const bool is_one = size_of(0, s.begin) * size_of(s.end, shape_.size()) == 1;
  const segment values{s.begin, s.begin + 1, false};
  if (!is_one || !is_last) {
    now_ = reduced_at_once(values);
    return;
  }
  // The values lie alike on all ranks, and the result may wait for what is made of it.
  const dims axis(static_cast<std::int64_t>(s.begin));
  now_ = reduced_here(how_, std::exchange(now_, {}), axes_ ? &axis : nullptr);
}

}  // namespace

bool is_ordered(const partial& how, const placement& at, device where) {
  const bool is_placed =
      std::any_of(at.axes.begin(), at.axes.end(), [](const axis_place& a) { return !a.whole(); });
  const bool has_elements =
      std::all_of(at.shape.begin(), at.shape.end(), [](std::int64_t n) { return n > 0; });
  // A complex number times 1 may differ from it, in zeros' signs and in what is infinite, so that it would
  // tell how often pieces of blocks were put together.
  const bool has_neutral_element =
      how.fold == ufunc::add || (how.fold == ufunc::multiply && !is_complex(how.state));
  return where.is_cuda() && has_neutral_element && is_inexact(how.state) && is_placed && has_elements;
}

any_array reduced_in_order(const partial& how, const placement& at, any_array own, const dims* axes) {
  const std::vector<segment> segments = segments_of(at, axes);
  ordered_reduction all(how, at, std::move(own), axes);
  for (const segment& s : segments) all.reduce(s, &s == &segments.back());
  const any_array& r = all.result();
  if (segments.empty()) return reduced_here(how, r, axes);
  return axes || r.ndim() == 0 ? r : gd::reshape(r, {}, gparray::order::C);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
