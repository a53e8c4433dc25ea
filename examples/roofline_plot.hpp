// A roofline as a picture with two logarithmic axes: FLOP per byte to the right, GFLOP/s upwards. The grey
// lines are powers of ten, the black ones the ceilings, the red dots what was measured.
#pragma once
#include <cmath>

#include "png_writer.hpp"

struct roofline_ceilings {
  double gb_per_s, gflop_per_s;
};

struct roofline_point {
  int k;
  double flop_per_byte, gflop_per_s, gb_per_s;
};

class log_log_picture {
 public:
  /// The axes go over these powers of ten.
  log_log_picture(int x_from, int x_to, int y_from, int y_to)
      : x_from_(x_from),
        y_from_(y_from),
        columns_((x_to - x_from) * decade),
        rows_((y_to - y_from) * decade) {
    pixels_.assign(static_cast<std::size_t>(columns_ * rows_), rgb{255, 255, 255});
    for (int x = 0; x < columns_; ++x)
      for (int y = 0; y < rows_; ++y)
        if (x % decade == 0 || y % decade == 0) set(x, y, {210, 210, 210});
  }

  void dot(double x, double y, rgb colour, int radius) {
    if (x <= 0 || y <= 0) return;
    const int column = static_cast<int>(std::lround((std::log10(x) - x_from_) * decade));
    const int row = static_cast<int>(std::lround((std::log10(y) - y_from_) * decade));
    for (int dx = -radius; dx <= radius; ++dx)
      for (int dy = -radius; dy <= radius; ++dy)
        if (dx * dx + dy * dy <= radius * radius) set(column + dx, row + dy, colour);
  }

  /// y = f(x) over the whole axis.
  template<class Function>
  void curve(Function f, rgb colour) {
    for (int step = 0; step < 4 * columns_; ++step) {
      const double x = std::pow(10.0, x_from_ + step / (4.0 * decade));
      dot(x, f(x), colour, 1);
    }
  }

  void write(const std::string& path) const { write_pixels(path, columns_, pixels_); }

 private:
  static constexpr int decade = 160;  // pixels

  void set(int column, int row, rgb colour) {
    if (column < 0 || column >= columns_ || row < 0 || row >= rows_) return;
    pixels_[static_cast<std::size_t>((rows_ - 1 - row) * columns_ + column)] = colour;
  }

  int x_from_, y_from_, columns_, rows_;
  std::vector<rgb> pixels_;
};

/// Throws std::runtime_error if the file cannot be written.
inline void write_roofline(const std::string& path, const roofline_ceilings& ceilings,
                           const std::vector<roofline_point>& points) {
  log_log_picture picture(-1, 3, 2, 6);
  picture.curve([&](double x) { return std::min(x * ceilings.gb_per_s, ceilings.gflop_per_s); }, {0, 0, 0});
  for (const roofline_point& p : points) picture.dot(p.flop_per_byte, p.gflop_per_s, {200, 30, 30}, 2);
  picture.write(path);
}
