// Copies of views, about the limits at which another loop takes them: steps, row lengths, and sizes past the
// caches.
#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;
using gp::none;
using gp::slice;

namespace {

/// Every k-th of n elements.
template<class V>
void check_steps() {
  for (const i64 n : {31, 32, 33, 63, 64, 65, 200})
    for (const i64 step : {-2, -1, 1, 2, 3, 4, 5})
      for (const i64 first : {0, 1}) {
        const i64 far = step < 0 ? -step : step;
        const gp::ndarray<V> a = (gp::arange(n * far + 1) % 113).astype<V>();
        const gp::ndarray<V> view =
            step < 0 ? a(slice(n * far - 1 + first, none, step)) : a(slice(first, n * far, step));
        const std::vector<V> all = gp::asnumpy(a).to_vector(), copied = gp::asnumpy(view.copy()).to_vector();
        int wrong = copied.size() != static_cast<std::size_t>(view.size());
        for (std::size_t i = 0; i < copied.size(); ++i) {
          const i64 at = step < 0 ? n * far - 1 + first + step * static_cast<i64>(i)
                                  : first + step * static_cast<i64>(i);
          wrong += copied[i] != all[static_cast<std::size_t>(at)];
        }
        CHECK(wrong == 0);
      }
}

/// rows x columns numbers without the first three of each row, which are moved to its end by roll.
void check_rows(i64 rows, i64 columns) {
  CAPTURE(columns);
  const gp::ndarray<double> a = gp::arange<double>(rows * columns).reshape({rows, columns});
  const std::vector<double> part = gp::asnumpy(a(gp::all, slice(3, none)).copy()).to_vector(),
                            rolled = gp::asnumpy(gp::roll(a, -3, 1)).to_vector();
  i64 wrong = 0;
  for (i64 r = 0; r < rows; ++r)
    for (i64 c = 0; c < columns; ++c) {
      const auto expected = static_cast<double>(r * columns + (c + 3) % columns);
      wrong += rolled[static_cast<std::size_t>(r * columns + c)] != expected;
      if (c + 3 < columns) wrong += part[static_cast<std::size_t>(r * (columns - 3) + c)] != expected;
    }
  CHECK(wrong == 0);
}

/// `rows` numbers, each `columns` times.
void check_broadcast(i64 rows, i64 columns) {
  CAPTURE(columns);
  const gp::ndarray<double> a = gp::arange<double>(rows);
  const std::vector<double> copied =
      gp::asnumpy(gp::broadcast_to(a(gp::all, gp::newaxis), {rows, columns}).copy(gp::order::C)).to_vector();
  i64 wrong = copied.size() != static_cast<std::size_t>(rows * columns);
  for (i64 r = 0; r < rows; ++r)
    for (i64 c = 0; c < columns; ++c)
      wrong += copied[static_cast<std::size_t>(r * columns + c)] != static_cast<double>(r);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("copies of every second, third or fourth element") {
  check_steps<std::int8_t>();
  check_steps<std::int16_t>();
  check_steps<float>();
  check_steps<double>();
  check_steps<std::complex<double>>();
}

TEST_CASE("copies of parts of rows, short and long, below and past the size that goes past the caches") {
  for (const i64 columns : {66, 67, 68, 128, 130, 131, 132}) check_rows(40, columns);
  // 32 MiB are 2^22 numbers: rows of 64 and 67, of 1016 and 1032 bytes, and long ones.
  check_rows(70000, 67);
  check_rows(65000, 70);
  check_rows(33500, 130);
  check_rows(33000, 132);
  check_rows(2100, 2051);
}

TEST_CASE("copies of repeated elements past the caches") {
  check_broadcast(600'000, 8);
  check_broadcast(1'500'000, 3);
  check_broadcast(2100, 2048);  // a row is as much as is made at a time
  check_broadcast(2100, 2049);
}
