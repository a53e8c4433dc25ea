// Where a Generator's bits come from: numpy.random's SeedSequence and its bit generator Philox.
#pragma once
#include <gparray/random/arguments.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace random {

/// Seeds that have nothing in common, from any integer: NumPy's SeedSequence, number for number
/// (M. E. O'Neill's seed_seq_fe with a pool of four words). Needs no device.
class SeedSequence {
 public:
  /// From 256 bits of the operating system's entropy.
  GPARRAY_API SeedSequence();
  /// From an integer; spawn_key tells the children of one sequence apart.
  explicit SeedSequence(std::uint64_t entropy, std::vector<std::uint32_t> spawn_key = {})
      : SeedSequence(words_of(entropy), std::move(spawn_key)) {}
  /// The words of a longer integer, the lowest first. Throws value_error for none.
  GPARRAY_API explicit SeedSequence(std::vector<std::uint32_t> entropy,
                                    std::vector<std::uint32_t> spawn_key = {});

  /// The words that the sequence was made from.
  const std::vector<std::uint32_t>& entropy() const noexcept { return entropy_; }
  /// The numbers of the sequence and of those it came from among their siblings; empty unless spawned.
  const std::vector<std::uint32_t>& spawn_key() const noexcept { return spawn_key_; }
  /// How many sequences spawn() has made.
  std::uint32_t n_children_spawned() const noexcept { return n_children_; }

  /// As many words; NumPy's dtype is the template argument: generate_state<std::uint64_t>(2).
  template<std::unsigned_integral W = std::uint32_t>
    requires(sizeof(W) == 4 || sizeof(W) == 8)
  std::vector<W> generate_state(std::size_t n_words) const {
    constexpr std::size_t parts = sizeof(W) / 4;
    const std::vector<std::uint32_t> words = state_words(n_words * parts);
    std::vector<W> state(n_words);
    for (std::size_t i = 0; i < words.size(); ++i)
      state[i / parts] |= static_cast<W>(words[i]) << (32 * (i % parts));
    return state;
  }
  /// Sequences for other streams; each call makes others.
  GPARRAY_API std::vector<SeedSequence> spawn(std::uint32_t n_children);

 private:
  GPARRAY_API std::vector<std::uint32_t> state_words(std::size_t count) const;
  static std::vector<std::uint32_t> words_of(std::uint64_t n) {
    const auto low = static_cast<std::uint32_t>(n), high = static_cast<std::uint32_t>(n >> 32);
    if (high == 0) return {low};
    return {low, high};
  }

  std::vector<std::uint32_t> entropy_, spawn_key_;
  std::uint32_t pool_[4] = {}, n_children_ = 0;
};

/// Philox4x32-10 (J. K. Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"), the source of
/// every Generator: a key and a position. Generators made from one copy it, so that they do not depend on
/// each other.
class Philox {
 public:
  /// A key of the operating system's entropy.
  Philox() : state_{detail::system_seed(), 0} {}
  /// The key is the seed itself, as in default_rng(seed).
  explicit Philox(std::uint64_t seed) : state_{seed, 0} {}
  /// The key is the sequence's first word of 64 bits.
  explicit Philox(const SeedSequence& seed) : Philox(seed.generate_state<std::uint64_t>(1)[0]) {}
  /// Goes on from a state.
  explicit Philox(const generator_state& state) : state_(state) {}

  /// The key and the position of the next word.
  const generator_state& state() const noexcept { return state_; }
  /// Goes on from a state that state() returned.
  void set_state(const generator_state& state) noexcept { state_ = state; }
  /// Skips as many positions.
  Philox& advance(std::uint64_t positions) noexcept {
    state_.position += positions;
    return *this;
  }
  /// A copy that is 2^48 positions further on for each jump: as many numbers may be drawn before two of them
  /// meet.
  Philox jumped(std::uint64_t jumps = 1) const noexcept {
    return Philox(generator_state{state_.key, state_.position + (jumps << 48)});
  }
  /// The next words of 64 bits, one a position, on the default device.
  ndarray<std::uint64_t> random_raw(const detail::sample_size& size = {}) {
    return detail::typed<std::uint64_t>(
        detail::draw_integers(state_, {}, 0, ~std::uint64_t{0}, size, dtype::uint64, true));
  }

 private:
  generator_state state_;
};

/// CuPy's name of Philox.
using Philox4x3210 = Philox;
/// NumPy's name for bit generators in general. Philox is the only one, since a GPU needs words that follow
/// from their position alone.
using BitGenerator = Philox;

}  // namespace random
GPARRAY_END_NAMESPACE
