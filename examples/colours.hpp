// Numbers as colours.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include <gparray/gparray.hpp>

#include "png.hpp"

namespace plot {

/// What is not given.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Colours at even distances, with straight lines between them.
using colour_map = std::vector<rgb>;

// Matplotlib's, whose lightness rises evenly.
inline const colour_map viridis{{68, 1, 84},    {72, 40, 120},  {62, 73, 137},  {49, 104, 142},
                                {38, 130, 142}, {31, 158, 137}, {53, 183, 121}, {110, 206, 88},
                                {181, 222, 43}, {253, 231, 37}};
inline const colour_map inferno{{0, 0, 4},      {27, 12, 65},   {74, 12, 107},  {120, 28, 109},
                                {165, 44, 96},  {207, 68, 70},  {237, 105, 37}, {251, 155, 6},
                                {247, 209, 61}, {252, 255, 164}};
inline const colour_map grey{{0, 0, 0}, {255, 255, 255}};
/// White in the middle.
inline const colour_map red_blue{{5, 48, 97},     {33, 102, 172},  {67, 147, 195},  {146, 197, 222},
                                 {209, 229, 240}, {247, 247, 247}, {253, 219, 199}, {244, 165, 130},
                                 {214, 96, 77},   {178, 24, 43},   {103, 0, 31}};
/// The same, for what lies behind points.
inline const colour_map pale{red_blue[3], red_blue[5], red_blue[7]};
/// Ends as it begins.
inline const colour_map cycle{{0, 7, 100},   {32, 107, 203}, {237, 255, 255},
                              {255, 170, 0}, {90, 20, 10},   {0, 7, 100}};
/// Of series: Okabe and Ito's, which colour-blind readers tell apart.
inline const colour_map series{{0, 114, 178}, {230, 159, 0},  {0, 158, 115},  {204, 121, 167},
                               {213, 94, 0},  {86, 180, 233}, {120, 120, 120}};

/// The colour of a share from 0 to 1.
inline rgb colour_of(const colour_map& map, double share) {
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), map.size() - 2);
  const double rest = position - static_cast<double>(below);
  rgb colour;
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(std::lround((1 - rest) * map[below][c] + rest * map[below + 1][c]));
  return colour;
}

struct image_options {
  colour_map map = viridis;
  /// The numbers of the first and the last colour: the least and the largest if not given.
  double low = nan, high = nan;
  /// Of the shares: below 1 small numbers get more of the colours.
  double power = 1;
  /// Few colours make small files.
  int colours = 255;
  /// What the colours mean; empty for no colour bar.
  std::string label = {};
};

/// One pixel an element, row 0 on top; NaN is black. Fills in o.low and o.high.
inline picture paint(const gparray::ndarray<double>& values, image_options& o) {
  if (std::isnan(o.low)) o.low = gparray::nanmin(values);
  if (std::isnan(o.high)) o.high = gparray::nanmax(values);
  const double range = o.high > o.low ? o.high - o.low : 1;
  picture p{values.shape(1), values.shape(0), {}};
  p.pixels.reserve(static_cast<std::size_t>(values.size()));
  for (const double value : values.to_vector()) {
    const double share = std::pow(std::clamp((value - o.low) / range, 0.0, 1.0), o.power);
    const double level = std::round(share * (o.colours - 1)) / (o.colours - 1);
    p.pixels.push_back(std::isnan(value) ? rgb{} : colour_of(o.map, level));
  }
  return p;
}
inline picture paint(const gparray::ndarray<double>& values, image_options&& o) { return paint(values, o); }

}  // namespace plot
