// SciPy's iterative solvers of A x = b for sharded vectors: cg, bicgstab, cgs, gmres and minres, which are
// those of gp::sparse::linalg. Each rank iterates with its parts of the vectors; products with A and sums
// over all elements are those of sharded arrays. On the CPU the iterates so have the same bits for any number
// of ranks.
#pragma once
#include <gparray/distributed/products.hpp>
#include <gparray/distributed/reductions.hpp>
#include <gparray/distributed/sparse.hpp>
#include <gparray/sparse/linalg/iterative_solvers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

using gparray::detail::solver_element;

/// The array of which `part` is this rank's part, cut as `like` is.
GPARRAY_API node_ptr with_part(const node_ptr& like, const any_array& part);
/// Throws value_error, naming what has it, unless the array is a vector that is cut as the other.
GPARRAY_API void check_solver_vector(const char* what, const any_sharded& x, const any_sharded& like);
/// Throws value_error unless a square matrix of this shape and the vector fit.
GPARRAY_API void check_solver_shape(const char* what, const dims& shape, const any_sharded& b);

}  // namespace detail

/// Iterative solvers for sharded vectors: gp::sparse::linalg for many ranks.
namespace sparse::linalg {

/// A linear map of sharded vectors of N elements to vectors of N that are cut alike, of shape (N, N): what a
/// solver or a preconditioner needs of a matrix. Copies share the function.
template<detail::solver_element V>
class LinearOperator {
 public:
  using value_type = V;
  using function = std::function<sharded<V>(const sharded<V>&)>;

  /// matvec maps vectors to vectors; all ranks call it. So a stencil of windows is an operator.
  LinearOperator(const dims& shape, function matvec) : shape_(shape), matvec_(std::move(matvec)) {}
  /// A sparse matrix, whose elements become V.
  template<gparray::sparse::storable W>
  LinearOperator(const csr_matrix<W>& a)
      : LinearOperator(a.shape(), [a = a.template astype<V>()](const sharded<V>& x) { return a.dot(x); }) {}

  /// The numbers of rows and columns.
  [[nodiscard]] const dims& shape() const noexcept { return shape_; }
  /// The dtype of the vectors.
  [[nodiscard]] gparray::dtype dtype() const noexcept { return dtype_of<V>; }
  /// A x. Throws value_error unless the result has the layout of x.
  [[nodiscard]] sharded<V> matvec(const sharded<V>& x) const {
    detail::check_solver_shape("x", shape_, x);
    sharded<V> y = matvec_(x);
    detail::check_solver_vector("what an operator returns", y, x);
    return y;
  }

 private:
  dims shape_;
  function matvec_;
};

/// x, a sharded vector that is cut as b is, and info, as of gp::sparse::linalg.
template<detail::solver_element V>
using iterative_result = gparray::sparse::linalg::iterative_result<V, sharded<V>>;
/// SciPy's keyword arguments of cg, bicgstab and cgs, as of gp::sparse::linalg.
template<detail::solver_element V>
using iterative_options = gparray::sparse::linalg::iterative_options<V, sharded<V>, LinearOperator<V>>;
/// SciPy's keyword arguments of gmres, as of gp::sparse::linalg.
template<detail::solver_element V>
using gmres_options = gparray::sparse::linalg::gmres_options<V, sharded<V>, LinearOperator<V>>;
/// SciPy's keyword arguments of minres, as of gp::sparse::linalg.
template<detail::solver_element V>
using minres_options = gparray::sparse::linalg::minres_options<V, sharded<V>, LinearOperator<V>>;

}  // namespace sparse::linalg

namespace detail {

/// A system whose vectors are shared, as a solver sees it on one rank.
template<solver_element V>
class shared_system {
 public:
  using operator_type = distributed::sparse::linalg::LinearOperator<V>;

  shared_system(const operator_type& a, const sharded<V>& b)
      : like_(b), n_(b.local().shape(0)), matrix_(of_parts(a)) {
    check_solver_shape("b", a.shape(), b);
    vectors_.size = b.size();
    vectors_.vdot = [this](const ndarray<V>& x, const ndarray<V>& y) {
      return scalar_array<V>(gparray::vdot(whole(x), whole(y)), gparray::detail::adopt_t{});
    };
    vectors_.norm = [this](const ndarray<V>& x) { return gparray::linalg::norm(whole(x)); };
  }
  shared_system(const shared_system&) = delete;
  shared_system& operator=(const shared_system&) = delete;

  /// What the solver, one of gparray::detail, makes of it.
  template<class Solver, class Options>
  distributed::sparse::linalg::iterative_result<V> solve(const Solver& solver, const Options& options) const {
    const auto result = solver(matrix_, like_.local(), options, &vectors_);
    return {whole(result.x), result.info};
  }

  /// What all solvers' options have in common.
  template<class Given, class Options>
  void take_over(const Given& given, Options& options) const {
    if (given.x0) {
      check_solver_vector("x0", *given.x0, like_);
      options.x0 = given.x0->local();
    }
    options.rtol = given.rtol;
    options.maxiter = given.maxiter;
    if (given.M) {
      check_solver_shape("preconditioner", given.M->shape(), like_);
      options.M = of_parts(*given.M);
    }
  }
  [[nodiscard]] std::function<void(const ndarray<V>&)> of_rank(
      const std::function<void(const sharded<V>&)>& callback) const {
    if (!callback) return {};
    return [this, callback](const ndarray<V>& x) { callback(whole(x)); };
  }

 private:
  sharded<V> whole(const ndarray<V>& part) const { return sharded<V>(with_part(like_.state(), part)); }
  gparray::sparse::linalg::LinearOperator<V> of_parts(const operator_type& a) const {
    return {dims{n_, n_}, [this, a](const ndarray<V>& x) { return a.matvec(whole(x)).local(); }};
  }

