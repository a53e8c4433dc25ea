// Linear operators of functions and arrays, and what is made of them.
#include "support/error_text.hpp"
#include "support/solvers.hpp"

using namespace golden_linalg;

namespace {

using c128 = std::complex<double>;
using vector = gp::ndarray<double>;
using complex_vector = gp::ndarray<c128>;

/// Differences of neighbours, (9,) to (8,), and their adjoint.
vector difference(const vector& x) { return x("1:") - x(":-1"); }
vector difference_adjoint(const vector& y) {
  const vector zero = gp::zeros({1});
  return gp::concatenate({zero, y}) - gp::concatenate({y, zero});
}

template<gp::element V>
bool same(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  return a.shape() == b.shape() && a.to_vector() == b.to_vector();
}

}  // namespace

TEST_CASE("an operator of functions") {
  const ssl::LinearOperator<double> d({8, 9}, difference, {.rmatvec = difference_adjoint});
  CHECK(d.shape() == gp::dims{8, 9});
  CHECK(d.dtype() == gp::dtype::float64);
  const vector x = F({9}), y = F({8}), columns = F({9, 3});
  CHECK(same(d.matvec(x), difference(x)));
  CHECK(same(d.matvec(x.reshape({9, 1})), difference(x).reshape({8, 1})));
  CHECK(same(d.rmatvec(y), difference_adjoint(y)));
  // Column by column, as matmat was not given.
  CHECK(same(d.matmat(columns), vector(columns("1:") - columns(":-1"))));
  CHECK(same(d.dot(x), d.matvec(x)));
  CHECK(same(d.dot(columns), d.matmat(columns)));
  // <A x, y> = <x, A^H y>, exactly: all are small integers.
  CHECK(gp::vdot(d.matvec(x), y).item() == gp::vdot(x, d.rmatvec(y)).item());
  CHECK(same(d.H().matvec(y), d.rmatvec(y)));
  CHECK(same(d.T().rmatvec(x), d.matvec(x)));
}

TEST_CASE("an operator of an array, real and complex") {
  const auto a = F<c128>({3, 4});
  const auto op = ssl::aslinearoperator(a);
  const complex_vector x = F<c128>({4}), y = F<c128>({3}), columns = F<c128>({4, 2}),
                       images = F<c128>({3, 2});
  const complex_vector ah = gp::conjugate(a).T();
  CHECK(same(op.matvec(x), complex_vector(gp::matmul(a, x))));
  CHECK(same(op.rmatvec(y), complex_vector(gp::matmul(ah, y))));
  CHECK(same(op.matmat(columns), complex_vector(gp::matmul(a, columns))));
  CHECK(same(op.rmatmat(images), complex_vector(gp::matmul(ah, images))));
  CHECK(same(op.T().matvec(y), complex_vector(gp::matmul(a.T(), y))));
  CHECK(same(op.adjoint().matmat(images), complex_vector(gp::matmul(ah, images))));
  static_assert(std::same_as<decltype(ssl::aslinearoperator(F<int>({2, 2}))), ssl::LinearOperator<double>>);
}

TEST_CASE("operators of sparse matrices, in every format") {
  const auto dense = F<c128>({5, 4});
  const complex_vector x = F<c128>({4}), y = F<c128>({5}), columns = F<c128>({4, 2}),
                       images = F<c128>({5, 2});
  const ssl::LinearOperator<c128> reference(dense);
  const auto check_same = [&](const ssl::LinearOperator<c128>& a) {
    // Small integers, so that the order of sums does not matter.
    CHECK(a.shape() == gp::dims{5, 4});
    CHECK(same(a.matvec(x), reference.matvec(x)));
    CHECK(same(a.rmatvec(y), reference.rmatvec(y)));
    CHECK(same(a.matmat(columns), reference.matmat(columns)));
    CHECK(same(a.H().matmat(images), reference.rmatmat(images)));
  };
  check_same(gp::sparse::csr_matrix<c128>(dense));
  check_same(gp::sparse::csc_matrix<c128>(dense));
  check_same(gp::sparse::coo_matrix<c128>(dense));
  check_same(gp::sparse::dia_matrix<c128>(dense));
  const auto integers = ssl::aslinearoperator(gp::sparse::csr_matrix<int>(F<int>({5, 4})));
  CHECK(same(integers.matvec(F({4})), vector(gp::matmul(F({5, 4}), F({4})))));
}

TEST_CASE("sums, products and multiples") {
  const auto a = F<c128>({3, 4});
  const complex_vector b = F<c128>({4, 3}) * 2.0;
  const ssl::LinearOperator<c128> p(a), q(b);
  const complex_vector x = F<c128>({3}), z = F<c128>({4});
  CHECK(same((p * q).matvec(x), p.matvec(q.matvec(x))));
  CHECK(same((p * q).rmatvec(x), q.rmatvec(p.rmatvec(x))));
  const auto sum = p + q.H();
  CHECK(same(sum.matvec(z), complex_vector(gp::matmul(a, z) + gp::matmul(gp::conjugate(b).T(), z))));
  const c128 i(0, 1);
  CHECK(same((i * p).matvec(z), complex_vector(i * gp::matmul(a, z))));
  CHECK(same((i * p).rmatvec(x), complex_vector(-i * p.rmatvec(x))));
}

TEST_CASE("mistakes") {
  const ssl::LinearOperator<double> d({8, 9}, difference);
  check_contains(error_of<gp::value_error>([&] { (void)d.matvec(F({8})); }), "dimension mismatch");
  check_contains(error_of<gp::value_error>([&] { (void)d.matmat(F({9})); }), "dimension mismatch");
  check_contains(error_of<gp::type_error>([&] { (void)d.rmatvec(F({8})); }), "rmatvec is not defined");
  check_contains(error_of<gp::value_error>([&] {
                   const ssl::LinearOperator<double> wrong({9, 9}, difference);
                   (void)wrong.matvec(F({9}));
                 }),
                 "matvec of an operator of shape (9,9) must return (9,), not (8,)");
  check_contains(error_of<gp::value_error>([&] { (void)ssl::LinearOperator<double>(F({3})); }),
                 "invalid shape (3,)");
  check_contains(error_of<gp::value_error>([&] { (void)(d + d.H()); }), "shape mismatch");
  check_contains(error_of<gp::value_error>([&] { (void)(d * d); }), "shape mismatch");
}
