// By samples: of every rank some elements at even distances, which all ranks put in order. Two neighbours
// among a rank's samples enclose what lies between them, so of each sample it is known between which numbers
// its place among all elements is; and what is certainly in front of a cut, or behind it, is settled. The
// rest is sampled again, a hundredth or less of it each time, until nothing is left.
#include <algorithm>
#include <compare>
#include <numeric>
#include <utility>

#include <distributed/arrays/sorted_cuts.hpp>

#include <kernel/sort_key.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

using numbers = std::vector<std::int64_t>;  // one of each rank

/// Samples of a rank at once: few enough that sending and comparing them takes no longer than waiting.
constexpr std::int64_t most_samples = 1536;

/// Keys are ordered as elements are: those of complex numbers by the parts that are NaN, the real and the
/// imaginary part.
struct order_key {
  std::uint64_t words[3];
  friend auto operator<=>(const order_key&, const order_key&) = default;
};

template<class T>
order_key key_of(T x, bool zeros_are_equal) {
  if constexpr (kernel::is_complex<T>) {
    const std::uint64_t nans = 2 * (x.re != x.re) + (x.im != x.im);
    return {{nans, kernel::tie_key(x.re), kernel::tie_key(x.im)}};
  } else {
    return {{0, 0, zeros_are_equal ? kernel::tie_key(x) : kernel::sort_key(x)}};
  }
}

template<class T>
std::vector<order_key> keys_of(const void* elements, std::int64_t n, bool zeros_are_equal) {
  std::vector<order_key> keys;
  const T* const x = static_cast<const T*>(elements);
  keys.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) keys.push_back(key_of(x[i], zeros_are_equal));
  return keys;
}

/// Of elements in host memory.
std::vector<order_key> keys_of(const any_array& elements, bool zeros_are_equal) {
  const void* const data = gd::address_for(elements, default_stream(device::cpu()), false);
  switch (elements.dtype()) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return keys_of<kernel_type>(data, elements.size(), zeros_are_equal);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return {};
}

/// What is not settled of one or several cuts: elements [low, high) of each rank.
struct stretch {
  numbers low, high;

  std::int64_t count(std::size_t rank, std::int64_t most) const {
    return std::min(most, high[rank] - low[rank]);
  }
  /// Where sample i of so many is.
  std::int64_t at(std::size_t rank, std::int64_t i, std::int64_t samples) const {
    return low[rank] + (2 * i + 1) * (high[rank] - low[rank]) / (2 * samples);
  }
  friend bool operator==(const stretch&, const stretch&) = default;
};

std::int64_t sum(const numbers& of) { return std::accumulate(of.begin(), of.end(), std::int64_t{0}); }

struct sample {
  order_key key;
  std::size_t rank;
  std::int64_t position, next;  // of the next sample of its rank, or the end of the stretch
  // How many elements of the stretch and of what is in front of it come before this one.
  std::int64_t least = 0, most = 0;
};

/// Those of one stretch, in order: by element, then by rank.
class ordered_samples {
 public:
  /// `keys` has as many of each rank, among which the first of this stretch is first[rank].
  ordered_samples(const stretch& of, std::int64_t most, const std::vector<order_key>& keys,
                  const numbers& first)
      : of_rank_(first.size()) {
    const std::size_t of_a_rank = keys.size() / first.size();
    all_.reserve(first.size() * static_cast<std::size_t>(most));
    std::vector<std::ptrdiff_t> ends{0};
    for (std::size_t r = 0; r < first.size(); ++r) {
      const std::int64_t count = of.count(r, most);
      const order_key* const its = keys.data() + r * of_a_rank + first[r];
      for (std::int64_t i = 0, at = count > 0 ? of.at(r, 0, count) : 0; i < count; ++i) {
        const std::int64_t next = i + 1 < count ? of.at(r, i + 1, count) : of.high[r];
        all_.push_back({its[i], r, std::exchange(at, next), next});
      }
      ends.push_back(static_cast<std::ptrdiff_t>(all_.size()));
    }
    for (std::size_t width = 1; width + 1 < ends.size(); width *= 2)
      for (std::size_t r = 0; r + width + 1 < ends.size(); r += 2 * width)
        std::inplace_merge(all_.begin() + ends[r], all_.begin() + ends[r + width],
                           all_.begin() + ends[std::min(r + 2 * width, ends.size() - 1)],
                           [](const sample& a, const sample& b) { return a.key < b.key; });
    // Of each rank at least what is in front of its last sample so far, and at most what is in front of the
    // next one.
    numbers behind = of.low, before = of.high;
    for (auto s = all_.rbegin(); s != all_.rend(); ++s) before[s->rank] = s->position;
    std::int64_t least = sum(behind), most_before = sum(before);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      sample& s = all_[i];
      s.least = least + s.position - behind[s.rank];
      s.most = most_before;
      least = s.least + 1;
      behind[s.rank] = s.position + 1;
      most_before += s.next - s.position;
      of_rank_[s.rank].push_back(i);
    }
  }

  /// What they settle of the cut behind the first `wanted` elements of all.
  void narrow(stretch& cut, std::int64_t wanted) const {
    const auto front = std::partition_point(all_.begin(), all_.end(),
                                            [&](const sample& s) { return s.most < wanted; }),
               back = std::partition_point(all_.begin(), all_.end(),
                                           [&](const sample& s) { return s.least < wanted; });
    for (std::size_t r = 0; r < of_rank_.size(); ++r) {
      const std::vector<std::size_t>& its = of_rank_[r];
      const auto place = [&](auto at) {
        return std::lower_bound(its.begin(), its.end(), static_cast<std::size_t>(at - all_.begin()));
      };
      if (const auto last = place(front); last != its.begin()) cut.low[r] = all_[*(last - 1)].position + 1;
      if (const auto next = place(back); next != its.end()) cut.high[r] = all_[*next].position;
    }
  }

 private:
  std::vector<sample> all_;
  std::vector<std::vector<std::size_t>> of_rank_;  // where its samples are
};

