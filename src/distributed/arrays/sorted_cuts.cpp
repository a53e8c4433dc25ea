// By samples: of every rank some elements at even distances, which all ranks put in order. Two neighbours
// among a rank's samples enclose what lies between them, so of each sample it is known between which numbers
// its place among all elements is; and what is certainly in front of a cut, or behind it, is settled. The
// rest is sampled again, a hundredth or less of it each time, until nothing is left.
#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

#include <distributed/arrays/sorted_cuts.hpp>

#include <kernel/sort_key.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

using numbers = std::vector<std::int64_t>;  // one of each rank

/// Samples of a rank at once: few enough that sending and comparing them takes no longer than waiting.
constexpr std::int64_t most_samples = 4096;

/// Keys are ordered as elements are: those of complex numbers by the parts that are NaN, the real and the
/// imaginary part.
using real_key = std::uint64_t;
using complex_key = std::array<std::uint64_t, 3>;

template<class T>
auto key_of(T x, bool zeros_are_equal) {
  if constexpr (kernel::is_complex<T>) {
    const std::uint64_t nans = 2 * (x.re != x.re) + (x.im != x.im);
    return complex_key{nans, kernel::tie_key(x.re), kernel::tie_key(x.im)};
  } else {
    return real_key{zeros_are_equal ? kernel::tie_key(x) : kernel::sort_key(x)};
  }
}

/// Of elements in host memory.
template<class Key>
std::vector<Key> keys_of(const any_array& elements, bool zeros_are_equal) {
  const void* const data = gd::address_for(elements, default_stream(device::cpu()), false);
  std::vector<Key> keys(static_cast<std::size_t>(elements.size()));
  const auto fill = [&](const auto* x) {
    if constexpr (std::is_same_v<decltype(key_of(*x, true)), Key>)
      for (Key& key : keys) key = key_of(*x++, zeros_are_equal);
  };
  switch (elements.dtype()) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    fill(static_cast<const kernel_type*>(data));           \
    break;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return keys;
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

/// The samples of one stretch, in order: by element, then by rank.
template<class Key>
class ordered_samples {
 public:
  /// `keys` has as many of each rank, among which the first of this stretch is first[rank].
  ordered_samples(const stretch& of, std::int64_t most, const std::vector<Key>& keys, const numbers& first)
      : of_(of) {
    const std::size_t ranks = first.size(), of_a_rank = keys.size() / ranks;
    for (std::size_t r = 0; r < ranks; ++r) {
      counts_.push_back(of.count(r, most));
      keys_.push_back(keys.data() + r * of_a_rank + first[r]);
    }
  }

  /// What they settle of the cut behind the first `wanted` elements of all.
  void narrow(stretch& cut, std::int64_t wanted) const {
    const numbers front = before_cut(wanted, &ordered_samples::most_before),
                  back = before_cut(wanted, &ordered_samples::least_before);
    for (std::size_t r = 0; r < counts_.size(); ++r) {
      if (front[r] > 0) cut.low[r] = of_.at(r, front[r] - 1, counts_[r]) + 1;
      if (back[r] < counts_[r]) cut.high[r] = of_.at(r, back[r], counts_[r]);
    }
  }

 private:
  // How many elements of a rank come before what has so many of its samples in front of it.
  std::int64_t least_before(std::size_t rank, std::int64_t samples) const {
    return samples > 0 ? of_.at(rank, samples - 1, counts_[rank]) + 1 : of_.low[rank];
  }
  std::int64_t most_before(std::size_t rank, std::int64_t samples) const {
    return samples < counts_[rank] ? of_.at(rank, samples, counts_[rank]) : of_.high[rank];
  }

  /// How many samples of each rank have fewer elements before them than wanted. A sample tells of those of
  /// every rank on which side of it these are.
  numbers before_cut(std::int64_t wanted,
                     std::int64_t (ordered_samples::*elements_before)(std::size_t, std::int64_t)
                         const) const {
    numbers low(counts_.size(), 0), high = counts_, before(counts_.size());
    for (;;) {
      std::size_t r = 0;
      for (std::size_t q = 1; q < low.size(); ++q)
        if (high[q] - low[q] > high[r] - low[r]) r = q;
      if (high[r] == low[r]) return low;
      const std::int64_t one = low[r] + (high[r] - low[r]) / 2;
      const Key& key = keys_[r][one];
      std::int64_t elements = of_.at(r, one, counts_[r]);
      for (std::size_t q = 0; q < low.size(); ++q) {
        if (q == r) continue;
        const Key *const first = keys_[q] + low[q], *const last = keys_[q] + high[q];
        before[q] =
            (q < r ? std::upper_bound(first, last, key) : std::lower_bound(first, last, key)) - keys_[q];
        elements += (this->*elements_before)(q, before[q]);
      }
      before[r] = one;
      const bool is_before = elements < wanted;
      (is_before ? low : high) = before;
      if (is_before) ++low[r];
    }
  }

  const stretch& of_;
  numbers counts_;
  std::vector<const Key*> keys_;  // of each rank
};

/// The elements of a vector at these positions, and some others behind them to make so many.
any_array picked(const any_array& from, numbers positions, std::int64_t count, const transport& t) {
  const std::int64_t n = static_cast<std::int64_t>(positions.size());
  if (n == 0) return t.room({count}, from.dtype());
  positions.resize(static_cast<std::size_t>(count), positions.back());
  const ndarray<std::int64_t> where = gparray::array(positions, {.device = from.device()});
  return t.movable(gd::take(from, where, 0, gd::index_mode::clip));
}

template<class Key>
std::vector<numbers> cuts_by_keys(const any_array& mine, const numbers& sizes, const numbers& wanted,
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
    const std::vector<Key> keys =
        keys_of<Key>(all.device().is_cpu() ? all : gd::to_host(all, nullptr, {}), zeros_are_equal);

    numbers first(ranks, 0);  // of the stretch, among the keys of each rank
    auto cut = cuts.begin();
    for (const stretch& s : stretches) {
      const ordered_samples<Key> samples(s, most, keys, first);
      for (std::size_t r = 0; r < ranks; ++r) first[r] += s.count(r, most);
      for (; cut != cuts.end() && (cut->low == cut->high || *cut == s); ++cut)
        if (cut->low != cut->high) samples.narrow(*cut, wanted[static_cast<std::size_t>(cut - cuts.begin())]);
    }
  }
  std::vector<numbers> result;
  for (stretch& cut : cuts) result.push_back(std::move(cut.low));
  return result;
}

}  // namespace

std::vector<numbers> sorted_cuts(const any_array& mine, const numbers& sizes, const numbers& wanted,
                                 bool zeros_are_equal, const transport& t) {
  const auto by = is_complex(mine.dtype()) ? &cuts_by_keys<complex_key> : &cuts_by_keys<real_key>;
  return by(mine, sizes, wanted, zeros_are_equal, t);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
