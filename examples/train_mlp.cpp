// A neural network that is trained on many processes: each computes the gradients of its parts of a batch,
// and all of them take the same step. As the batch is cut into the same parts whatever the number of ranks,
// so are the bits of the weights.
#include <gparray/distributed.hpp>

#include "distributed.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed;

namespace {

using matrix = gp::ndarray<float>;

struct settings {
  int points, hidden, steps, parts;
};

matrix sigmoid(const matrix& x) { return 1 / (1 + gp::exp(-x)); }

/// Which points are inside of a ring, learnt by one hidden layer.
int train(const gd::communicator& world, const settings& given) {
  // The same points and the same weights on every rank.
  gp::random::Generator rng = gp::random::default_rng(2);
  const matrix x = rng.uniform(-1.5, 1.5, {given.points, 2}).astype<float>();
  const matrix radius = gp::sqrt(gp::sum(gp::square(x), 1, {.keepdims = true}));
  const matrix y = (gp::abs(radius - 0.9f) < 0.3f).astype<float>();
  matrix w1 = rng.standard_normal<float>({2, given.hidden}) * 2.f, b1 = gp::zeros<float>(given.hidden);
  matrix w2 = rng.standard_normal<float>({given.hidden, 1}) * 0.3f, b2 = gp::zeros<float>(1);

  gd::gradient_sum reduce(world, {.parts = given.parts});
  const float rate = 3.f, share = 1.f / static_cast<float>(given.points);
  double first = 0, loss = 0;
  // Kernels are compiled and ranks connected in the first steps.
  const int timed_from = given.steps / 10;
  stopwatch watch;
  for (int step = 0; step < given.steps; ++step) {
    for (const gd::part& b : reduce.my_parts(given.points)) {
      const matrix hidden = gp::tanh(gp::matmul(x(b), w1) + b1);
      const matrix logits = gp::matmul(hidden, w2) + b2;
      const matrix error = (sigmoid(logits) - y(b)) * share;
      const matrix back = gp::matmul(error, w2.T()) * (1.f - hidden * hidden);
      // The mean of -log of the probability of what is wanted.
      const matrix cost = gp::logaddexp(matrix(gp::zeros_like(logits)), logits) - y(b) * logits;
      reduce.add(gp::matmul(x(b).T(), back), gp::sum(back, 0), gp::matmul(hidden.T(), error),
                 gp::sum(error, 0), gp::sum(cost, 0));
    }
    const std::vector<matrix> g = reduce.finish<float>();
    w1 -= rate * g[0];
    b1 -= rate * g[1];
    w2 -= rate * g[2];
    b2 -= rate * g[3];
    loss = g[4].item() * share;
    if (step == 0) first = loss;
    if (step + 1 == timed_from) watch = {};
  }
  const double seconds = watch.seconds();
  const matrix answer = gp::matmul(gp::tanh(gp::matmul(x, w1) + b1), w2) + b2;
  const double right = gp::mean((answer > 0.f) == (y > 0.5f));
  if (world.rank() == 0) {
    fmt::print("loss {:.9g}, after {} steps {:.9g}\n", first, given.steps, loss);
    fmt::print("{:.1f} % of the points are on their side\n", 100 * right);
    fmt::print("{:.3f} ms a step on {} ranks, {}\n", 1e3 * seconds / (given.steps - timed_from), world.size(),
               world.engine());
  }
  return EXIT_SUCCESS;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Trains a neural network on many ranks.");
  settings given;
  given.points = options.value("-n/--points", 2000, "points to learn from");
  given.hidden = options.value("--hidden", 32, "neurons of the hidden layer");
  given.steps = options.value("--steps", 1000, "steps of the training");
  given.parts = options.value("--parts", 8, "into how many parts a batch is cut");
  return on_ranks(options, [&](const gd::communicator& world) { return train(world, given); });
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
