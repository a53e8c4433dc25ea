// Random programs of named steps, views, writes, loops and reductions: pending as long as they may be, and
// computed at each line. Both must leave the same bits in every name. GPARRAY_TEST_SEED and
// GPARRAY_TEST_SEEDS choose others.
#pragma once
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/same_bits.hpp"
#include "support/sampler.hpp"

namespace random_names {

namespace gp = gparray;

/// Draws the same numbers for both runs.
class numbers {
 public:
  explicit numbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  int below(int n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
  }

 private:
  std::uint64_t state_;
};

/// What a program leaves: all names, in order, as bytes.
using bits = std::vector<std::vector<double>>;

class program {
 public:
  program(std::uint64_t seed, bool at_once) : random_(seed), at_once_(at_once) {
    // Reductions of 4096 elements and more stay pending.
    const int scale = random_.below(5) == 0 ? 5 : 1;
    const std::int64_t rows = 1 + random_.below(40 * scale), columns = 1 + random_.below(70 * scale);
    for (int i = 0; i < 3; ++i) {
      gp::ndarray<double> a = gp::linspace(0.1 + i, 3. - i, rows * columns).reshape({rows, columns}).copy();
      doubles_.push_back(random_.below(4) == 0 ? gp::ndarray<double>(a.copy(gp::order::F)) : a);
      floats_.push_back(a.astype<float>() * 0.5f);
    }
    rows_.push_back(doubles_[0](gp::all, gp::slice(0, 1)).copy());
    columns_.push_back(doubles_[1](0).copy());
    lines_ = 5 + random_.below(scale == 1 ? 40 : 20);
  }

  bits run() {
    for (int i = 0; i < lines_; ++i) line();
    bits result;
    for (const auto& a : doubles_) result.push_back(values(a));
    for (const auto& a : floats_) result.push_back(values(a.astype<double>()));
    for (const auto& a : rows_) result.push_back(values(a));
    for (const auto& a : columns_) result.push_back(values(a));
    result.push_back(seen_);
    return result;
  }

 private:
  static std::vector<double> values(const gp::ndarray<double>& a) {
    std::vector<double> all(a.begin(), a.end());
    // Which of two NaNs a sum keeps is nobody's promise, and those that a GPU makes of float32 have other
    // bits than those of float64.
    if (!a.device().is_cpu())
      for (double& x : all)
        if (x != x) x = std::numeric_limits<double>::quiet_NaN();
    return all;
  }

  gp::ndarray<double>& any() {
    return doubles_[static_cast<std::size_t>(random_.below(static_cast<int>(doubles_.size())))];
  }
  gp::ndarray<float>& any_float() {
    return floats_[static_cast<std::size_t>(random_.below(static_cast<int>(floats_.size())))];
  }

  gp::ndarray<double>& any_of_rows() {
    return rows_[static_cast<std::size_t>(random_.below(static_cast<int>(rows_.size())))];
  }

  gp::ndarray<double> rolled(const gp::ndarray<double>& a) {
    const std::int64_t by = random_.below(5) - 2;
    const gp::ndarray<double> result = random_.below(3) ? gp::roll(a, by, random_.below(2))
                                                        : gp::roll(a, gp::dims{by, 1 - by}, gp::dims{0, 1});
    if (at_once_) result.eval();
    return result;
  }

  /// A view of the same shape, of what may be pending: flipped, or one row or column for all.
  template<class V>
  gp::ndarray<V> viewed(const gp::ndarray<V>& a) {
    if (at_once_) a.eval();
    switch (random_.below(5)) {
      case 0:
        return a("::-1");
      case 1:
        return a(":, ::-1");
      case 2:
        return a("0:1");
      case 3:
        return a(":, -1:");
      default:
        return a(-1);
    }
  }

  gp::ndarray<double>& any_of_columns() {
    return columns_[static_cast<std::size_t>(random_.below(static_cast<int>(columns_.size())))];
  }

  /// So many numbers that follow from where they stand.
  gp::ndarray<double> range(std::int64_t n) {
    gp::ndarray<double> made;
    switch (random_.below(6)) {
      case 0:
        made = gp::arange<double>(n);
        break;
      case 1:
        made = gp::arange<double>(-0.5, -0.5 + 0.25 * static_cast<double>(n), 0.25);
        break;
      case 2:
        made = gp::arange<std::int64_t>(5, 5 - 3 * n, -3).astype<double>();
        break;
      case 3:
        made = gp::arange<float>(n).astype<double>();
        break;
      case 4:
        made = gp::arange<double>(2 * n)("::2");
        break;
      default:
        made = gp::arange<double>(n)("::-1") * 0.125;
    }
    if (at_once_) made.eval();
    return made;
  }
  /// Rows of what may be pending, by numbers that may be.
  gp::ndarray<double> picked(const gp::ndarray<double>& a) {
    gp::ndarray<std::int64_t> rows = gp::arange<std::int64_t>(a.shape(0));
    if (random_.below(2)) rows = (rows * 3 + 1) % a.shape(0);
    if (at_once_) rows.eval();
    return a(rows);
  }