/// The elements of a vector at these positions, and some others behind them to make so many.
any_array picked(const any_array& from, numbers positions, std::int64_t count, const transport& t) {
  const std::int64_t n = static_cast<std::int64_t>(positions.size());
  if (n == 0) return t.room({count}, from.dtype());
  positions.resize(static_cast<std::size_t>(count), positions.back());
  const ndarray<std::int64_t> where = gparray::array(positions, {.device = from.device()});
  return t.movable(gd::take(from, where, 0, gd::index_mode::clip));
}

}  // namespace

std::vector<numbers> sorted_cuts(const any_array& mine, const numbers& sizes, const numbers& wanted,
                                 bool zeros_are_equal, const transport& t) {
  const std::size_t ranks = sizes.size(), me = static_cast<std::size_t>(t.rank());
  std::vector<stretch> cuts(wanted.size(), stretch{numbers(ranks, 0), sizes});
  for (;;) {
    // Cuts that are not settled, and their stretches: at first the same one, which is sampled once.
    std::vector<stretch> stretches;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      stretch& cut = cuts[i];
      if (wanted[i] == sum(cut.low)) cut.high = cut.low;
      else if (wanted[i] == sum(cut.high)) cut.low = cut.high;
      if (cut.low != cut.high && (stretches.empty() || stretches.back() != cut)) stretches.push_back(cut);
    }
    if (stretches.empty()) break;
    const std::int64_t most =
        std::max<std::int64_t>(most_samples / static_cast<std::int64_t>(stretches.size()), 16);

    numbers counts(ranks, 0), positions;
    for (const stretch& s : stretches)
      for (std::size_t r = 0; r < ranks; ++r) {
        const std::int64_t count = s.count(r, most);
        counts[r] += count;
        for (std::int64_t i = 0; r == me && i < count; ++i) positions.push_back(s.at(r, i, count));
      }
    const std::int64_t longest = *std::max_element(counts.begin(), counts.end());
    t.group().begin(signature("sort", mine.dtype(), {longest}));
    const any_array own = picked(mine, positions, longest, t),
                    all = t.room({static_cast<std::int64_t>(ranks) * longest}, mine.dtype());
    t.moves().all_gather(t.read(own), t.written(all), static_cast<std::size_t>(own.nbytes()), t.stream());
    const std::vector<order_key> keys =
        keys_of(all.device().is_cpu() ? all : gd::to_host(all, nullptr, {}), zeros_are_equal);

    numbers first(ranks, 0);  // of the stretch, among the keys of each rank
    auto cut = cuts.begin();
    for (const stretch& s : stretches) {
      const ordered_samples samples(s, most, keys, first);
      for (std::size_t r = 0; r < ranks; ++r) first[r] += s.count(r, most);
      for (; cut != cuts.end() && (cut->low == cut->high || *cut == s); ++cut)
        if (cut->low != cut->high) samples.narrow(*cut, wanted[static_cast<std::size_t>(cut - cuts.begin())]);
    }
  }
  std::vector<numbers> result;
  for (stretch& cut : cuts) result.push_back(std::move(cut.low));
  return result;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
