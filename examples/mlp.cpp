// A small neural network that tells two spirals apart: two hidden layers of tanh, gradients by hand, Adam.
// The picture shows what it makes of every point of the plane.
#include <cmath>

#include <gparray/gparray.hpp>

#include "on_device.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

using matrix = gp::ndarray<float>;

struct network {
  std::vector<matrix> weights, biases;

  /// The values of each layer, the input's first; the last are logits.
  [[nodiscard]] std::vector<matrix> forward(const matrix& input) const {
    std::vector<matrix> layers{input};
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const matrix sum = gp::matmul(layers.back(), weights[i]) + biases[i];
      layers.push_back(i + 1 < weights.size() ? matrix(gp::tanh(sum)) : sum);
    }
    return layers;
  }
};

matrix sigmoid(const matrix& x) { return 1 / (1 + gp::exp(-x)); }

/// Adam (Kingma and Ba, 2015): steps that follow the mean of the gradients, in units of their size.
struct adam {
  float rate;
  matrix mean = {}, square = {};
  void step(matrix& parameter, const matrix& gradient, float t) {
    if (t == 1) mean = gp::zeros_like(gradient), square = gp::zeros_like(gradient);
    mean += 0.1f * (gradient - mean);
    square += 0.001f * (gp::square(gradient) - square);
    const float scale = rate * std::sqrt(1 - std::pow(0.999f, t)) / (1 - std::pow(0.9f, t));
    parameter -= scale * mean / (gp::sqrt(square) + 1e-8f);
  }
};

int run(int argc, char** argv) {
  command_line options(argc, argv, "Trains a neural network on two spirals.");
  const int n = options.value("-n/--points", 400, "points of each spiral");
  const int hidden = options.value("--hidden", 32, "neurons of each hidden layer");
  const int steps = options.value("--steps", 2000, "steps of the training");
  const std::string output = options.value("--output", "mlp.svg", "picture; empty for none");
  const gp::device device = device_of(options);

  gp::random::Generator rng = gp::random::default_rng(11);
  const matrix turn = gp::sqrt(gp::linspace<float>(0.02f, 1.f, n)), angle = 9 * turn;
  const matrix arm = gp::stack({matrix(turn * gp::cos(angle)), matrix(turn * gp::sin(angle))}, 1);
  const matrix input = gp::concatenate({arm, matrix(-arm)}) + 0.02f * rng.standard_normal<float>({2 * n, 2});
  matrix wanted = gp::zeros<float>({2 * n, 1});
  wanted(gp::slice(n, gp::none)) = 1;

  network net;
  const std::vector<int> sizes{2, hidden, hidden, 1};
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    const float spread = (i == 0 ? 4.f : 1.f) / std::sqrt(static_cast<float>(sizes[i]));
    net.weights.push_back(spread * rng.standard_normal<float>({sizes[i], sizes[i + 1]}));
    net.biases.push_back(0.1f * rng.standard_normal<float>(sizes[i + 1]));
  }
  std::vector<adam> of_weights(net.weights.size(), {.rate = 0.01f}), of_biases = of_weights;

  const auto loss = [&](const matrix& logits) {  // the mean of -log of the probability of what is wanted
    return gp::mean(gp::logaddexp(matrix(gp::zeros_like(logits)), logits) - wanted * logits);
  };
  const double first = loss(net.forward(input).back());
  const stopwatch watch;
  {
    progress_line progress;
    for (int step = 1; step <= steps; ++step) {
      const std::vector<matrix> layers = net.forward(input);
      matrix error = (sigmoid(layers.back()) - wanted) / static_cast<float>(2 * n);
      for (std::size_t i = net.weights.size(); i-- > 0;) {
        const matrix by_weights = gp::matmul(layers[i].T(), error), by_biases = gp::sum(error, 0);
        if (i > 0) error = gp::matmul(error, net.weights[i].T()) * (1 - gp::square(layers[i]));
        of_weights[i].step(net.weights[i], by_weights, static_cast<float>(step));
        of_biases[i].step(net.biases[i], by_biases, static_cast<float>(step));
      }
      progress.update("step {} of {}", step, steps);
    }
  }
  const double seconds = watch.seconds();

  const matrix logits = net.forward(input).back();
  const double share = gp::mean((logits > 0.f) == (wanted > 0.5f));
  fmt::print("{} steps with {} points on {}: {:.2f} s\n", steps, 2 * n, device.str(), seconds);
  fmt::print("loss {:.3f}, then {:.3f}; {:.1f} % of the points are on their side\n", first, loss(logits),
             100 * share);

  if (!output.empty()) {
    const int pixels = 240;
    const auto along = gp::linspace<float>(-1.15f, 1.15f, pixels);
    const auto [x, y] = gp::meshgrid(along, along("::-1"));
    const matrix plane = gp::stack({matrix(x.ravel()), matrix(y.ravel())}, 1);
    const matrix answer = sigmoid(net.forward(plane).back()).reshape({pixels, pixels});
    plot::figure f(
        {.x = {.low = -1.15, .high = 1.15}, .y = {.low = -1.15, .high = 1.15}, .width = 640, .height = 560});
    f.image(answer.astype<double>(), {.map = plot::pale, .colours = 64, .label = "probability of red"});
    for (int s = 0; s < 2; ++s) {
      const auto points = input(gp::slice(s * n, (s + 1) * n)).astype<double>();
      f.points(points(":, 0"), points(":, 1"), {.colour = {255, 255, 255}, .width = 6.5});
      f.points(points(":, 0"), points(":, 1"), {.colour = plot::red_blue[s == 0 ? 1 : 9], .width = 4.5});
    }
    plot::save(output, {f});
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
