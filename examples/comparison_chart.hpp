// Pairs of times as a bar chart: two bars a row, in the order of a table, with a logarithmic scale.
#pragma once
#include "png_writer.hpp"

/// Milliseconds; 0 if there is none to show.
struct compared_times {
  double theirs, ours;
};

/// Theirs is grey, ours is orange. A vertical line stands at every power of ten. Throws std::runtime_error.
inline void write_comparison(const std::string& path, const std::vector<compared_times>& rows) {
  constexpr std::int64_t width = 800, bar = 7, row = 2 * bar + 6, margin = 10;
  double least = 1e300, most = 0;
  for (const compared_times& t : rows)
    for (const double time : {t.theirs, t.ours})
      if (time > 0) least = std::min(least, time), most = std::max(most, time);
  const double first = std::floor(std::log10(least)), last = std::max(std::ceil(std::log10(most)), first + 1);
  const auto position = [&](double time) {
    return margin + std::lround((std::log10(time) - first) / (last - first) * (width - 2 * margin));
  };
  const std::int64_t height = static_cast<std::int64_t>(rows.size()) * row + 2 * margin;
  std::vector<rgb> pixels(static_cast<std::size_t>(width * height), rgb{255, 255, 255});
  const auto fill = [&](std::int64_t left, std::int64_t right, std::int64_t top, std::int64_t bottom,
                        rgb colour) {
    for (std::int64_t y = top; y < bottom; ++y)
      for (std::int64_t x = left; x < right; ++x) pixels[static_cast<std::size_t>(y * width + x)] = colour;
  };
  for (double power = first; power <= last; ++power) {
    const std::int64_t x = position(std::pow(10., power));
    fill(x, x + 1, 0, height, {210, 210, 210});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t top = margin + static_cast<std::int64_t>(i) * row;
    if (rows[i].theirs > 0) fill(margin, position(rows[i].theirs) + 1, top, top + bar, {140, 140, 140});
    if (rows[i].ours > 0) fill(margin, position(rows[i].ours) + 1, top + bar, top + 2 * bar, {225, 110, 30});
  }
  write_pixels(path, width, pixels);
}
