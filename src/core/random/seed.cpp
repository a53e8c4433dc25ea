// NumPy's SeedSequence: entropy is mixed into a pool of four words, from which states are made.
#include <random>

#include <gparray/random/bit_generators.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace random {

namespace {

using word = std::uint32_t;
constexpr std::size_t pool_size = 4;
constexpr word first_mixer = 0x43b0d7e5, mixer_factor = 0x931e8875;
constexpr word first_output = 0x8b51f9dd, output_factor = 0x58f38ded;
constexpr word mix_left = 0xca01f9dd, mix_right = 0x4973f715;
constexpr int shift = 16;

/// A hash whose constant is another one each time.
class word_hash {
 public:
  word_hash(word constant, word factor) : constant_(constant), factor_(factor) {}
  word operator()(word x) {
    x ^= constant_;
    constant_ *= factor_;
    x *= constant_;
    return x ^ x >> shift;
  }

 private:
  word constant_, factor_;
};

word mixed(word x, word y) {
  const word r = mix_left * x - mix_right * y;
  return r ^ r >> shift;
}

std::vector<word> system_words() {
  std::random_device entropy;
  std::vector<word> words(8);
  for (word& w : words) w = entropy();
  return words;
}

}  // namespace

SeedSequence::SeedSequence() : SeedSequence(system_words()) {}

SeedSequence::SeedSequence(std::vector<word> entropy, std::vector<word> spawn_key)
    : entropy_(std::move(entropy)), spawn_key_(std::move(spawn_key)) {
  if (entropy_.empty()) throw value_error("SeedSequence: entropy must have at least one word");
  std::vector<word> all = entropy_;
  // Zeros, or the key of a child could be what others have as entropy.
  if (!spawn_key_.empty() && all.size() < pool_size) all.resize(pool_size);
  all.insert(all.end(), spawn_key_.begin(), spawn_key_.end());
  word_hash hash(first_mixer, mixer_factor);
  for (std::size_t i = 0; i < pool_size; ++i) pool_[i] = hash(i < all.size() ? all[i] : 0);
  for (std::size_t from = 0; from < pool_size; ++from)
    for (std::size_t to = 0; to < pool_size; ++to)
      if (from != to) pool_[to] = mixed(pool_[to], hash(pool_[from]));
  for (std::size_t from = pool_size; from < all.size(); ++from)
    for (word& to : pool_) to = mixed(to, hash(all[from]));
}

std::vector<word> SeedSequence::state_words(std::size_t count) const {
  word_hash hash(first_output, output_factor);
  std::vector<word> words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = hash(pool_[i % pool_size]);
  return words;
}

std::vector<SeedSequence> SeedSequence::spawn(word n_children) {
  std::vector<SeedSequence> children;
  for (word i = 0; i < n_children; ++i) {
    std::vector<word> key = spawn_key_;
    key.push_back(n_children_++);
    children.emplace_back(entropy_, std::move(key));
  }
  return children;
}

}  // namespace random
GPARRAY_END_NAMESPACE
