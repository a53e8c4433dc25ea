// Random loops over the rows of arrays: as long pending as they may be, and computed line by line. Both must
// leave the same bits.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/random_names.hpp"
#include "support/same_bits.hpp"

namespace random_rows {

namespace gp = gparray;

/// A recurrence on two names, which reads rows of tables in an order of its own.
template<class T>
class recurrence {
 public:
  using array = gp::ndarray<T>;

  explicit recurrence(std::uint64_t seed) : random_(seed) {
    turns_ = 5 + random_.below(random_.below(3) ? 60 : 400);
    columns_ = 1 + random_.below(40);
    step_ = 1 + random_.below(2);
    backwards_ = random_.below(2) == 1;
    for (int& line : lines_) line = random_.below(8);
    const std::int64_t rows = turns_ * step_ + 3;
    const auto numbers = [&](const gp::dims& shape, double factor) {
      const std::int64_t size = rows * columns_ * 2;
      return (gp::sin(gp::arange<double>(size) * factor) * 3).reshape(shape).template astype<T>().eval();
    };
    table_ = numbers({rows, columns_, 2}, 0.37).swapaxes(1, 2);
    plain_ = numbers({rows * 2, columns_}, 0.11);
    factors_ = numbers({rows, columns_ * 2}, 0.73)(":, 0").copy();
  }

  /// The names' elements behind the last turn; `at_once`: each line is computed before the next.
  std::vector<std::vector<T>> run(bool at_once) {
    array x = plain_(0).copy(), v = plain_(1) * 2;
    std::vector<std::vector<T>> result;
    for (std::int64_t turn = 0; turn < turns_; ++turn) {
      const std::int64_t row = 1 + step_ * (backwards_ ? turns_ - 1 - turn : turn);
      for (const int line : lines_) {
        take(line, row, x, v);
        if (at_once) gp::eval(x, v);
      }
      if (turn == turns_ / 2 && lines_[0] % 4 == 0) result.push_back({gp::sum(x).item()});
      if (turn % 7 == 6 && lines_[1] == 1) result.push_back({v(0).item()});
    }
    result.push_back(x.to_vector());
    result.push_back(v.to_vector());
    return result;
  }

 private:
  void take(int line, std::int64_t row, array& x, array& v) {
    switch (line) {
      case 0:
        x = x / 2 + plain_(row);
        break;
      case 1:
        v = gp::maximum(v, plain_(row) - plain_(row + 1)) - x;
        break;
      case 2:
        x = gp::where(table_(row, 0) > table_(row, 1), x, table_(row, 1)) + v / 4;
        break;
      case 3:
        v = v / 2 + factors_(row) * plain_(row - 1);
        break;
      case 4:
        v -= gp::minimum(gp::abs(x), 5) + plain_(row)("::-1");
        v = gp::clip(v, -50, 50);
        break;
      case 5:
        x = gp::clip(x * plain_(2 * row) / 4 - v, -50, 50);
        break;
      case 6:
        std::swap(x, v);
        break;
      default: {
        const array both = plain_(row) * factors_(row);
        x = gp::clip(x - both, -50, 50);
        break;
      }
    }
  }

  random_names::numbers random_;
  std::int64_t turns_, columns_, step_;
  bool backwards_;
  int lines_[3];
  array table_, plain_, factors_;
};

template<class T>
void check_recurrence(std::uint64_t seed) {
  recurrence<T> loop(seed);
  const auto result = loop.run(false), expected = loop.run(true);
  REQUIRE(result.size() == expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    INFO("seed " << seed << ", result " << i);
    CHECK(same_bits(result[i], expected[i]));
  }
}

}  // namespace random_rows
