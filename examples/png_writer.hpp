// Numbers as a picture: a heat map of an array, written with libpng.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <gparray/gparray.hpp>

#ifdef EXAMPLE_HAS_PNG
#include <png.h>
#endif

using rgb = std::array<unsigned char, 3>;

/// The colour of a temperature from 0 (black) over purple, red, orange and yellow to 1 (white).
inline rgb heat_colour(double temperature) {
  static constexpr std::array<rgb, 7> colours{{{0, 0, 4},
                                               {51, 10, 95},
                                               {129, 26, 109},
                                               {207, 57, 70},
                                               {247, 131, 20},
                                               {250, 210, 70},
                                               {255, 255, 235}}};
  const double position = std::clamp(temperature, 0.0, 1.0) * (colours.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), colours.size() - 2);
  const double share = position - static_cast<double>(below);
  rgb colour;
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<unsigned char>(
        std::lround((1 - share) * colours[below][c] + share * colours[below + 1][c]));
  return colour;
}

/// Writes pixels, row by row from the top; says so if there is no libpng to do it. Throws std::runtime_error.
inline void write_pixels(const std::string& path, std::int64_t width, const std::vector<rgb>& pixels) {
#ifdef EXAMPLE_HAS_PNG
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.format = PNG_FORMAT_RGB;
  image.height = static_cast<png_uint_32>(static_cast<std::int64_t>(pixels.size()) / width);
  image.width = static_cast<png_uint_32>(width);
  if (!png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr))
    throw std::runtime_error("cannot write " + path + ": " + image.message);
#else
  (void)width, (void)pixels;
  fmt::print(stderr, "{} is not written: built without libpng\n", path);
#endif
}

/// Writes a 2-D array of temperatures from 0 to 1, one pixel an element, row 0 on top. Throws
/// std::runtime_error.
inline void write_heat_map(const std::string& path, const gparray::ndarray<double>& temperatures) {
  std::vector<rgb> pixels;
  for (const double temperature : temperatures.to_vector()) pixels.push_back(heat_colour(temperature));
  write_pixels(path, temperatures.shape(1), pixels);
}
