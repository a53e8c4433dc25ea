// Charts as SVG files: images with a colour bar, lines, points and bars on axes. Text stays sharp at any
// size.
//
//   plot::figure f({.title = "A wave", .x = {.label = "time"}});
//   f.line(x, gp::sin(x), {.label = "sine"});
//   plot::save("wave.svg", {f});
//
// Images in them are PNG, and so left out where there is no zlib.
#pragma once
#include <string_view>
#include <utility>

#include "colours.hpp"

namespace plot {

struct axis_options {
  std::string label = {};
  bool log = false;
  /// Where the axis begins and ends: with the data if not given.
  double low = nan, high = nan;
  bool ticks = true;
};

struct figure_options {
  std::string title = {};
  axis_options x = {}, y = {};
  /// Units are pixels of a screen that shows the file in its own size.
  int width = 640, height = 420;
};

struct series_options {
  std::string label = {};
  rgb colour = series[0];
  /// Of a line, or of a point.
  double width = 2;
  bool dashed = false;
};

inline std::string hex(const rgb& c) { return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]); }

inline std::string escaped(std::string_view text) {
  std::string s;
  for (const char c : text) s += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return s;
}

inline std::string text(double x, double y, std::string_view anchor, std::string_view s,
                        std::string_view more = "") {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' {}>{}</text>\n", x, y, anchor, more,
                     escaped(s));
}

/// Numbers along an axis: where they stand, from 0 to 1, and which of them are written.
class scale {
 public:
  scale(double low, double high, bool log, double power = 1)
      : low_(low), high_(high), power_(power), log_(log) {
    if (!(high_ > low_)) high_ = low_ + 1;
  }
  [[nodiscard]] double position(double v) const {
    if (log_) return std::log(v / low_) / std::log(high_ / low_);
    return std::copysign(std::pow(std::abs((v - low_) / (high_ - low_)), power_), v - low_);
  }
  /// About `count` multiples of 1, 2 or 5 times a power of ten; powers of ten of a logarithmic axis.
  [[nodiscard]] std::vector<double> ticks(int count) const {
    std::vector<double> all;
    if (log_) {
      const double first = std::ceil(std::log10(low_) - 1e-9), last = std::floor(std::log10(high_) + 1e-9);
      const double step = std::max(1., std::ceil((last - first) / count));
      for (double p = first; p <= last; p += step) all.push_back(std::pow(10., p));
      return all;
    }
    const double rough = (high_ - low_) / count, ten = std::pow(10., std::floor(std::log10(rough)));
    const double step = ten * (rough < 1.5 * ten ? 1 : rough < 3.5 * ten ? 2 : rough < 7.5 * ten ? 5 : 10);
    for (double i = std::ceil(low_ / step - 1e-9); i * step <= high_ + 1e-9 * step; ++i)
      all.push_back(i * step + 0.0);  // no -0
    return all;
  }
  [[nodiscard]] static std::string name(double v) {
    const double exponent = std::log10(std::abs(v));
    if (v == 0 || (exponent > -4 && exponent < 5)) return fmt::format("{:.6g}", v);
    return fmt::format("{:.0e}", v);
  }

 private:
  double low_, high_, power_;
  bool log_;
};

class figure {
 public:
  explicit figure(figure_options o = {}) : o_(std::move(o)) {}

  /// An array's elements as pixels over the whole of both axes, row 0 on top; one image a figure.
  void image(const gparray::ndarray<double>& values, image_options o = {}) {
    picture_ = paint(values, o);
    image_ = std::move(o);
    reach(x_, {0., static_cast<double>(picture_.width)});
    reach(y_, {0., static_cast<double>(picture_.height)});
  }
  void line(const gparray::ndarray<double>& x, const gparray::ndarray<double>& y, series_options o = {}) {
    add(kind::line, x, y, std::move(o));
  }
  void points(const gparray::ndarray<double>& x, const gparray::ndarray<double>& y, series_options o = {}) {
    add(kind::points, x, y, std::move(o));
  }
  /// A bar to the right in each of the named groups; 0 for none. All series of a figure have the same groups.
  void bars(std::vector<std::string> groups, const std::vector<double>& lengths, series_options o = {}) {
    groups_ = std::move(groups);
    std::vector<double> there;
    for (const double length : lengths)
      if (length > 0) there.push_back(length);
    reach(x_, there);
    series_.push_back({kind::bars, lengths, {}, std::move(o)});
  }

  [[nodiscard]] int width() const { return o_.width; }
  [[nodiscard]] int height() const { return o_.height; }

