// Pictures as PNG files, and several of them as an animated one (APNG), which browsers show like any other.
#pragma once
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#ifdef EXAMPLE_HAS_ZLIB
#include <zlib.h>
#endif

namespace plot {

using rgb = std::array<std::uint8_t, 3>;

/// Rows from the top.
struct picture {
  std::int64_t width, height;
  std::vector<rgb> pixels;
};

#ifdef EXAMPLE_HAS_ZLIB
inline constexpr bool has_png = true;

/// Pictures of one size: the parts of a PNG file, https://www.w3.org/TR/png-3.
class png_encoder {
 public:
  png_encoder(const std::vector<picture>& frames, int milliseconds) : frames_(frames) {
    for (const picture& frame : frames)
      for (const rgb& colour : frame.pixels)
        if (palette_.size() < most_colours) palette_.try_emplace(colour, palette_.size() + 1);
    const auto width = static_cast<std::uint32_t>(frames[0].width),
               height = static_cast<std::uint32_t>(frames[0].height);
    const bool animated = frames.size() > 1;
    chunk("IHDR", number(width) + number(height) + std::string{8, indexed() ? '\3' : '\2', 0, 0, 0});
    if (animated) chunk("acTL", number(static_cast<std::uint32_t>(frames.size())) + number(0));
    if (indexed()) {
      std::string colours((palette_.size() + 1) * 3, '\0');
      for (const auto& [colour, index] : palette_)
        for (std::size_t c = 0; c < 3; ++c) colours[3 * index + c] = static_cast<char>(colour[c]);
      chunk("PLTE", colours);
      chunk("tRNS", std::string(1, '\0'));  // index 0 lets the frame before it show through
    }
    std::uint32_t sequence = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const auto delay = static_cast<char>(milliseconds / 10);
      if (animated)
        chunk("fcTL", number(sequence++) + number(width) + number(height) + number(0) + number(0) +
                          std::string{0, delay, 0, 100, 0, indexed() ? '\1' : '\0'});
      if (i == 0) chunk("IDAT", pixels(i));
      else chunk("fdAT", number(sequence++) + pixels(i));
    }
    chunk("IEND", "");
  }

  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  static constexpr std::size_t most_colours = 256;  // one more than fits beside the transparent one

  [[nodiscard]] bool indexed() const { return palette_.size() < most_colours; }

  static std::string number(std::uint32_t n) {
    return {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
            static_cast<char>(n)};
  }

  void chunk(const std::string& name, const std::string& data) {
    const std::string body = name + data;
    const auto* bytes = reinterpret_cast<const Bytef*>(body.data());
    file_ += number(static_cast<std::uint32_t>(data.size())) + body +
             number(static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(body.size()))));
  }

  /// A frame, compressed: indices of the colours that change, if there are few colours, else differences of
  /// neighbours.
  [[nodiscard]] std::string pixels(std::size_t frame) const {
    const auto& now = frames_[frame].pixels;
    const auto width = static_cast<std::size_t>(frames_[0].width);
    std::string bytes;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (i % width == 0) bytes += indexed() ? '\0' : '\1';
      if (indexed()) {
        const bool same = frame > 0 && now[i] == frames_[frame - 1].pixels[i];
        bytes += same ? '\0' : static_cast<char>(palette_.at(now[i]));
      } else {
        for (std::size_t c = 0; c < 3; ++c)
          bytes += static_cast<char>(now[i][c] - (i % width == 0 ? 0 : now[i - 1][c]));
      }
    }
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string compressed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
              reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()),
              Z_BEST_COMPRESSION);
    return compressed.substr(0, size);
  }

  const std::vector<picture>& frames_;
  std::map<rgb, std::size_t> palette_;
  std::string file_ = "\x89PNG\r\n\x1a\n";
};

/// One frame, or several that are shown `milliseconds` each (at most 1000), again and again.
inline std::string encode_png(const std::vector<picture>& frames, int milliseconds = 50) {
  return png_encoder(frames, milliseconds).file();
}
#else
inline constexpr bool has_png = false;
inline std::string encode_png(const std::vector<picture>&, int = 50) { return {}; }
#endif

/// Throws std::runtime_error.
inline void write_file(const std::string& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary);
  if (!(out << content).flush()) throw std::runtime_error("cannot write " + path);
}

/// As encode_png does it; says so if there is no zlib to do it. Throws std::runtime_error.
inline void write_png(const std::string& path, const std::vector<picture>& frames, int milliseconds = 50) {
  if (has_png) write_file(path, encode_png(frames, milliseconds));
  else fmt::print(stderr, "{} is not written: built without zlib\n", path);
}

}  // namespace plot
