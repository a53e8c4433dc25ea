// argmin and argmax wherever the element is that they look for: searches go by blocks and end with one by
// one.
#include <cstring>
#include <limits>
#include <string>

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

/// The same bits, but for those of NaN.
template<class V>
void check_same(const std::string& function, const gp::ndarray<V>& whole, const gp::ndarray<V>& other) {
  const gp::ndarray<V> a = gp::asnumpy(whole), b = gp::asnumpy(other);
  int wrong = 0;
  for (i64 i = 0; i < a.size(); ++i) {
    const V x = a(i).item(), y = b(i).item();
    wrong += std::memcmp(&x, &y, sizeof x) != 0 && !(x != x && y != y);
  }
  CAPTURE(function);
  CAPTURE(gp::name(gp::dtype_of<V>));
  CHECK(wrong == 0);
}

/// Rows of each short length, in memory and computed on the way, beside the same elements far apart, whose
/// loops are others.
template<class V>
void check_short_rows() {
  for (i64 n = 1; n <= 140; n += n < 36 ? 1 : 17) {
    const i64 rows = 67;  // more than are finished together
    const gp::ndarray<double> numbers = gp::remainder(0.6180339887498949 * gp::arange<double>(rows * n), 1.0);
    // Of bools, rows without any and with all of them, too.
    gp::ndarray<V> a;
    if constexpr (std::is_same_v<V, bool>) a = (numbers > 0.5).reshape({rows, n});
    else a = (1000.0 * numbers - 500.0).astype<V>().reshape({rows, n});
    if (std::numeric_limits<V>::has_quiet_NaN) {
      a(5, n / 2) = a(6, 0) = std::numeric_limits<V>::quiet_NaN();
      a(9) = std::numeric_limits<V>::quiet_NaN();
    }
    a(10) = V(0);
    a(11) = V(1);
    if (n > 2) a(7, 1) = a(7, n - 1) = a(8, 0) = a(8, 2) = V(-0.0);
    const gp::ndarray<V> apart = gp::zeros<V>({rows, 2 * n})(gp::all, gp::slice(gp::none, gp::none, 2));
    apart(gp::ellipsis) = a;
    CAPTURE(n);
#define SAME(function) check_same(#function, gp::function(a, 1).eval(), gp::function(apart, 1).eval())
    SAME(sum);
    SAME(prod);
    SAME(min);
    SAME(max);
    SAME(any);
    SAME(all);
    SAME(argmin);
    SAME(argmax);
    SAME(count_nonzero);
    SAME(mean);
    SAME(var);
    SAME(std);
    SAME(nansum);
    SAME(nanprod);
    SAME(nanmin);
    SAME(nanmax);
    SAME(nanmean);
    SAME(nanvar);
    SAME(nanstd);
    SAME(nanargmin);
    SAME(nanargmax);  // -1 where all are NaN
    if constexpr (!std::is_same_v<V, bool>) SAME(ptp);
    check_same("norm", gp::linalg::norm(a, {.axis = 1}).eval(), gp::linalg::norm(apart, {.axis = 1}).eval());
    // A few of one kind of element each: on a GPU each is a kernel that is compiled then.
    const V one(1);
#define SAME_COMPUTED(function) \
  check_same(#function, gp::function(a* one, 1).eval(), gp::function(apart, 1).eval())
    if constexpr (std::is_same_v<V, bool>) {
      SAME_COMPUTED(any);
      SAME_COMPUTED(sum);
      SAME_COMPUTED(argmin);
    } else if constexpr (std::is_same_v<V, double>) {
      SAME_COMPUTED(max);
      SAME_COMPUTED(nanmean);
      SAME_COMPUTED(var);
      SAME_COMPUTED(argmax);
    }
    CHECK(gp::array_equal(gp::argmax(a(7)), gp::argmax(a, 1)(7)));
  }
}
#undef SAME
#undef SAME_COMPUTED

/// The index of the first true among bools, wherever it is, and of the first false.
void check_bools(i64 n) {
  const gp::ndarray<bool> none = gp::zeros<bool>(n);
  int wrong = 0;
  for (i64 at = 0; at < n; at += n < 100 ? 1 : 997) {
    const gp::ndarray<bool> one = none.copy();
    one(at) = true;
    if (at < n / 2) one(n / 2) = true;  // which another thread may find before it
    const gp::ndarray<bool> others = ~one;
    wrong += gp::argmax(one).item() != at || gp::argmin(others).item() != at;
    wrong += gp::max(one).item() != true || gp::min(others).item() != false;
  }
  CHECK(wrong == 0);
  CHECK(gp::argmax(none).item() == 0);
  CHECK(gp::argmin(~none).item() == 0);
  CHECK(gp::max(none).item() == false);
  CHECK(gp::min(~none).item() == true);
}

}  // namespace

TEST_CASE("short rows give the bits of elements that are not side by side") {
  check_short_rows<float>();
  check_short_rows<double>();
  check_short_rows<int>();
  check_short_rows<i64>();
  check_short_rows<bool>();
}

TEST_CASE("positions of bools end with the first") {
  // The last is shared among threads.
  for (const i64 n : {1, 7, 8, 9, 16, 33, 2047, 2049, 300000}) check_bools(n);
}

TEST_CASE("columns of bool are searched to the first that is sought, and no further") {
  constexpr std::int64_t rows = 5000;
  gp::ndarray<bool> a = gp::zeros<bool>({rows, 5});
  const std::int64_t places[] = {4999, 0, 7, 2048};  // and none in the last column
  for (int column = 0; column < 4; ++column) {
    a(places[column], column) = true;
    a(gp::slice(places[column], gp::none, 3), column) = true;
  }
  CHECK(gp::argmax(a, 0).to_vector() == std::vector<std::int64_t>{4999, 0, 7, 2048, 0});
  CHECK(gp::argmin(gp::ndarray<bool>(~a), 0).to_vector() == std::vector<std::int64_t>{4999, 0, 7, 2048, 0});
  CHECK(gp::argmax(a(gp::all, gp::slice(1, 3)), 0).to_vector() == std::vector<std::int64_t>{0, 7});
  CHECK(gp::argmin(gp::ones<bool>({rows, 3}), 0).to_vector() == std::vector<std::int64_t>{0, 0, 0});
}
