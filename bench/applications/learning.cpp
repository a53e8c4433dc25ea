// Machine learning: learning.py in gparray.
#include <cmath>

#include "application.hpp"

namespace bench::applications {

using array = gp::ndarray<float>;
using labels_array = gp::ndarray<std::int64_t>;

/// Of rows x columns.
void softmax(application& a) {
  const array x = a.numbers<float>({a.size(0), a.size(1)}, -4, 4);
  a.run([&] {
    const array largest = gp::max(x, 1, {.keepdims = true});
    const array e = gp::exp(x - largest);
    const array total = gp::sum(e, 1, {.keepdims = true});
    return e / total;
  });
}

/// Of rows x columns, with gain and bias.
void layer_norm(application& a) {
  const array x = a.numbers<float>({a.size(0), a.size(1)}, -4, 4);
  const array gain = a.numbers<float>({a.size(1)}, 0.5, 1.5), bias = a.numbers<float>({a.size(1)}, -1, 1);
  a.run([&] {
    const array mean = gp::mean(x, -1, {.keepdims = true});
    const array variance = gp::var(x, -1, {.keepdims = true});
    const array normalized = (x - mean) / gp::sqrt(variance + 1e-5);
    return gain * normalized + bias;
  });
}

/// The form with tanh, of rows x columns and a bias for each column.
void gelu(application& a) {
  const array x = a.numbers<float>({a.size(0), a.size(1)}, -4, 4);
  const array bias = a.numbers<float>({a.size(1)}, -1, 1);
  a.run([&] {
    const array y = x + bias;
    const array inner = std::sqrt(2 / gp::pi) * (y + 0.044715 * gp::power(y, 3));
    return 0.5 * y * (1 + gp::tanh(inner));
  });
}

/// Of heads x positions x features.
void attention(application& a) {
  const gp::dims shape{a.size(0), a.size(1), a.size(2)};
  const array q = a.numbers<float>(shape, -2, 2), k = a.numbers<float>(shape, -2, 2);
  const array v = a.numbers<float>(shape, -1, 1);
  a.run([&] {
    const array scores = gp::matmul(q, k.mT()) / std::sqrt(q.shape(2));
    const array largest = gp::max(scores, -1, {.keepdims = true});
    const array e = gp::exp(scores - largest);
    const array weights = e / gp::sum(e, -1, {.keepdims = true});
    return gp::matmul(weights, v);
  });
}

/// The tenth step of Adam for so many parameters, in place.
void adam_step(application& a) {
  array p = a.numbers<float>({a.size(0)}, -1, 1);
  array m = a.numbers<float>({a.size(0)}, -0.1, 0.1), v = a.numbers<float>({a.size(0)}, 0, 0.01);
  const array g = a.numbers<float>({a.size(0)}, -0.2, 0.2);
  const double rate = 1e-3, beta1 = 0.9, beta2 = 0.999;
  const int t = 10;
  a.run([&] {
    m *= beta1;
    m += (1 - beta1) * g;
    v *= beta2;
    v += (1 - beta2) * g * g;
    const array m_hat = m / (1 - std::pow(beta1, t));
    const array v_hat = v / (1 - std::pow(beta2, t));
    p -= rate * m_hat / (gp::sqrt(v_hat) + 1e-8);
    return std::tuple(p, m, v);
  });
}

/// The mean loss of a softmax and its gradient, of rows x classes.
void cross_entropy(application& a) {
  const array x = a.numbers<float>({a.size(0), a.size(1)}, -4, 4);
  const labels_array labels = a.numbers<std::int64_t>({a.size(0)}, 0, static_cast<double>(a.size(1)));
  a.run([&] {
    const std::int64_t n = x.shape(0);
    const labels_array rows = gp::arange(n);
    const array shifted = x - gp::max(x, 1, {.keepdims = true});
    const array logarithms = gp::log(gp::sum(gp::exp(shifted), 1));
    const array loss = gp::mean(logarithms - shifted(rows, labels));
    array gradient = gp::exp(shifted - logarithms(":, None"));
    gradient(rows, labels) -= 1;
    gradient /= n;
    return std::tuple(gradient, loss);
  });
}

/// A step down the gradient with points x features: the loss, and the weights changed in place.
void logistic_regression(application& a) {
  const array x = a.normal_numbers<float>({a.size(0), a.size(1)});
  const array y = gp::floor(a.numbers<float>({a.size(0)}, 0, 2));
  array w = a.numbers<float>({a.size(1)}, -0.5, 0.5), b = a.numbers<float>({1}, -0.5, 0.5);
  const double rate = 0.1, decay = 1e-3;
  a.run([&] {
    const std::int64_t n = x.shape(0);
    const array z = gp::matmul(x, w) + b;
    const array p = 1 / (1 + gp::exp(-z));
    const array loss = -gp::mean(y * gp::log(p) + (1 - y) * gp::log(1 - p));
    const array error = p - y;
    w -= rate * (gp::matmul(x.T(), error) / n + decay * w);
    b -= rate * gp::mean(error);
    return std::tuple(loss, w, b);
  });
}

/// Pictures x channels x height x width: normalised by channel, with gain and bias, and rectified.
void batch_norm(application& a) {
  const array x = a.numbers<float>({a.size(0), a.size(1), a.size(2), a.size(3)}, -4, 4);
  const array gain = a.numbers<float>({a.size(1)}, 0.5, 1.5), bias = a.numbers<float>({a.size(1)}, -1, 1);
  a.run([&] {
    const array mean = gp::mean(x, {0, 2, 3}, {.keepdims = true});
    const array variance = gp::var(x, {0, 2, 3}, {.keepdims = true});
    const array normalized = (x - mean) / gp::sqrt(variance + 1e-5);
    const array y = gain(":, None, None") * normalized + bias(":, None, None");
    return gp::maximum(y, 0);
  });
}

/// The nearest of so many centres for each point, of points x centres x dimensions.
void k_means_labels(application& a) {
  const array points = a.numbers<float>({a.size(0), a.size(2)});
  const array centres = a.numbers<float>({a.size(1), a.size(2)});
  a.run([&] {
    const array difference = points(":, None") - centres;
    const array distance = gp::sum(gp::square(difference), 2);
    return gp::argmin(distance, 1);
  });
}

}  // namespace bench::applications