  /// One element for each row.
  gp::ndarray<double> row_step() {
    const gp::ndarray<double>& a = any();
    const gp::ndarray<double>& r = any_of_rows();
    switch (random_.below(10)) {
      case 8:
        return range(a.shape(0))(":, None") * 0.01 + r;
      case 0:
        return gp::max(a, {1}, {.keepdims = true});
      case 1:
        return gp::sum(a - r, {1}, {.keepdims = true});
      case 2:
        return gp::mean(a * a, {1}, {.keepdims = true}) + r * 0.5;
      case 3:
        return gp::var(a, {1}, {.keepdims = true});
      case 4:
        return gp::argmax(a - any(), {1}, {.keepdims = true}).astype<double>();
      case 5:
        return gp::sum(any_float(), {1}, {.keepdims = true}).astype<double>();
      case 6:
        return gp::sqrt(gp::abs(r)) + 0.125;
      case 7:
        return gp::min(gp::exp(-gp::abs(a - r)), {1}, {.keepdims = true});
      default:
        return r * 0.25 + any_of_rows();
    }
  }

  /// One element for each column, which is broadcast over the rows.
  gp::ndarray<double> column_step() {
    const gp::ndarray<double>& c = any_of_columns();
    switch (random_.below(6)) {
      case 3:
        return range(c.size());
      case 4:
        return gp::sin(range(c.size()) * 0.1) - c;
      case 0:
        return any()(-1) * 0.5 + c;
      case 1:
        return gp::abs(c - 0.25);
      case 2:
        return gp::exp(-c * c);
      default:
        return gp::mean(any(), 0) * c;
    }
  }

  gp::ndarray<double> step() {
    const gp::ndarray<double>&a = any(), &b = any();
    switch (random_.below(32)) {
      case 29:
        return a + range(a.shape(1)) * range(a.shape(0))(":, None") * 0.001;
      case 30:
        return picked(a * 0.5) - b;
      case 31:
        return gp::where(range(a.shape(1)) > 2, a, gp::sum(a - range(a.shape(1)), {1}, {.keepdims = true}));
      case 28:
        return a.astype<double>();  // a copy
      case 24:
        return a - viewed(b * 0.5 + a);
      case 25:
        return viewed(a) * viewed(a) + b + viewed(b - any_of_rows());
      case 26:
        return gp::where(viewed(any_float()).astype<double>() > 0.5, viewed(b), a);
      case 27:
        return gp::sum(a + viewed(b * 0.25), {1}, {.keepdims = true}) * a - viewed(a - any_of_columns());
      case 20:
        return rolled(a) + rolled(b) * 0.5;
      case 21:
        return rolled(a) + rolled(a) - b + rolled(a) + rolled(a);
      case 22:
        return gp::where(rolled(a) > b, any_of_rows(), rolled(b));
      case 23:
        return gp::abs(rolled(a + b) - any_of_columns()) - gp::sum(rolled(b), {1}, {.keepdims = true});
      case 16:
        return a * any_of_columns();
      case 17:
        return (any_of_columns() * 2. - 1.) * any_of_rows() + a;
      case 18:
        return a - (any_of_rows() * 0.5 + 0.25);
      case 19:
        return gp::abs(b - any_of_columns()) * (any_of_columns() + any_of_rows());
      case 12:
        return a - any_of_rows();
      case 13:
        return gp::exp(-gp::abs(a - any_of_rows())) / (gp::abs(any_of_rows()) + 1.);
      case 14:
        return b - gp::mean(a, {1}, {.keepdims = true});
      case 15:
        return a / (1. + gp::sqrt(gp::sum(b * b, {1}, {.keepdims = true})));
      case 0:
        return a + b;
      case 1:
        return a * b - a;
      case 2:
        return gp::where(a > b, a, b * 0.5);
      case 3:
        return gp::sqrt(gp::abs(a)) + 0.25;
      case 4:
        return any_float().astype<double>() - b;
      case 5:
        return a * 0.5 + any_float();
      case 6:
        return gp::maximum(a, b) / (gp::abs(b) + 1.);
      case 7:
        return a + gp::sum(b, 0) * 0.01;
      case 8:
        return gp::abs(a) + a(gp::all, gp::slice(0, 1));
      case 9:
        return a;
      case 10:
        return a * gp::exp(-gp::abs(b));
      default:
        return gp::tanh(a) * 1.5;
    }
  }

