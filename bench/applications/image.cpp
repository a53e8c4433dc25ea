// Images: image.py in gparray.
#include "application.hpp"

namespace bench::applications {

using array = gp::ndarray<float>;
using bytes = gp::ndarray<std::uint8_t>;
using indices = gp::ndarray<std::int64_t>;

/// Of height x width.
void rgb_to_grey(application& a) {
  const bytes image = a.numbers<std::uint8_t>({a.size(0), a.size(1), 3}, 0, 256);
  a.run([&] {
    const array rgb = image.astype<float>();
    const array r = rgb("..., 0"), g = rgb("..., 1"), b = rgb("..., 2");
    const array grey = 0.299 * r + 0.587 * g + 0.114 * b;
    return grey.astype<std::uint8_t>();
  });
}

/// Of height x width.
void gradient_magnitude(application& a) {
  const array image = a.numbers<float>({a.size(0), a.size(1)});
  a.run([&] {
    const auto [gy, gx] = gp::unpack<2>(gp::gradients(image));
    return gp::sqrt(gx * gx + gy * gy);
  });
}

/// A box blur, Sobel's kernels, and the pixels where the slope is more than half of the steepest: 1 of a
/// byte.
void edges(application& a) {
  const array image = a.numbers<float>({a.size(0), a.size(1)});
  a.run([&] {
    const array rows = image(":-2") + image("1:-1") + image("2:");
    const array blurred = (rows(":, :-2") + rows(":, 1:-1") + rows(":, 2:")) / 9;
    const array across = blurred(":, 2:") - blurred(":, :-2");
    const array down = blurred("2:") - blurred(":-2");
    const array gx = across(":-2") + 2 * across("1:-1") + across("2:");
    const array gy = down(":, :-2") + 2 * down(":, 1:-1") + down(":, 2:");
    const array slope = gp::hypot(gx, gy);
    const gp::ndarray<bool> steep = slope > 0.5 * gp::max(slope);
    return steep.astype<std::uint8_t>();
  });
}

/// Grey levels such that all are as frequent.
void equalize_histogram(application& a) {
  const bytes image = a.numbers<std::uint8_t>({a.size(0), a.size(1)}, 60, 190);
  a.run([&] {
    const indices histogram = gp::bincount(image.ravel(), 256);
    const indices cumulative = gp::cumsum(histogram);
    const indices lowest = gp::min(cumulative);
    const bytes table =
        gp::rint((cumulative - lowest) * 255 / (image.size() - lowest)).astype<std::uint8_t>();
    return bytes(table(image));
  });
}

/// A picture of height x width made one of another height and width.
void bilinear_resize(application& a) {
  const array image = a.numbers<float>({a.size(0), a.size(1)});
  const std::int64_t height = a.size(2), width = a.size(3);
  a.run([&] {
    array y = (gp::arange<float>(height) + 0.5) * image.shape(0) / height - 0.5;
    array x = (gp::arange<float>(width) + 0.5) * image.shape(1) / width - 0.5;
    y = gp::clip(y, 0, image.shape(0) - 1), x = gp::clip(x, 0, image.shape(1) - 1);
    const indices y0 = gp::minimum(y.astype<std::int64_t>(), image.shape(0) - 2);
    const indices x0 = gp::minimum(x.astype<std::int64_t>(), image.shape(1) - 2);
    const array fy = (y - y0.astype<float>())(":, None"), fx = x - x0.astype<float>();
    const indices rows = y0(":, None");
    const array top = image(rows, x0) * (1 - fx) + image(rows, x0 + 1) * fx;
    const array bottom = image(rows + 1, x0) * (1 - fx) + image(rows + 1, x0 + 1) * fx;
    return top * (1 - fy) + bottom * fy;
  });
}

}  // namespace bench::applications