  /// The drawing as an element <svg> at (x, y) of another.
  [[nodiscard]] std::string svg(int left_edge, int top_edge) const {
    const bool has_bar = !image_.label.empty();
    const scale x = make_scale(o_.x, x_), y = make_scale(o_.y, y_);
    const std::vector<double> y_ticks =
        o_.y.ticks && groups_.empty() ? y.ticks(o_.height / 75) : std::vector<double>{};
    std::size_t letters = 0;
    for (const double v : y_ticks) letters = std::max(letters, scale::name(v).size());
    for (const std::string& group : groups_) letters = std::max(letters, group.size());
    const double left = 16. + 8. * static_cast<double>(letters) + (o_.y.label.empty() ? 0 : 22),
                 right = o_.width - (has_bar ? 98. : 18.), top = o_.title.empty() ? 14 : 42,
                 bottom = o_.height - (o_.x.ticks ? 30. : 10.) - (o_.x.label.empty() ? 0 : 20) -
                          (legend_rows() * 24.);
    const auto px = [&](double v) { return left + x.position(v) * (right - left); };
    const auto py = [&](double v) { return bottom - y.position(v) * (bottom - top); };

    std::string s =
        fmt::format("<svg x='{}' y='{}' width='{}' height='{}'>\n", left_edge, top_edge, o_.width, o_.height);
    s += text(o_.width / 2., 26, "middle", o_.title, "font-size='17' font-weight='600'");
    if (!picture_.pixels.empty()) s += embedded(picture_, left, top, right - left, bottom - top);
    const std::string_view grid = picture_.pixels.empty() ? "#e4e4e4" : "none";
    for (const double v :
         o_.x.ticks ? x.ticks(static_cast<int>((right - left) / 80)) : std::vector<double>{}) {
      s += fmt::format("<path d='M{0:.1f} {1}V{2}' stroke='{3}'/><path d='M{0:.1f} {2}v5' stroke='#444'/>\n",
                       px(v), top, bottom, grid);
      s += text(px(v), bottom + 22, "middle", scale::name(v));
    }
    for (const double v : y_ticks) {
      s += fmt::format("<path d='M{1} {0:.1f}H{2}' stroke='{3}'/><path d='M{1} {0:.1f}h-5' stroke='#444'/>\n",
                       py(v), left, right, grid);
      s += text(left - 9, py(v) + 5, "end", scale::name(v));
    }
    s += fmt::format("<svg x='{0}' y='{1}' width='{2}' height='{3}' viewBox='{0} {1} {2} {3}'>\n", left, top,
                     right - left, bottom - top);
    for (std::size_t i = 0; i < series_.size(); ++i) s += drawn(i, left, top, bottom, px, py);
    s += fmt::format("</svg><rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#444'/>\n", left,
                     top, right - left, bottom - top);
    s += text((left + right) / 2, bottom + (o_.x.ticks ? 45 : 22), "middle", o_.x.label);
    s += text(0, 0, "middle", o_.y.label,
              fmt::format("transform='translate(18 {}) rotate(-90)'", (top + bottom) / 2));
    for (std::size_t i = 0; i < groups_.size(); ++i)
      s += text(
          left - 9,
          top + (bottom - top) * (static_cast<double>(i) + 0.5) / static_cast<double>(groups_.size()) + 5,
          "end", groups_[i]);
    if (has_bar) s += colour_bar(right + 14, top, bottom);
    return s + legend(left) + "</svg>\n";
  }

 private:
  enum class kind { line, points, bars };
  struct drawn_series {
    kind what;
    std::vector<double> x, y;
    series_options o;
  };
  using range = std::pair<double, double>;

  static void reach(range& r, const std::vector<double>& values) {
    for (const double v : values)
      if (std::isfinite(v)) r = {std::min(r.first, v), std::max(r.second, v)};
  }

  void add(kind what, const gparray::ndarray<double>& x, const gparray::ndarray<double>& y,
           series_options o) {
    series_.push_back({what, x.to_vector(), y.to_vector(), std::move(o)});
    reach(x_, series_.back().x);
    reach(y_, series_.back().y);
  }

  static scale make_scale(const axis_options& o, range r) {
    return {std::isnan(o.low) ? r.first : o.low, std::isnan(o.high) ? r.second : o.high, o.log};
  }

