// SciPy's scipy.sparse.linalg.LinearOperator: a matrix that is known by what it does to vectors.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include <gparray/linalg/types.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/products.hpp>
#include <gparray/sparse/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// What an operator is applied as: A or its adjoint, to one vector or to the columns of a matrix.
struct operator_use {
  bool adjoint = false, matrix = false;
};

/// Throws value_error unless the shape is a pair of sizes.
GPARRAY_API void check_operator_shape(const dims& shape);
/// Throws value_error unless x has the length that the operator takes.
GPARRAY_API void check_operand(const dims& operator_shape, operator_use use, const any_array& x);
/// Throws value_error, naming the function, unless y has the shape that A x has.
GPARRAY_API void check_image(const dims& operator_shape, operator_use use, const any_array& x,
                             const any_array& y);
[[noreturn]] GPARRAY_API void throw_no_adjoint();
[[noreturn]] GPARRAY_API void throw_operators_differ(const char* operation, const dims& a, const dims& b);

/// The dtypes of iterations and factorisations: float32, float64, complex64, complex128.
template<class V>
concept solver_element = element<V> && is_inexact(dtype_of<V>) && itemsize(real_dtype(dtype_of<V>)) > 2;

}  // namespace detail

namespace sparse::linalg {

/// SciPy's keyword arguments of LinearOperator.
template<detail::solver_element V>
struct operator_functions {
  using function = std::function<ndarray<V>(const ndarray<V>&)>;
  /// A^H x, (M,) to (N,).
  function rmatvec = {};
  /// A X, (N, K) to (M, K); column by column if not given.
  function matmat = {};
  /// A^H X, (M, K) to (N, K); column by column if not given.
  function rmatmat = {};
};

/// A linear map of vectors of N elements to vectors of M, of shape (M, N). Copies share the functions, which
/// get arrays on the device of the caller's arrays and need only enqueue their work.
template<detail::solver_element V>
class LinearOperator {
 public:
  using value_type = V;
  using function = std::function<ndarray<V>(const ndarray<V>&)>;

  /// matvec maps (N,) to (M,). Throws value_error unless the shape is a pair of sizes.
  LinearOperator(const dims& shape, function matvec, const operator_functions<V>& others = {})
      : LinearOperator(shape, called(std::move(matvec), others), std::nullopt) {}
  /// A dense matrix, whose elements are shared. Throws value_error unless it is 2-D.
  LinearOperator(const ndarray<V>& a) : LinearOperator(a.shape(), dense(a), a.device()) {}

  /// A sparse matrix of any format and element type, which becomes V.
  template<sparse_like A>
  LinearOperator(const A& a) : LinearOperator(a.shape(), of_sparse(a), a.device()) {}

  /// The numbers of rows and columns.
  const dims& shape() const { return state_->shape; }
  /// The dtype of the vectors.
  [[nodiscard]] gparray::dtype dtype() const { return dtype_of<V>; }
  /// Where the matrix is; the default device for an operator of functions.
  [[nodiscard]] gparray::device device() const { return state_->device_.value_or(default_device()); }

  /// A x, for x (N,) or (N, 1). Throws value_error for other shapes.
  [[nodiscard]] ndarray<V> matvec(const ndarray<V>& x) const {
    return checked({.adjoint = false, .matrix = false}, x);
  }
  /// A^H x, for x (M,) or (M, 1). Throws value_error for other shapes, type_error without an adjoint.
  [[nodiscard]] ndarray<V> rmatvec(const ndarray<V>& x) const {
    return checked({.adjoint = true, .matrix = false}, x);
  }
  /// A X, for X (N, K). Throws value_error for other shapes.
  [[nodiscard]] ndarray<V> matmat(const ndarray<V>& x) const {
    return checked({.adjoint = false, .matrix = true}, x);
  }
  /// A^H X, for X (M, K). Throws value_error for other shapes, type_error without an adjoint.
  [[nodiscard]] ndarray<V> rmatmat(const ndarray<V>& x) const {
    return checked({.adjoint = true, .matrix = true}, x);
  }
  /// matvec of 1-D arrays, matmat of others.
  [[nodiscard]] ndarray<V> dot(const ndarray<V>& x) const { return x.ndim() == 1 ? matvec(x) : matmat(x); }

  /// A^H.
  [[nodiscard]] LinearOperator adjoint() const {
    return {flipped(),
            [a = *this](use u, const ndarray<V>& x) {
              return a.call({.adjoint = !u.adjoint, .matrix = u.matrix}, x);
            },
            state_->device_};
  }
  /// A^H.
  [[nodiscard]] LinearOperator H() const { return adjoint(); }
  /// A^T x = conj(A^H conj(x)).
  [[nodiscard]] LinearOperator transpose() const {
    return {flipped(),
            [a = *this](use u, const ndarray<V>& x) -> ndarray<V> {
              return conjugate(a.call({.adjoint = !u.adjoint, .matrix = u.matrix}, conjugate(x)));
            },
            state_->device_};
  }
  /// A^T.
  [[nodiscard]] LinearOperator T() const { return transpose(); }