  sharded<V> like_;
  std::int64_t n_;  // elements of this rank
  gparray::sparse::linalg::LinearOperator<V> matrix_;
  gparray::detail::shared_vectors<V> vectors_;
};

/// The dtype of a system: of an operator its own, which that of b must promote to, else the promoted one.
template<class A, class B>
struct shared_solver_type {};
template<solver_element V, sharded_like B>
  requires std::same_as<result_type_t<V, typename B::value_type>, V>
struct shared_solver_type<distributed::sparse::linalg::LinearOperator<V>, B> {
  using type = V;
};
template<class W, sharded_like B>
struct shared_solver_type<distributed::sparse::csr_matrix<W>, B> {
  using type = gparray::detail::factor_t<ndarray<W>, ndarray<typename B::value_type>>;
};
template<class A, class B>
using shared_solver_t = typename shared_solver_type<A, B>::type;

template<solver_element V, sharded_like B>
sharded<V> as_solver_vector(const B& b) {
  if constexpr (std::same_as<typename B::value_type, V>) return b;
  else return b.template astype<V>();
}

template<solver_element V>
auto options_of_rank(const shared_system<V>& system,
                     const distributed::sparse::linalg::iterative_options<V>& given) {
  gparray::sparse::linalg::iterative_options<V> options;
  system.take_over(given, options);
  options.atol = given.atol;
  options.callback = system.of_rank(given.callback);
  return options;
}
template<solver_element V>
auto options_of_rank(const shared_system<V>& system,
                     const distributed::sparse::linalg::gmres_options<V>& given) {
  gparray::sparse::linalg::gmres_options<V> options;
  system.take_over(given, options);
  options.atol = given.atol;
  options.restart = given.restart;
  options.callback = given.callback;
  options.callback_x = system.of_rank(given.callback_x);
  return options;
}
template<solver_element V>
auto options_of_rank(const shared_system<V>& system,
                     const distributed::sparse::linalg::minres_options<V>& given) {
  gparray::sparse::linalg::minres_options<V> options;
  system.take_over(given, options);
  options.shift = given.shift;
  options.callback = system.of_rank(given.callback);
  options.check = given.check;
  return options;
}

template<solver_element V, class Solver, class A, class B, class Options>
auto solve_shared(const Solver& solver, const A& a, const B& b, const Options& options) {
  const shared_system<V> system(distributed::sparse::linalg::LinearOperator<V>(a), as_solver_vector<V>(b));
  return system.solve(solver, options_of_rank<V>(system, options));
}

}  // namespace detail

namespace sparse::linalg {

// A is a square csr_matrix or LinearOperator, b a sharded vector that is cut as A's rows are; x is cut as b.
// The methods, what they take and what they return are those of gp::sparse::linalg. All ranks must call them,
// get the same info, and may end by it. Each sum over all elements is an exchange of a few numbers, of which
// cg has two an iteration, or three with a preconditioner, minres three, bicgstab and cgs six and four, and
// gmres one for each of the vectors that it keeps, twice. Throw value_error, on all ranks, for shapes and
// layouts that do not fit.

/// Conjugate gradients, for Hermitian positive definite A and M.
template<class A, detail::sharded_like B>
[[nodiscard]] iterative_result<detail::shared_solver_t<A, B>> cg(
    const A& a, const B& b, const iterative_options<detail::shared_solver_t<A, B>>& options = {}) {
  return detail::solve_shared<detail::shared_solver_t<A, B>>(
      &gparray::detail::cg<detail::shared_solver_t<A, B>>, a, b, options);
}

/// Stabilised biconjugate gradients, for any A. info is -10 or -11 if it broke down.
template<class A, detail::sharded_like B>
[[nodiscard]] iterative_result<detail::shared_solver_t<A, B>> bicgstab(
    const A& a, const B& b, const iterative_options<detail::shared_solver_t<A, B>>& options = {}) {
  return detail::solve_shared<detail::shared_solver_t<A, B>>(
      &gparray::detail::bicgstab<detail::shared_solver_t<A, B>>, a, b, options);
}

/// Squared conjugate gradients, for any A. info is -10 or -11 if it broke down.
template<class A, detail::sharded_like B>
[[nodiscard]] iterative_result<detail::shared_solver_t<A, B>> cgs(
    const A& a, const B& b, const iterative_options<detail::shared_solver_t<A, B>>& options = {}) {
  return detail::solve_shared<detail::shared_solver_t<A, B>>(
      &gparray::detail::cgs<detail::shared_solver_t<A, B>>, a, b, options);
}

/// Generalised minimal residuals with restarts, for any A.
template<class A, detail::sharded_like B>
[[nodiscard]] iterative_result<detail::shared_solver_t<A, B>> gmres(
    const A& a, const B& b, const gmres_options<detail::shared_solver_t<A, B>>& options = {}) {
  return detail::solve_shared<detail::shared_solver_t<A, B>>(
      &gparray::detail::gmres<detail::shared_solver_t<A, B>>, a, b, options);
}

/// Minimal residuals, for Hermitian A, which may be singular or indefinite, and Hermitian positive definite
/// M.
template<class A, detail::sharded_like B>
[[nodiscard]] iterative_result<detail::shared_solver_t<A, B>> minres(
    const A& a, const B& b, const minres_options<detail::shared_solver_t<A, B>>& options = {}) {
  return detail::solve_shared<detail::shared_solver_t<A, B>>(
      &gparray::detail::minres<detail::shared_solver_t<A, B>>, a, b, options);
}

}  // namespace sparse::linalg
}  // namespace distributed
GPARRAY_END_NAMESPACE
