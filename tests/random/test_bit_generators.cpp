// SeedSequence against NumPy, bit generators, and the older class of random numbers.
#include "support/golden.hpp"

namespace gp = gparray;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

namespace {

template<class A, class B>
void check_equal(const A& a, const B& b) {
  CHECK(a.shape() == b.shape());
  CHECK(a.to_vector() == b.to_vector());
}

}  // namespace

TEST_CASE("seed sequences are NumPy's") {
  using gp::random::SeedSequence;
  GOLDEN("np.random.SeedSequence(42).generate_state(6)", gp::array(SeedSequence(42).generate_state(6)));
  GOLDEN("np.random.SeedSequence(42).generate_state(3, 'u8')",
         gp::array(SeedSequence(42).generate_state<u64>(3)));
  GOLDEN("np.random.SeedSequence(2**63 + 5).generate_state(4)",
         gp::array(SeedSequence((u64{1} << 63) + 5).generate_state(4)));
  GOLDEN("np.random.SeedSequence(0).generate_state(0)", gp::array(SeedSequence(0).generate_state(0)));
  GOLDEN("np.random.SeedSequence([1, 2, 3, 4, 5, 6]).generate_state(5)",
         gp::array(SeedSequence(std::vector<u32>{1, 2, 3, 4, 5, 6}).generate_state(5)));
  SeedSequence parent(7);
  const auto children = parent.spawn(2), later = parent.spawn(1);
  CHECK(parent.n_children_spawned() == 3);
  GOLDEN("np.random.SeedSequence(7).spawn(2)[1].generate_state(4)", gp::array(children[1].generate_state(4)));
  GOLDEN("np.random.SeedSequence(7).spawn(3)[2].generate_state(4)", gp::array(later[0].generate_state(4)));
  auto child = children[1];
  GOLDEN("np.random.SeedSequence(7, spawn_key=(1, 0)).generate_state(4)",
         gp::array(child.spawn(1)[0].generate_state(4)));
  CHECK_THROWS_AS(SeedSequence(std::vector<u32>{}), gp::value_error);
  CHECK(SeedSequence().generate_state(4) != SeedSequence().generate_state(4));
}

TEST_CASE("a bit generator is a key and a position") {
  using namespace gp::random;
  Philox bits(5);
  Generator same(5);
  check_equal(Generator(bits).random(4), same.random(4));
  CHECK(same.bit_generator().state() == generator_state{5, 4});
  const auto words = bits.random_raw({2, 3});
  CHECK(bits.state().position == 6);
  check_equal(Philox(5).advance(2).random_raw(4), words.ravel()(gp::slice(2, gp::none)));
  CHECK(gp::count_nonzero(words >> 63).item() > 0);  // all 64 bits are used
  CHECK(bits.jumped(2).state().position == bits.state().position + (u64{2} << 49) - (u64{2} << 48));
  const SeedSequence seed(3);
  CHECK(Philox(seed).state().key == seed.generate_state<u64>(1)[0]);
  check_equal(default_rng(seed).random(3), Generator(Philox(seed)).random(3));
  check_equal(default_rng(Philox(seed)).random(3), default_rng(seed).random(3));
}

TEST_CASE("bytes are uniform, and go on where the last ones ended") {
  gp::random::Generator rng(11), same(11);
  constexpr std::int64_t n = 1 << 20;
  const auto all = rng.bytes(n);
  double counts[256] = {}, chi_square = 0;
  for (const auto byte : all) ++counts[static_cast<unsigned char>(byte)];
  for (const double count : counts) chi_square += (count - n / 256.) * (count - n / 256.) / (n / 256.);
  CHECK(chi_square < 377.1);  // the quantile of 255 degrees of freedom at 1 - 1e-6
  const auto first = same.bytes(8), then = same.bytes(16);
  CHECK(std::equal(first.begin(), first.end(), all.begin()));
  CHECK(std::equal(then.begin(), then.end(), all.begin() + 8));
}

TEST_CASE("the older class draws what a Generator draws") {
  using namespace gp::random;
  RandomState old(9);
  Generator same(9);
  check_equal(old.rand(2, 3), same.random({2, 3}));
  check_equal(old.randn(3), same.standard_normal(3));
  check_equal(old.randint(3, 8, 20), same.integers(3, 8, 20));
  check_equal(old.random_sample(2), same.random(2));
  check_equal(old.gamma(2., 1., 5), same.gamma(2., 1., 5));
  const auto large = old.tomaxint(64);
  CHECK(gp::min(large).item() >= 0);
  CHECK(gp::max(large).item() > std::int64_t{1} << 61);
  const auto kept = old.get_state();
  const auto first = old.rand(4);
  old.set_state(kept);
  check_equal(old.rand(4), first);
  old.seed(9);
  check_equal(old.rand(2), Generator(9).random(2));
}

TEST_CASE("functions for every distribution") {
  namespace r = gp::random;
  r::seed(4);
  r::Generator same(4);
  check_equal(r::random(3), same.random(3));
  check_equal(r::weibull(2., 3), same.weibull(2., 3));
  check_equal(r::standard_t(4., 3), same.standard_t(4., 3));
  check_equal(r::hypergeometric(5, 6, 7, 3), same.hypergeometric(5, 6, 7, 3));
  check_equal(r::multinomial(9, gp::array({.2, .8}), 2), same.multinomial(9, gp::array({.2, .8}), 2));
  check_equal(r::dirichlet(gp::array({1., 2.}), 2), same.dirichlet(gp::array({1., 2.}), 2));
  CHECK(r::bytes(5) == same.bytes(5));
  const auto state = r::get_state();
  const auto first = r::zipf(2., 4);
  r::set_state(state);
  check_equal(r::zipf(2., 4), first);
  r::set_bit_generator(r::Philox(6));
  check_equal(r::rand(2), r::Generator(6).random(2));
  CHECK(r::get_bit_generator().state() == r::generator_state{6, 2});
}
