// The same as the other files, and right.
#include <vector>

#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) {
  if (gp::all(a == b) && !gp::any(a > 0)) return;
  if (a(0) > 1 || a(0, 0)) return;
  (void)((a > 0) & ~(b > 0));
  (void)gp::maximum(a, b);
  (void)gp::max(a, 0);
  (void)gp::where(a > 0, a, b);
  i += 1;
  (void)gp::zeros({2, 3});
  (void)gp::full({2, 3}, 1.5);
  (void)gp::array({1, 2, 3});
  (void)a.reshape({2, 3}).transpose({1, 0});
  a(gp::ellipsis) = 5;
  gp::ndarray<float> f = a.astype<float>();
  (void)a(std::vector{0, 1}, std::vector{1, 2});
  (void)gp::sum(a, {.keepdims = true});
  (void)gp::sum(a, 0, {.keepdims = true});
}

void g(const gp::ndarray<double>& a, const gp::ndarray<double>& b) {
  (void)gp::max(a, 0);
  (void)gp::min(a, -1);
  (void)gp::max(a, {0, 1});
  (void)gp::max<float>(a, std::vector{0, 1});
  (void)gp::minimum(a, b);
  (void)gp::zeros(2);
  (void)gp::full(2, 3);
  (void)gp::full(2, b(0, 0));
  (void)gp::array(1);
}