  static std::string embedded(const picture& p, double x, double y, double width, double height) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!has_png) return {};
    const std::string bytes = encode_png({p});
    std::string base64;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      std::uint32_t group = 0;
      for (std::size_t k = 0; k < 3; ++k)
        group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
      for (std::size_t k = 0; k < 4; ++k)
        base64 += i + k > bytes.size() ? '=' : letters[group >> (18 - 6 * k) & 63];
    }
    return fmt::format(
        "<image x='{}' y='{}' width='{}' height='{}' preserveAspectRatio='none' "
        "href='data:image/png;base64,{}'/>\n",
        x, y, width, height, base64);
  }

  template<class X, class Y>
  [[nodiscard]] std::string drawn(std::size_t number, double left, double top, double bottom, X px,
                                  Y py) const {
    const drawn_series& d = series_[number];
    std::string path;
    if (d.what == kind::bars) {
      std::size_t first = 0;
      while (series_[first].what != kind::bars) ++first;
      const double group = (bottom - top) / static_cast<double>(groups_.size());
      const double bar = 0.8 * group / static_cast<double>(series_.size() - first);
      for (std::size_t i = 0; i < d.x.size(); ++i)
        if (d.x[i] > 0)
          path += fmt::format(
              "M{:.1f} {:.1f}H{:.1f}v{:.1f}H{:.1f}z", left,
              top + group * (static_cast<double>(i) + 0.1) + bar * static_cast<double>(number - first),
              px(d.x[i]), bar, left);
      return fmt::format("<path d='{}' fill='{}'/>\n", path, hex(d.o.colour));
    }
    const bool is_line = d.what == kind::line;
    for (std::size_t i = 0; i < d.x.size(); ++i)
      path += fmt::format("{}{:.1f} {:.1f}{}", is_line && i > 0 ? "L" : "M", px(d.x[i]), py(d.y[i]),
                          is_line ? "" : "h0");
    return fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='{}' stroke-linecap='round'{}/>\n",
                       path, hex(d.o.colour), d.o.width, d.o.dashed ? " stroke-dasharray='7 6'" : "");
  }

  [[nodiscard]] std::string colour_bar(double x, double top, double bottom) const {
    const scale values(image_.low, image_.high, false, image_.power);
    picture p{1, 256, {}};
    for (int i = 0; i < 256; ++i) p.pixels.push_back(colour_of(image_.map, 1 - i / 255.0));
    std::string s = embedded(p, x, top, 16, bottom - top);
    s += fmt::format("<rect x='{}' y='{}' width='16' height='{}' fill='none' stroke='#444'/>\n", x, top,
                     bottom - top);
    for (const double v : values.ticks(6)) {
      const double y = bottom - values.position(v) * (bottom - top);
      s += fmt::format("<path d='M{} {:.1f}h5' stroke='#444'/>\n", x + 16, y) +
           text(x + 24, y + 5, "start", scale::name(v));
    }
    return s +
           text(0, 0, "middle", image_.label,
                fmt::format("transform='translate({} {}) rotate(-90)'", o_.width - 8, (top + bottom) / 2));
  }

  [[nodiscard]] int legend_rows() const {
    for (const drawn_series& d : series_)
      if (!d.o.label.empty()) return 1;
    return 0;
  }

  [[nodiscard]] std::string legend(double x) const {
    std::string s;
    for (const drawn_series& d : series_) {
      if (d.o.label.empty()) continue;
      const double y = o_.height - 12;
      s += d.what == kind::line
               ? fmt::format("<path d='M{} {}h18' stroke='{}' stroke-width='3'{}/>\n", x, y - 5,
                             hex(d.o.colour), d.o.dashed ? " stroke-dasharray='5 4'" : "")
               : fmt::format("<rect x='{}' y='{}' width='13' height='13' fill='{}'/>\n", x + 3, y - 11,
                             hex(d.o.colour));
      s += text(x + 24, y, "start", d.o.label);
      x += 42 + 7.8 * static_cast<double>(d.o.label.size());
    }
    return s;
  }

  figure_options o_;
  picture picture_{};
  image_options image_{};
  std::vector<drawn_series> series_;
  std::vector<std::string> groups_;
  range x_{1e300, -1e300}, y_{1e300, -1e300};
};

/// Figures side by side, row by row. Throws std::runtime_error.
inline void save(const std::string& path, const std::vector<figure>& figures, int columns = 1) {
  std::string s;
  int width = 0, height = 0, left = 0, top = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const figure& f = figures[i];
    s += f.svg(left, top);
    left += f.width();
    width = std::max(width, left);
    height = std::max(height, top + f.height());
    if ((i + 1) % static_cast<std::size_t>(columns) == 0) left = 0, top = height;
  }
  write_file(
      path,
      fmt::format(
          "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
          "font-family='system-ui, Segoe UI, Helvetica, Arial, sans-serif' font-size='15' fill='#222'>\n"
          "<rect width='{0}' height='{1}' fill='#fff'/>\n{2}</svg>\n",
          width, height, s));
}

}  // namespace plot
