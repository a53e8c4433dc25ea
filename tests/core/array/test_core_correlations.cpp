// Reductions without keepdims of what is made of others with keepdims, on a GPU: stages of one chain.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<float>;

struct fixture {
  fixture() { fake.gpu.takes_chains = true; }
  fake::installed fake;
  array x = gp::random::default_rng(1).random<float>({300, 64}).eval(),
        y = gp::random::default_rng(2).random<float>({300, 64}).eval();

  array differences(const array& a) const { return a - gp::mean(a, {1}, {.keepdims = true}); }
};

}  // namespace

TEST_CASE("core correlations: means, sums and what is made of them are one chain") {
  fixture f;
  const auto correlation = [&] {
    const array dx = f.differences(f.x), dy = f.differences(f.y);
    return array(gp::sum(dx * dy, 1) / gp::sqrt(gp::sum(dx * dx, 1) * gp::sum(dy * dy, 1)));
  };
  const array r = correlation();
  CHECK(r.pending());
  r.eval();
  CHECK(f.fake.gpu.chains == std::vector<std::size_t>{6});
  CHECK(f.fake.gpu.reductions.empty());
  CHECK(r.to_vector() == correlation().to_vector());
}

TEST_CASE("core correlations: where all together is no chain, what is one alone stays one") {
  fixture f;
  // As in a cross entropy: the mean of all rows goes along another axis.
  const array shifted = f.x - gp::max(f.x, {1}, {.keepdims = true});
  const array logarithms = gp::log(gp::sum(gp::exp(shifted), 1));
  const array loss = gp::mean(logarithms - f.y(":, 0"));
  loss.eval();
  CHECK(f.fake.gpu.chains.size() == 1);
  CHECK(f.fake.gpu.reductions == std::vector<std::size_t>{1});
  // Nor are sums along the rows of something else.
  f.fake.gpu.chains.clear(), f.fake.gpu.reductions.clear();
  const array of_x = gp::sum(gp::square(f.differences(f.x)), 1);
  const array wide = gp::concatenate({f.y, f.y}, 1).eval();
  const array of_y = gp::sum(gp::square(f.differences(wide)), 1);
  array(of_x / of_y).eval();
  CHECK(f.fake.gpu.chains == std::vector<std::size_t>{2, 2});
  CHECK(f.fake.gpu.reductions.empty());
}
