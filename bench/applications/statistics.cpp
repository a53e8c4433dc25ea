// Statistics and geometry: statistics.py in gparray.
#include "application.hpp"

namespace bench::applications {

using array = gp::ndarray<float>;
using doubles = gp::ndarray<double>;

/// The sums of absolute differences of n and m points in so many dimensions.
void pairwise_l1(application& a) {
  const array x = a.numbers<float>({a.size(0), a.size(2)}), y = a.numbers<float>({a.size(1), a.size(2)});
  a.run([&] {
    const array difference = x(":, None") - y;
    return gp::sum(gp::abs(difference), -1);
  });
}

/// Of rows x columns.
void correlation_matrix(application& a) {
  const array x = a.numbers<float>({a.size(0), a.size(1)});
  a.run([&] {
    const array z = (x - gp::mean(x, 0)) / gp::std(x, 0);
    return gp::matmul(z.T(), z) / x.shape(0);
  });
}

/// Of so many numbers and so many in a window.
void moving_variance(application& a) {
  const doubles x = a.numbers<double>({a.size(0)});
  const std::int64_t window = a.size(1);
  a.run([&] {
    const doubles sums = gp::cumsum(x), squares = gp::cumsum(x * x);
    const doubles mean = (sums("{}:", window) - sums(":{}", -window)) / window;
    const doubles mean_square = (squares("{}:", window) - squares(":{}", -window)) / window;
    return mean_square - mean * mean;
  });
}

/// Kilometres on the globe between all of so many places.
void haversine(application& a) {
  const doubles latitude = a.numbers<double>({a.size(0)}, -90, 90);
  const doubles longitude = a.numbers<double>({a.size(0)}, -180, 180);
  a.run([&] {
    const doubles phi = gp::radians(latitude), lambda = gp::radians(longitude);
    const doubles d_phi = phi(":, None") - phi;
    const doubles d_lambda = lambda(":, None") - lambda;
    const doubles cosines = gp::cos(phi)(":, None") * gp::cos(phi);
    const doubles h = gp::square(gp::sin(d_phi / 2)) + cosines * gp::square(gp::sin(d_lambda / 2));
    return 2 * 6371 * gp::arcsin(gp::sqrt(gp::minimum(h, 1)));
  });
}

}  // namespace bench::applications
