// argmin and argmax wherever the element is that they look for: searches go by blocks and end with one by
// one.
#include <cstring>
#include <limits>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

template<class V>
void check_positions(i64 n, V ordinary, V extreme) {
  int wrong = 0;
  for (const i64 step : {1, 13})
    for (i64 at = 0; at < n; at += step) {
      const gp::ndarray<V> a = gp::full<V>({n}, ordinary);
      a(at) = extreme;
      if (at + 3 < n) a(at + 3) = extreme;  // the first counts
      wrong += gp::argmax(a).item() != at;
      if (std::numeric_limits<V>::has_quiet_NaN) {
        if (at + 5 < n) a(at + 5) = std::numeric_limits<V>::quiet_NaN();
        const i64 expected = at + 5 < n ? at + 5 : at;
        wrong += gp::argmax(a).item() != expected;
      }
      if (step == 1 && n > 40) at += 6;  // enough of them
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("positions of extremes, at the limits of what is searched together") {
  for (const i64 n : {1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 300, 600, 2047, 2048, 2049, 4500}) {
    check_positions<float>(n, 1, 2);
    check_positions<double>(n, -2, -1);
    check_positions<i64>(n, 1, 2);
    check_positions<std::int8_t>(n, -2, -1);
  }
}

namespace {

/// Rows of each short length beside one of them alone and beside the same elements far apart, whose loops are
/// others.
template<class V>
void check_short_rows() {
  for (i64 n = 1; n <= 70; n += n < 36 ? 1 : 17) {
    const i64 rows = 67;  // more than are finished together
    const gp::ndarray<double> numbers = gp::remainder(0.6180339887498949 * gp::arange<double>(rows * n), 1.0);
    const gp::ndarray<V> a = (1000.0 * numbers - 500.0).astype<V>().reshape({rows, n});
    if (std::numeric_limits<V>::has_quiet_NaN) a(5, n / 2) = a(6, 0) = std::numeric_limits<V>::quiet_NaN();
    if (n > 2) a(7, 1) = a(7, n - 1) = a(8, 0) = a(8, 2) = V(-0.0);
    const gp::ndarray<V> apart = gp::zeros<V>({rows, 2 * n})(gp::all, gp::slice(gp::none, gp::none, 2));
    apart(gp::ellipsis) = a;
    const auto same = [&](const auto& reduce) {
      const auto whole = gp::asnumpy(reduce(a)).to_vector(), other = gp::asnumpy(reduce(apart)).to_vector();
      return std::memcmp(whole.data(), other.data(), whole.size() * sizeof whole[0]) == 0;
    };
    CAPTURE(n);
    CHECK(same([](const auto& x) { return gp::sum(x, 1).eval(); }));
    CHECK(same([](const auto& x) { return gp::mean(x, 1).eval(); }));
    CHECK(same([](const auto& x) { return gp::min(x, 1).eval(); }));
    CHECK(same([](const auto& x) { return gp::max(x, 1).eval(); }));
    CHECK(same([](const auto& x) { return gp::argmin(x, 1).eval(); }));
    CHECK(same([](const auto& x) { return gp::argmax(x, 1).eval(); }));
    CHECK(gp::array_equal(gp::argmax(a(7)), gp::argmax(a, 1)(7)));
  }
}

}  // namespace

TEST_CASE("short rows give the bits of elements that are not side by side") {
  check_short_rows<float>();
  check_short_rows<double>();
  check_short_rows<int>();
  check_short_rows<i64>();
}