  /// Sums, products and multiples, of which only the results on vectors are ever computed. Throw value_error
  /// for shapes that do not fit.
  friend LinearOperator operator+(const LinearOperator& a, const LinearOperator& b) {
    if (a.shape() != b.shape()) detail::throw_operators_differ("+", a.shape(), b.shape());
    return {a.shape(),
            [a, b](use u, const ndarray<V>& x) -> ndarray<V> { return a.call(u, x) + b.call(u, x); },
            device_of(a, b)};
  }
  friend LinearOperator operator*(const LinearOperator& a, const LinearOperator& b) {
    if (a.shape()[1] != b.shape()[0]) detail::throw_operators_differ("*", a.shape(), b.shape());
    return {{a.shape()[0], b.shape()[1]},
            [a, b](use u, const ndarray<V>& x) {
              return u.adjoint ? b.call(u, a.call(u, x)) : a.call(u, b.call(u, x));
            },
            device_of(a, b)};
  }
  friend LinearOperator operator*(V factor, const LinearOperator& a) {
    return {a.shape(),
            [factor, a](use u, const ndarray<V>& x) -> ndarray<V> {
              return (u.adjoint ? conjugate_of(factor) : factor) * a.call(u, x);
            },
            a.state_->device_};
  }

 private:
  using use = detail::operator_use;
  using action = std::function<ndarray<V>(use, const ndarray<V>&)>;
  struct state {
    dims shape;
    action apply;
    std::optional<gparray::device> device_;
  };

  LinearOperator(const dims& shape, action apply, std::optional<gparray::device> on_device)
      : state_(std::make_shared<const state>(state{shape, std::move(apply), on_device})) {
    detail::check_operator_shape(shape);
  }

  [[nodiscard]] dims flipped() const { return {shape()[1], shape()[0]}; }
  ndarray<V> call(use u, const ndarray<V>& x) const {
    const ndarray<V> y = state_->apply(u, x);
    detail::check_image(shape(), u, x, y);
    return y;
  }
  [[nodiscard]] ndarray<V> checked(use u, const ndarray<V>& x) const {
    detail::check_operand(shape(), u, x);
    if (u.matrix || x.ndim() == 1) return call(u, x);
    return call(u, x.ravel()).reshape({-1, 1});
  }

  static std::optional<gparray::device> device_of(const LinearOperator& a, const LinearOperator& b) {
    return a.state_->device_ ? a.state_->device_ : b.state_->device_;
  }

  static V conjugate_of(V number) {
    if constexpr (is_complex(dtype_of<V>)) return std::conj(number);
    else return number;
  }

  static action dense(const ndarray<V>& a) {
    return [a](use u, const ndarray<V>& x) -> ndarray<V> {
      if (!u.adjoint) return matmul(a, x);
      if (u.matrix) return matmul(conjugate(a).T(), x);
      return conjugate(vecmat(x, a));  // x^H A, of which nothing as large as A is made
    };
  }

  template<sparse_like A>
  static action of_sparse(const A& a);

  static action called(function matvec, const operator_functions<V>& others) {
    return [matvec = std::move(matvec), others](use u, const ndarray<V>& x) -> ndarray<V> {
      const function& one = u.adjoint ? others.rmatvec : matvec;
      const function& many = u.adjoint ? others.rmatmat : others.matmat;
      if (u.matrix && many) return many(x);
      if (!one) detail::throw_no_adjoint();
      if (!u.matrix) return one(x);
      std::vector<ndarray<V>> columns;
      for (std::int64_t j = 0; j < x.shape(1); ++j) columns.push_back(one(x(gparray::all, j)));
      return stack(columns, 1);
    };
  }

  std::shared_ptr<const state> state_;
};

}  // namespace sparse::linalg

namespace detail {

/// A as rows, or as diagonals, which both have fast products.
template<sparse_like A>
auto multipliable(const A& a) {
  if constexpr (A::format_of == sparse::format::dia) return a;
  else return a.tocsr();
}

/// What an operator of a sparse matrix keeps: A^H as rows too, from its first use on.
template<sparse_like A>
class sparse_action {
 public:
  using V = typename A::value_type;
  explicit sparse_action(const A& a) : matrix_(a) {}
  ndarray<V> operator()(operator_use use, const ndarray<V>& x) {
    if (!use.adjoint) return matmul(matrix_, x);
    std::call_once(made_, [this] { adjoint_ = multipliable(matrix_.H()); });
    return matmul(adjoint_, x);
  }

 private:
  A matrix_;
  decltype(multipliable(std::declval<const A&>().H())) adjoint_;
  std::once_flag made_;
};

}  // namespace detail

namespace sparse::linalg {

/// The operator of a 2-D array, whose integers and bools become float64; operators are returned as they are.
template<detail::factorable A>
[[nodiscard]] auto aslinearoperator(const A& a) {
  using V = detail::factor_t<A>;
  if constexpr (std::same_as<V, detail::element_t<A>>) return LinearOperator<V>(ndarray<V>(a));
  else return LinearOperator<V>(ndarray<V>(a.template astype<V>()));
}
template<detail::solver_element V>
template<sparse_like A>
auto LinearOperator<V>::of_sparse(const A& a) -> action {
  const auto rows = detail::multipliable(a.template astype<V>(false));
  const auto made = std::make_shared<detail::sparse_action<std::remove_const_t<decltype(rows)>>>(rows);
  return [made](use u, const ndarray<V>& x) { return (*made)(u, x); };
}

/// The operator of a sparse matrix, which keeps it as csr or dia.
template<sparse_like A>
[[nodiscard]] auto aslinearoperator(const A& a) {
  return LinearOperator<dtype_t<detail::factor_dtype(dtype_of<typename A::value_type>)>>(a);
}
/// The operator itself.
template<detail::solver_element V>
[[nodiscard]] LinearOperator<V> aslinearoperator(const LinearOperator<V>& a) {
  return a;
}

}  // namespace sparse::linalg

GPARRAY_END_NAMESPACE
