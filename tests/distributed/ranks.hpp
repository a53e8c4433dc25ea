// What tests of ranks have in common.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/distributed.hpp>
#include <gparray/gparray.hpp>

#include "support/error_text.hpp"
#include "support/same_bits.hpp"

namespace ranks {

namespace gp = gparray;
namespace gd = gparray::distributed;

using ::same_bits;

/// How an array differs from what it should be, which is nothing if the two have the same bits.
template<class V>
std::string difference(const gp::ndarray<V>& actual, const gp::ndarray<V>& expected) {
  if (same_bits(actual, expected)) return "";
  if (actual.shape() != expected.shape()) return "the shape";
  const auto a = gp::tobytes(actual), e = gp::tobytes(expected);
  std::size_t first = 0, count = 0;
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != e[i]) first = i, ++count;
  const auto at = static_cast<std::int64_t>(first / sizeof(V));
  return std::to_string(count) + " bytes, the first in element " + std::to_string(at) + ": " +
         gp::array_str(actual.ravel()(gp::slice(at, at + 1))) + ", not " +
         gp::array_str(expected.ravel()(gp::slice(at, at + 1)));
}

/// Whether two sums, products or roots of them are as promised: the same bits on the CPU. On a GPU blocks
/// are added in another order; each of n additions may then round by half a unit of what is added up at most.
template<class X, class Y>
bool same_sum(const X& x, const Y& y, double n, double magnitude) {
  if (x.device().is_cpu()) return same_bits(x, y);
  using V = typename X::value_type;
  const double unit = sizeof(gp::dtype_t<gp::real_dtype(gp::dtype_of<V>)>) == 4 ? 1.2e-7 : 2.3e-16;
  return x.dtype() == y.dtype() && static_cast<double>(std::abs(x.item() - y.item())) <= n * unit * magnitude;
}

/// What doctest checks in the main thread alone: ranks note here what is wrong.
class notes {
 public:
  void check(bool right, const std::string& what) {
    if (right) return;
    const std::lock_guard held(lock_);
    wrong_ += what + "; ";
  }
  template<class V>
  void check_same(const gp::ndarray<V>& actual, const gp::ndarray<V>& expected, const std::string& what) {
    const std::string text = difference(actual, expected);
    check(text.empty(), what + ": " + text);
  }
  std::string text() const { return wrong_; }

 private:
  std::mutex lock_;
  std::string wrong_;
};

/// Whether mpirun or a script has started this process as a rank: what runs the tests so sets the variable.
inline bool is_a_rank() { return std::getenv("GPARRAY_TEST_RANKS") != nullptr; }

/// The text of the first rank, on all: of a folder that each process would name differently.
inline std::string of_first_rank(const std::string& text, const gd::communicator& world) {
  struct letter {
    char text[1024];
  } mine{};
  text.copy(mine.text, sizeof mine.text - 1);
  return gd::all_gather_values(mine, world)[0].text;
}

/// Runs f(world, notes) with each of these numbers of ranks, which are threads; CHECKs that there is nothing
/// to note. A process that is a rank runs it with the others as the largest of the numbers that they can be.
template<class F>
void with_ranks(const std::vector<int>& numbers, const F& f) {
  if (is_a_rank()) {
    const gd::communicator all = gd::init({.check = true});
    int n = 0;
    for (const int each : numbers)
      if (each <= all.size()) n = std::max(n, each);
    const gd::communicator world = n == all.size() ? all : all.split(all.rank() < n);
    if (all.rank() >= n) return;
    notes wrong;
    f(world, wrong);
    CAPTURE(n);
    CHECK(wrong.text() == "");
    return;
  }
  for (const int n : numbers) {
    notes wrong;
    gd::spawn(n, [&](const gd::communicator& world) { f(world, wrong); },
              {.timeout = std::chrono::seconds(60)});
    CAPTURE(n);
    CHECK(wrong.text() == "");
  }
}

/// An array of the main thread on the device of this rank.
template<class V>
gp::ndarray<V> here(const gp::ndarray<V>& a) {
  return gp::to_device(a, gp::default_device());
}

/// Numbers that round when they are added.
inline gp::ndarray<double> some_numbers(const gp::dims& shape) {
  return gp::random::Generator(7).standard_normal<double>(shape) * 3. + 0.1;
}

/// Layouts of two-dimensional arrays.
inline std::vector<std::pair<std::string, gd::layout>> layouts(const gd::communicator& world) {
  std::vector<std::pair<std::string, gd::layout>> all{
      {"rows", gd::layout::rows(world)},
      {"columns", gd::layout::blocks(world, {-1, 0})},
      {"replicated", gd::layout::replicated(world)},
  };
  if (world.size() % 2 == 0) {
    const gd::mesh grid(world, {2, world.size() / 2});
    all.emplace_back("grid", gd::layout::blocks(grid, {0, 1}));
    all.emplace_back("half replicated", gd::layout::blocks(grid, {1}));
  }
  return all;
}

/// Of all of a sharded array.
template<class A>
bool same(const A& a, const gp::any_array& b) {
  return same_bits(a.gather(), b);
}

}  // namespace ranks
