// For the tests of solvers: how many iterations, and how small the residual.
#pragma once
#include <gparray/sparse/linalg/iterative_solvers.hpp>

#include "support/linalg.hpp"

namespace golden_linalg {

namespace ssl = gparray::sparse::linalg;

/// {info, calls of the callback}, as STEPS in linalg/make_linalg_golden.py.
template<class Solver, class A, gp::element V>
gp::ndarray<std::int64_t> steps_of(Solver solver, const A& a, const gp::ndarray<V>& b, auto options) {
  std::int64_t calls = 0;
  options.callback = [&](const auto&) { ++calls; };
  const auto info = solver(a, b, options).info;
  return {info, calls};
}

/// |b - A x| / |b|.
template<gp::element V>
double relative_residual(const gp::ndarray<V>& a, const gp::ndarray<V>& x, const gp::ndarray<V>& b) {
  const double residual = linalg::norm(b - gp::matmul(a, x)).item();
  return residual / static_cast<double>(linalg::norm(b).item());
}

}  // namespace golden_linalg

/// A solver as a function object: SOLVER(cg)(a, b, options).
#define SOLVER(name) \
  [](const auto& a, const auto& b, const auto& options) { return ssl::name(a, b, options); }
