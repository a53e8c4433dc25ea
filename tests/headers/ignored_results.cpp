// Compiled by nodiscard.cmake: the compiler warns of lines that end in "warns", and of no others.
#include <gparray/gparray.hpp>

namespace gp = gparray;

void ignore_results(const gp::ndarray<double>& a, gp::ndarray<double>& b) {
  gp::show_config();                                                           // warns
  gp::sin(a);                                                                  // warns
  gp::sum(a);                                                                  // warns
  gp::sum(a, 0);                                                               // warns
  gp::reshape(a, {3});                                                         // warns
  a.copy();                                                                    // warns
  gp::fft::fft(a);                                                             // warns
  gp::linalg::inv(a);                                                          // warns
  gp::zeros({3});                                                              // warns
  gp::fft::hfftn(a);                                                           // warns
  gp::fft::fftfreq(8);                                                         // warns
  gp::hsplit(a, 2);                                                            // warns
  gp::array_str(a);                                                            // warns
  gp::flip(a, {.axis = 0});                                                    // warns
  gp::diff(a, {.axis = 0});                                                    // warns
  gp::isin(a, {1., 2.});                                                       // warns
  gp::average(a, gp::none, a);                                                 // warns
  gp::apply_along_axis([](const auto& line) { return gp::sum(line); }, 0, a);  // warns
  gp::sum(a, {.out = b});
  gp::sum(a, 0, {.out = b});
  gp::sin(a, b);
  gp::matmul(a, a, b);
  (a + a).eval();
}
