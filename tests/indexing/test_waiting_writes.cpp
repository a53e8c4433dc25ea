// Writes through index arrays to an expression that has not been computed: as to one that has.
#include <cstdint>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

/// The loss of a softmax and its gradient, as one writes it; with `stored` each name is computed at its line.
struct softmax_loss {
  gp::ndarray<float> gradient, loss, doubled;

  softmax_loss(const gp::ndarray<float>& x, const gp::ndarray<std::int64_t>& labels, bool stored) {
    const std::int64_t n = x.shape(0);
    const gp::ndarray<std::int64_t> rows = gp::arange(n);
    const gp::ndarray<float> shifted = x - gp::max(x, 1, {.keepdims = true});
    if (stored) shifted.eval();
    const gp::ndarray<float> logarithms = gp::log(gp::sum(gp::exp(shifted), 1));
    loss = gp::mean(logarithms - shifted(rows, labels));
    gradient = gp::exp(shifted - logarithms(":, None"));
    if (stored) gradient.eval();
    gradient(rows, labels) -= 1;
    if (stored) gradient.eval();
    gradient /= n;
    if (stored) gradient.eval();
    doubled = gradient * 2.f;
    gp::eval(gradient, loss, doubled);
  }
};

}  // namespace

TEST_CASE("a gradient whose elements are written has the bits of one that was stored before") {
  const gp::ndarray<float> x = gp::random::default_rng(3).standard_normal<float>({300, 77});
  const gp::ndarray<std::int64_t> labels = gp::arange(300) * 31 % 77;
  for (int turn = 0; turn < 2; ++turn) {  // step by step, and by kernels of its own
    const softmax_loss waiting(x, labels, false), stored(x, labels, true);
    CHECK(gp::array_equal(waiting.gradient, stored.gradient));
    CHECK(gp::array_equal(waiting.doubled, stored.doubled));
    CHECK(gp::array_equal(waiting.loss, stored.loss));
    gp::wait_for_kernels();
  }
}
