// Every public function beside its peer's: how a case is timed, and how its result is compared. A case is a
// row of a table of this folder, with the call in C++ and the same in Python (table.cpp.in); ../peer_sweep.py
// reads the tables too.
#pragma once
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gparray/gparray.hpp>
#include <gparray/sparse.hpp>

#include "../bench.hpp"

namespace bench {

namespace gp = gparray;

/// What is compared of two results: numbers that differ if the results do, but for rounding.
class digest {
 public:
  template<class V>
  void add(const gp::ndarray<V>& a) {
    std::int64_t k = 0;
    for (const V value : gp::asnumpy(a).to_vector()) {
      // Neighbours weigh differently, so that their order counts.
      const auto weight = static_cast<double>(1 + k++ % 7);
      if constexpr (gp::is_complex(gp::dtype_of<V>)) {
        note(static_cast<double>(value.real()), weight);
        note(static_cast<double>(value.imag()), 2 * weight);
      } else {
        note(static_cast<double>(value), weight);
      }
    }
    size_ += k;
    if (gp::dtype_of<V> == gp::dtype::float32 || gp::dtype_of<V> == gp::dtype::complex64) single_ = true;
  }
  template<class V>
    requires(std::is_arithmetic_v<V>)
  void add(V value) {
    note(static_cast<double>(value), 1);
    ++size_;
  }
  template<class V, gp::sparse::format F>
  void add(const gp::sparse::matrix<V, F>& a) {
    for (const V value : gp::asnumpy(a.data()).to_vector())
      if (value != V(0)) note(static_cast<double>(value), 1);
    size_ += a.shape()[0] * a.shape()[1];
  }
  template<class... Results>
  void add(const std::tuple<Results...>& results) {
    std::apply([&](const auto&... each) { (add(each), ...); }, results);
  }
  template<class First, class Second>
  void add(const std::pair<First, Second>& results) {
    add(results.first), add(results.second);
  }
  template<class Each>
  void add(const std::vector<Each>& results) {
    for (const auto& each : results) add(each);
  }

  /// `compared`: "" the numbers with their signs, "_ABSOLUTE" without them, "_SIZE" only how many there are.
  std::string text(std::string_view compared) const;

 private:
  void note(double value, double weight);

  std::int64_t size_ = 0, finite_ = 0;
  double sum_ = 0, magnitude_ = 0;
  bool single_ = false;
};

/// Has a result computed, whatever it is made of.
template<class Result>
void finish(const Result& result) {
  if constexpr (requires { result.eval(); }) (void)result.eval();
}
template<class... Results>
void finish(const std::tuple<Results...>& results) {
  std::apply([](const auto&... each) { (finish(each), ...); }, results);
}
template<class First, class Second>
void finish(const std::pair<First, Second>& results) {
  finish(results.first), finish(results.second);
}
template<class Each>
void finish(const std::vector<Each>& results) {
  for (const auto& each : results) finish(each);
}

/// The members of a result that is a structure of N.
template<int N, class Result>
auto parts(Result&& result) {
  if constexpr (N == 2) {
    auto& [a, b] = result;
    return std::tuple(a, b);
  } else if constexpr (N == 3) {
    auto& [a, b, c] = result;
    return std::tuple(a, b, c);
  } else {
    auto& [a, b, c, d] = result;
    return std::tuple(a, b, c, d);
  }
}

class sweep {
 public:
  /// `seconds`: about as long a case is repeated.
  sweep(gp::device device, std::string only, double seconds)
      : device_(device), only_(std::move(only)), seconds_(seconds) {}

  bool wanted(std::string_view name) const { return asks_for(only_, name); }

  /// Times a call, and says what it returns.
  template<class Call>
  void add(const std::string& name, std::string_view compared, const Call& call) const {
    if (!wanted(name)) return;
    report(
        name, [&] { finish(call()); },
        [&] {
          digest of_result;
          of_result.add(call());
          return of_result.text(compared);
        });
  }

 private:
  void report(const std::string& name, const std::function<void()>& call,
              const std::function<std::string()>& result) const;

  gp::device device_;
  std::string only_;
  double seconds_;
};

/// The tables on arrays of n elements; names of cases end with `size`.
using table = void(const sweep& s, std::int64_t n, const std::string& size);
table ufuncs, reductions, creation, moving, math, orders, matrices, signals, random, sparse, files;

}  // namespace bench