  void line() {
    const int kind = random_.below(26);
    if (kind >= 24) {
      gp::ndarray<double> made = column_step();
      if (at_once_) made.eval();
      if (columns_.size() < 3 && random_.below(3) > 0) columns_.push_back(made);
      else any_of_columns() = made;
    } else if (kind >= 20) {
      gp::ndarray<double> made = row_step();
      if (at_once_) made.eval();
      if (rows_.size() < 4 && random_.below(3) > 0) rows_.push_back(made);
      else any_of_rows() = made;
    } else if (kind < 12) {
      gp::ndarray<double> made = step();
      if (at_once_) made.eval();
      if (doubles_.size() < 8 && random_.below(3) > 0) doubles_.push_back(made);
      else any() = made;
    } else if (kind < 14) {
      const gp::ndarray<float> made = gp::ndarray<float>(any_float() * 0.75f) + any().astype<float>();
      if (at_once_) made.eval();
      any_float() = made;
    } else if (kind < 15) {
      if (random_.below(2)) {
        any()(gp::slice(0, gp::none, 2)) = any_row();
      } else {
        gp::ndarray<double>& a = any();
        a(gp::ellipsis) = rolled(random_.below(2) ? a : any()) * 0.5 + a;
      }
    } else if (kind < 16) {
      gp::ndarray<double>& a = any();
      if (random_.below(4) == 0) {  // through a view, also of what is pending
        a("1:, :") *= 0.5;
        a(0)(gp::slice(0, gp::none, 2)) = 0.25;
      }
      const gp::ndarray<double> other = a * 0.125;
      if (at_once_) other.eval();
      if (random_.below(2)) a += other;
      else a -= other * 0.5 + 1.;
    } else if (kind < 17) {
      if (doubles_.size() > 2)
        doubles_.erase(doubles_.begin() + random_.below(static_cast<int>(doubles_.size())));
    } else if (kind < 18) {
      seen_.push_back(gp::max(any()).item());
    } else if (kind < 19) {
      seen_.push_back(any()(0, 0).item());
    } else if (random_.below(2)) {
      leapfrog(2 + random_.below(random_.below(3) ? 14 : 70));
    } else {
      const bool is_same = random_.below(2) == 0;
      gp::ndarray<double>& first = any();
      for (int turn = random_.below(3) ? 4 : 60; turn > 0; --turn) {
        gp::ndarray<double>& u = is_same ? first : any();
        const gp::ndarray<double> t = u * 0.9 + 0.1;
        if (at_once_) t.eval();
        u = t * t - u;
        if (at_once_) u.eval();
      }
    }
  }

  /// A loop that writes two names in place, and leaves a third one behind.
  void leapfrog(int turns) {
    if (doubles_.size() < 3) return;
    gp::ndarray<double>&x = doubles_[0], &v = doubles_[1], &left = doubles_[2];
    const bool is_aliased = random_.below(3) == 0;
    if (is_aliased) left = x;
    for (int turn = 0; turn < turns; ++turn) {
      v -= 0.125 * (x + gp::abs(x));
      if (at_once_) v.eval();
      const gp::ndarray<double> step = v * 0.5;
      if (at_once_) step.eval();
      x += step;
      if (at_once_) x.eval();
      v *= 0.75f;
      if (at_once_) v.eval();
      if (!is_aliased && turn == turns - 1) left = step;
    }
  }

  gp::ndarray<double> any_row() {
    gp::ndarray<double> row = any()(gp::slice(0, 1)) * 0.5;
    if (at_once_) row.eval();
    return row;
  }

  numbers random_;
  bool at_once_;
  int lines_;
  std::vector<gp::ndarray<double>> doubles_;
  std::vector<gp::ndarray<float>> floats_;
  std::vector<gp::ndarray<double>> rows_, columns_;
  std::vector<double> seen_;
};

inline std::int64_t number_of(const char* name, std::int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

/// Runs the program of a seed both ways.
inline void check_program(std::uint64_t seed) {
  const bits pending = program(seed, false).run();
  const bits single = program(seed, true).run();
  REQUIRE(pending.size() == single.size());
  for (std::size_t i = 0; i < pending.size(); ++i) {
    INFO("seed " << seed << ", name " << i);
    CHECK(same_bits_or_nan(pending[i], single[i]));
  }
}

/// Calls check(seed) for so many seeds, unless the environment says otherwise.
template<class Check>
void for_each_seed(std::int64_t seeds, Check check) {
  const std::int64_t first = number_of("GPARRAY_TEST_SEED", 1),
                     count = number_of("GPARRAY_TEST_SEEDS", seeds / wanted_sample());
  for (std::int64_t seed = first; seed < first + count; ++seed) check(static_cast<std::uint64_t>(seed));
}
inline void check_programs(std::int64_t seeds) { for_each_seed(seeds, check_program); }

}  // namespace random_names
