// Products, arithmetic, reductions and parts of sparse matrices agree with SciPy's.
#include <gparray/sparse/linalg.hpp>

#include "support/sparse.hpp"

using namespace golden_sparse;

namespace {
using c64 = std::complex<float>;
using c128 = std::complex<double>;
}  // namespace

TEST_CASE("products with vectors and matrices") {
  const auto a = S({4, 5});
  SPARSE("csr(S((4, 5))) @ D((5,))", gp::matmul(csr(a), D({5})));
  SPARSE("csr(S((4, 5))) @ D((5,))", csr(a).dot(D({5})));
  SPARSE("csc(S((4, 5))) @ D((5,))", gp::matmul(csc(a), D({5})));
  SPARSE("coo(S((4, 5))) @ D((5,))", gp::matmul(coo(a), D({5})));
  SPARSE("dia(S((4, 5))) @ D((5,))", gp::matmul(dia(a), D({5})));
  SPARSE("dia(S((5, 3))) @ D((3, 2))", gp::matmul(dia(S({5, 3})), D({3, 2})));
  SPARSE("csr(S((4, 5))) @ D((5, 3))", gp::matmul(csr(a), D({5, 3})));
  SPARSE("csc(S((4, 5))) @ D((5, 3))", gp::matmul(csc(a), D({5, 3})));
  SPARSE("csr(S((4, 5))) @ D((5, 1))", gp::matmul(csr(a), D({5, 1})));
  SPARSE("csr(S((4, 5))) @ D((5, 0))", gp::matmul(csr(a), D({5, 0})));
  SPARSE("D((4,)) @ csr(S((4, 5)))", gp::matmul(D({4}), csr(a)));
  SPARSE("D((3, 4)) @ csr(S((4, 5)))", gp::matmul(D({3, 4}), csr(a)));
  SPARSE("D((3, 4)) @ csc(S((4, 5)))", gp::matmul(D({3, 4}), csc(a)));
  SPARSE("csr(S((4, 5), 'f')) @ D((5,))", gp::matmul(csr(S<float>({4, 5})), D({5})));
  SPARSE("csr(S((4, 5), 'F')) @ D((5,), 'f')", gp::matmul(csr(S<c64>({4, 5})), D<float>({5})));
  SPARSE("csr(S((4, 5), 'D')) @ D((5, 2), 'D')", gp::matmul(csr(S<c128>({4, 5})), D<c128>({5, 2})));
  SPARSE("csr(S((4, 5), 'i')) @ D((5,), 'l')",
         gp::matmul(csr(S<std::int32_t>({4, 5})), D<std::int64_t>({5})));
  SPARSE("csr(S((4, 5), 'i')) @ D((5, 2), 'i')",
         gp::matmul(csr(S<std::int32_t>({4, 5})), D<std::int32_t>({5, 2})));
  SPARSE("csr(S((4, 5), '?')) @ D((5,), '?')", gp::matmul(csr(S<bool>({4, 5})), D<bool>({5})));
  SPARSE("csr(S((4, 6))) @ D((12,))[::2]", gp::matmul(csr(S({4, 6})), D({12})("::2")));
  SPARSE("csr((3, 4)) @ D((4,))", gp::matmul(sp::csr_matrix<double>({3, 4}), D({4})));
  const gp::ndarray<double> out = gp::empty({4});
  gp::matmul(csr(a), D({5}), out);
  SPARSE("csr(S((4, 5))) @ D((5,))", out);
  CHECK_THROWS_AS(gp::matmul(csr(a), D({5}), gp::empty({5})), gp::value_error);
  const gp::ndarray<double> square = D({4});
  CHECK_THROWS_AS(gp::matmul(csr(S({4, 4})), square, square), gp::value_error);
  SPARSE_THROWS("csr(S((4, 5))) @ D((4,))", gp::matmul(csr(a), D({4})));
  SPARSE_THROWS("csr(S((4, 5))) @ D((4, 2))", gp::matmul(csr(a), D({4, 2})));
  SPARSE_THROWS("csr(S((4, 5))) @ csr(S((4, 5)))", gp::matmul(csr(a), csr(a)));
}

TEST_CASE("a dia matrix without diagonals") {
  const sp::dia_matrix<double> none(gp::dims{3, 4});
  CHECK(gp::array_equal(gp::matmul(none, gp::ones<double>({4})), gp::zeros<double>({3})));
  CHECK(gp::array_equal(gp::matmul(none, gp::ones<double>({4, 2})), gp::zeros<double>({3, 2})));
}

TEST_CASE("differences with arrays are negated in the dtype of the result") {
  const sp::csr_matrix<std::int32_t> a(gp::ndarray<std::int32_t>{{1, 0}, {0, 5}});
  const gp::ndarray<std::int32_t> dense = a.toarray();
  const gp::ndarray<std::uint8_t> u{{1, 2}, {3, 4}};
  const gp::ndarray<std::int8_t> least{{-128, 0}, {0, 1}};
  CHECK(gp::array_equal(a - u, gp::ndarray<std::int32_t>(dense - u)));
  CHECK(gp::array_equal(a - least, gp::ndarray<std::int32_t>(dense - least)));
  CHECK(gp::array_equal(dense - sp::csr_matrix<std::uint8_t>(u), gp::ndarray<std::int32_t>(dense - u)));
  CHECK(gp::array_equal(u - sp::csr_matrix<std::uint8_t>(u), gp::zeros<std::uint8_t>({2, 2})));
}

TEST_CASE("new values have the shape of the old ones") {
  const sp::csr_matrix<double> a(gp::ndarray<double>{{1, 0, 2}, {0, 0, 3}});
  CHECK_THROWS_AS(a.with_data(gp::ndarray<double>{7, 8}), gp::value_error);
  CHECK_THROWS_AS(a.with_data(gp::ndarray<double>{{7, 8, 9}}), gp::value_error);
  const gp::ndarray<double> wide{7, 1, 8, 1, 9, 1};
  const gp::ndarray<double> expected{{7, 0, 8}, {0, 0, 9}};
  CHECK(gp::array_equal(a.with_data(wide("::2")).tocsc().toarray(), expected));
  CHECK_THROWS_AS(a.shape(2), gp::axis_error);
  CHECK_THROWS_AS(a.mean(-3), gp::axis_error);
  CHECK_THROWS_AS(a.power(0), gp::value_error);
  CHECK_THROWS_AS(a.power(0.), gp::value_error);
}

TEST_CASE("find goes by rows whatever the format") {
  const sp::coo_matrix<double> a(gp::ndarray<double>{4, 1, 2, 3, 5},
                                 {gp::array({1, 0, 1, 0, 0}), gp::array({0, 1, 1, 0, 1})}, gp::dims{2, 2});
  const auto check = [](const auto& m) {
    const auto [row, col, data] = sp::find(m);
    CHECK(row.to_vector() == std::vector<std::int64_t>{0, 0, 1, 1});
    CHECK(col.to_vector() == std::vector<std::int64_t>{0, 1, 0, 1});
    CHECK(data.to_vector() == std::vector<double>{3, 6, 4, 2});
  };
  check(a);
  check(a.tocsc());
  sp::coo_matrix<double> b = a;
  b.sum_duplicates();
  CHECK(b.row().to_vector() == std::vector<std::int32_t>{0, 0, 1, 1});
  CHECK(b.col().to_vector() == std::vector<std::int32_t>{0, 1, 0, 1});
  check(b);
}

TEST_CASE("blocks and Kronecker sums of the wrong sizes") {
  const sp::csr_matrix<double> a(gp::dims{2, 3});
  CHECK_THROWS_AS(sp::bmat<double>({{a, a, a}, {a}}), gp::value_error);
  CHECK_THROWS_WITH_AS(sp::kronsum(a, a), "A is not square", gp::value_error);
  CHECK_THROWS_WITH_AS(sp::kronsum(sp::identity(2), a), "B is not square", gp::value_error);
}

TEST_CASE("products of sparse matrices") {
  const auto a = S({4, 5}), b = S({5, 6});
  SPARSE("csr(S((4, 5))) @ csr(S((5, 6)))", gp::matmul(csr(a), csr(b)));
  SPARSE("csc(S((4, 5))) @ csc(S((5, 6)))", gp::matmul(csc(a), csc(b)));
  SPARSE("csr(S((4, 5))) @ csc(S((5, 6)))", gp::matmul(csr(a), csc(b)));
  SPARSE("csc(S((4, 5))) @ csr(S((5, 6)))", gp::matmul(csc(a), csr(b)));
  SPARSE("coo(S((4, 5))) @ coo(S((5, 6)))", gp::matmul(coo(a), coo(b)));
  SPARSE("csr(S((4, 5), 'F')) @ csr(S((5, 6), 'd'))", gp::matmul(csr(S<c64>({4, 5})), csr(b)));
  SPARSE("csr(S((4, 5), 'i')) @ csr(S((5, 6), 'i'))",
         gp::matmul(csr(S<std::int32_t>({4, 5})), csr(S<std::int32_t>({5, 6}))));
  SPARSE("csr(S((4, 5), '?')) @ csr(S((5, 6), '?'))", gp::matmul(csr(S<bool>({4, 5})), csr(S<bool>({5, 6}))));
  SPARSE("csr(S((30, 40))) @ csr(S((40, 50)))", gp::matmul(csr(S({30, 40})), csr(S({40, 50}))));
  SPARSE("csr((3, 4)) @ csr(S((4, 2)))", gp::matmul(sp::csr_matrix<double>({3, 4}), csr(S({4, 2}))));
  SPARSE("sl.matrix_power(csr(S((4, 4))), 5)", sp::linalg::matrix_power(csr(S({4, 4})), 5));
  CHECK(gp::array_equal(sp::linalg::matrix_power(csc(S<std::int32_t>({4, 4})), 0).toarray(),
                        gp::eye<std::int32_t>(4)));
  SPARSE_THROWS("sl.matrix_power(csr(S((4, 4))), -1)", sp::linalg::matrix_power(csr(S({4, 4})), -1));
  SPARSE_THROWS("sl.matrix_power(csr(S((4, 5))), 2)", sp::linalg::matrix_power(csr(S({4, 5})), 2));
  // Entries that never meet.
  const gp::ndarray<double> left{{1., 0.}, {2., 0.}}, right{{0., 0.}, {3., 4.}};
  SPARSE("csr(A([[1., 0], [2, 0]])) @ csr(A([[0, 0], [3., 4]]))", gp::matmul(csr(left), csr(right)));
}

TEST_CASE("sums, differences, products element by element") {
  const auto a = S({4, 5}), b = D({4, 5});
  const auto c = gp::ndarray<double>(gp::where(D({4, 5}) > 1., D({4, 5}), 0.));
  SPARSE("csr(S((4, 5))) + csr(np.where(D((4, 5)) > 1, D((4, 5)), 0))", csr(a) + csr(c));
  SPARSE("csr(S((4, 5))) - csr(S((4, 5)))", csr(a) - csr(a));
  SPARSE("csc(S((4, 5))) - csr(np.where(D((4, 5)) > 1, D((4, 5)), 0))", csc(a) - csr(c));
  SPARSE("coo(S((4, 5))) + coo(S((4, 5)))", coo(a) + coo(a));
  SPARSE("csr(S((4, 5))).multiply(csr(np.where(D((4, 5)) > 1, D((4, 5)), 0)))", csr(a).multiply(csr(c)));
  SPARSE("csr(S((4, 5))).maximum(csr(np.where(D((4, 5)) > 1, D((4, 5)), 0)))", sp::maximum(csr(a), csr(c)));
  SPARSE("csr(S((4, 5))).minimum(csr(np.where(D((4, 5)) > 1, D((4, 5)), 0)))", sp::minimum(csr(a), csr(c)));
  SPARSE("csr(S((4, 5), 'i')) + csr(S((4, 5), 'F'))", csr(S<std::int32_t>({4, 5})) + csr(S<c64>({4, 5})));
  SPARSE("csr(S((4, 5), '?')) + csr(S((4, 5), '?'))", csr(S<bool>({4, 5})) + csr(S<bool>({4, 5})));
  SPARSE("csr(S((4, 5))) + csr((4, 5))", csr(a) + sp::csr_matrix<double>({4, 5}));
  SPARSE("csr((4, 5)) + csr((4, 5))", sp::csr_matrix<double>({4, 5}) + sp::csr_matrix<double>({4, 5}));
  SPARSE("csr(S((4, 5))) * 2", csr(a) * 2);
  SPARSE("csc(S((4, 5), 'i')) * 2.5", csc(S<std::int32_t>({4, 5})) * 2.5);
  SPARSE("dia(S((4, 5))) * 2", 2 * dia(a));
  SPARSE("csr(S((4, 5), 'i')) / 2", csr(S<std::int32_t>({4, 5})) / 2);
  SPARSE("-coo(S((4, 5)))", -coo(a));
  SPARSE("np.asarray(csr(S((4, 5))) + D((4, 5)))", csr(a) + b);
  SPARSE("np.asarray(D((4, 5)) - csr(S((4, 5))))", b - csr(a));
  SPARSE("np.asarray(csr(S((4, 5))) - D((4, 5)))", csr(a) - b);
  SPARSE("csr(csr(S((4, 5))).multiply(D((4, 5))))", csr(a).multiply(b));
  SPARSE("csr(csr(S((4, 5))).multiply(D((5,))))", csr(a).multiply(D({5})));
  SPARSE("csc(csc(S((4, 5))).multiply(D((4, 1))))", csc(a).multiply(D({4, 1})));
  SPARSE_THROWS("csr(S((4, 5))) + csr(S((5, 4)))", csr(a) + csr(S({5, 4})));
  CHECK_THROWS_AS(csr(a) + S({5, 4}), gp::value_error);
  CHECK_THROWS_AS(csr(a).multiply(D({4})), gp::value_error);
}

TEST_CASE("transposes, conjugates, functions of entries") {
  SPARSE("csr(S((4, 5))).T", csr(S({4, 5})).T());
  SPARSE("coo(S((4, 5))).T", coo(S({4, 5})).T());
  SPARSE("dia(S((4, 5))).T", dia(S({4, 5})).T());
  SPARSE("dia(S((5, 3))).T", dia(S({5, 3})).T());
  SPARSE("csr(S((4, 5), 'D')).conj()", csr(S<c128>({4, 5})).conj());
  SPARSE("csc(S((4, 5), 'D')).T.conj()", csc(S<c128>({4, 5})).H());
  SPARSE("abs(csr(S((4, 5))))", sp::abs(csr(S({4, 5}))));
  SPARSE("abs(csr(S((4, 5), 'D')))", csr(S<c128>({4, 5})).abs());
  SPARSE("abs(csr(S((4, 5)))).sqrt()", csr(S({4, 5})).abs().sqrt());
  SPARSE("csr(S((4, 5))).sin()", csr(S({4, 5})).sin());
  SPARSE("csr(S((4, 5))).expm1()", csr(S({4, 5})).expm1());
  SPARSE("csr(S((4, 5))).power(3)", csr(S({4, 5})).power(3));
  SPARSE("csr(S((4, 5))).sign()", csr(S({4, 5})).sign());
  SPARSE("csr(S((4, 5), 'D')).real", csr(S<c128>({4, 5})).real());
  const sp::coo_matrix<double> twice(gp::array({4., 5.}), {gp::array({1, 1}), gp::array({1, 1})},
                                     gp::dims{2, 2});
  SPARSE("coo((A([4., 5]), (A([1, 1]), A([1, 1]))), shape=(2, 2)).sqrt()", twice.sqrt());
}

TEST_CASE("reductions") {
  const auto a = csr(S({4, 5}));
  SPARSE("np.asarray(csr(S((4, 5))).sum())", a.sum());
  SPARSE("np.asarray(csr(S((4, 5))).sum(axis=0)).ravel()", a.sum(0));
  SPARSE("np.asarray(csr(S((4, 5))).sum(axis=1)).ravel()", a.sum(1));
  SPARSE("np.asarray(csr(S((4, 5))).sum(axis=1)).ravel()", csc(S({4, 5})).sum(-1));
  SPARSE("np.asarray(csr(S((4, 5))).sum(axis=0)).ravel()", csc(S({4, 5})).sum(0));
  SPARSE("np.asarray(dia(S((4, 5))).sum(axis=0)).ravel()", dia(S({4, 5})).sum(0));
  SPARSE("np.asarray(csr(S((4, 5), 'b')).sum(axis=0)).ravel()", csr(S<std::int8_t>({4, 5})).sum(0));
  SPARSE("np.asarray(csr(S((4, 5), '?')).sum())", csr(S<bool>({4, 5})).sum());
  SPARSE("np.asarray(csr(S((4, 5), 'F')).sum(axis=1)).ravel()", csr(S<c64>({4, 5})).sum(1));
  SPARSE("np.asarray(csr(S((4, 5))).mean())", a.mean());
  SPARSE("np.asarray(csr(S((4, 5), 'i')).mean(axis=1)).ravel()", csr(S<std::int32_t>({4, 5})).mean(1));
  SPARSE("np.asarray(csr(S((4, 5), 'f')).mean(axis=0)).ravel()", csr(S<float>({4, 5})).mean(0));
  SPARSE("np.asarray(csr(S((4, 5))).max())", a.max());
  SPARSE("np.asarray(csr(S((4, 5))).min())", a.min());
  SPARSE("csr(S((4, 5))).max(axis=0).toarray().ravel()", a.max(0));
  SPARSE("csr(S((4, 5))).min(axis=1).toarray().ravel()", a.min(1));
  SPARSE("csr(-abs(D((3, 3))) - 1).max(axis=1).toarray().ravel()",
         csr(gp::ndarray<double>(-gp::abs(D({3, 3})) - 1.)).max(1));
  SPARSE("np.asarray(csr(-abs(D((3, 3))) - 1).max())",
         csr(gp::ndarray<double>(-gp::abs(D({3, 3})) - 1.)).max());
  SPARSE_THROWS("csr((0, 3)).max()", sp::csr_matrix<double>({0, 3}).max());
  SPARSE("csr(S((4, 5))).getnnz(axis=0).astype('l')", a.getnnz(0));
  SPARSE("csr(S((4, 5))).getnnz(axis=1).astype('l')", a.getnnz(1));
  SPARSE("np.asarray(csr(S((4, 5))).nnz)", a.getnnz());
  SPARSE("csr(S((4, 5))).diagonal()", a.diagonal());
  SPARSE("csr(S((4, 5))).diagonal(k=2)", a.diagonal(2));
  SPARSE("dia(S((4, 5))).diagonal(k=-1)", dia(S({4, 5})).diagonal(-1));
  SPARSE("np.asarray(csr(S((5, 5))).trace())", csr(S({5, 5})).trace());
  SPARSE("csr(S((4, 5))).diagonal(k=5)", a.diagonal(5));
  SPARSE("np.asarray(sl.norm(csr(S((4, 5)))))", sp::linalg::norm(a));
  SPARSE("np.asarray(sl.norm(csr(S((4, 5))), 1))", sp::linalg::norm(a, 1));
  SPARSE("np.asarray(sl.norm(csr(S((4, 5))), np.inf))", sp::linalg::norm(a, INFINITY));
  SPARSE("np.asarray(sl.norm(csr(S((4, 5), 'D'))))", sp::linalg::norm(csr(S<c128>({4, 5}))));
  CHECK_THROWS_AS(a.sum(2), gp::axis_error);
}

TEST_CASE("rows, columns, elements") {
  const auto a = csr(S({6, 7}));
  SPARSE("csr(S((6, 7)))[1:4]", a("1:4"));
  SPARSE("csr(S((6, 7)))[1:4, 2:5]", a("1:4, 2:5"));
  SPARSE("csr(S((6, 7)))[::2, ::-1]", a("::2, ::-1"));
  SPARSE("csr(S((6, 7)))[::-1]", a(gp::slice(gp::none, gp::none, -1), gp::all));
  SPARSE("csr(S((6, 7)))[4:2]", a("4:2"));
  SPARSE("csr(S((6, 7)))[-2:, 1]", a(gp::slice(-2, gp::none), gp::slice(1, 2)));
  SPARSE("csr(S((6, 7))).getrow(2)", a.getrow(2));
  SPARSE("csr(S((6, 7))).getcol(-1)", a.getcol(-1));
  SPARSE("csc(S((6, 7)))[1:4, 2:5]", csc(S({6, 7}))("1:4, 2:5"));
  SPARSE("csc(S((6, 7))).getrow(2).tocsc()", csc(S({6, 7})).getrow(2));
  SPARSE("csr(S((6, 7)))[[3, 0, -1, 3]]", a.take(gp::array({3, 0, -1, 3}), 0));
  SPARSE("csr(S((6, 7)))[:, [3, 0, -1, 3]]", a.take(gp::array({3, 0, -1, 3}), 1));
  const auto part = a("1:4"), lower = sp::tril(csr(gp::ndarray<double>{{5., 0.}, {6., 7.}})),
             same = lower.astype<double>();
  part.data()(0) = 1000.;
  CHECK(a.max().item() < 1000.);
  same.data()(0) = 1000.;
  CHECK(lower.max().item() == 7.);
  SPARSE_THROWS("csr(S((6, 7)))[[6]]", a.take(gp::array({6}), 0));
  SPARSE_THROWS("csr(S((6, 7)))[6, 0]", a.item(6, 0));
  SPARSE("np.asarray(csr(S((6, 7)))[3, 1])", gp::array(a.item(3, 1)));
  SPARSE("np.asarray(csr(S((6, 7)))[-1, -1])", gp::array(a.item(-1, -1)));
  SPARSE("sp.tril(csr(S((6, 7))), format='csr')", sp::tril(a));
  SPARSE("sp.triu(csr(S((6, 7))), k=1, format='csr')", sp::triu(a, 1));
  SPARSE("sp.tril(coo(S((6, 7))), k=-1)", sp::tril(coo(S({6, 7})), -1));
  SPARSE("sp.triu(csc(S((6, 7))), format='csc')", sp::triu(csc(S({6, 7}))));
}

TEST_CASE("matrices made of others") {
  const auto a = csr(S({2, 3})), b = csr(S({3, 3})), c = csr(D({2, 2}));
  SPARSE("sp.eye(3, format='csr')", sp::eye(3));
  SPARSE("sp.eye(3, 5, k=1, dtype='i', format='csr')", sp::eye<std::int32_t>(3, 5, 1));
  SPARSE("sp.eye(4, 2, k=-1, format='csc')", sp::eye<double, sp::format::csc>(4, 2, -1));
  SPARSE_THROWS("sp.eye(3, k=7, format='csr')", sp::eye(3, gp::none, 7));
  SPARSE("sp.identity(3, format='dia')", sp::identity<double, sp::format::dia>(3));
  SPARSE("sp.diags([-1., 2., -1.], [-1, 0, 1], shape=(4, 4), format='csr')",
         sp::diags<double>({-1., 2., -1.}, {-1, 0, 1}, gp::dims{4, 4}));
  SPARSE("sp.diags([D((3,)), D((2,))], [0, 1], format='csr')", sp::diags<double>({D({3}), D({2})}, {0, 1}));
  SPARSE("sp.diags([D((3,)), D((2,))], [0, -2], shape=(4, 3), format='dia')",
         sp::diags<double, sp::format::dia>({D({3}), D({2})}, {0, -2}, gp::dims{4, 3}));
  SPARSE("sp.diags(D((3,)), format='csr')", sp::diags(D({3})));
  SPARSE("sp.diags([D((3,)), D((3,))], [0, 1], format='csr')", sp::diags<double>({D({3}), D({3})}, {0, 1}));
  SPARSE_THROWS("sp.diags([D((4,)), D((2,))], [0, 1])", sp::diags<double>({D({4}), D({2})}, {0, 1}));
  SPARSE_THROWS("sp.diags([D((3,))], [0, 1])", sp::diags<double>({D({3})}, {0, 1}));
  SPARSE_THROWS("sp.diags([D((3,))], [5], shape=(3, 3))", sp::diags<double>({D({3})}, {5}, gp::dims{3, 3}));
  SPARSE("sp.spdiags(D((2, 4)), [0, 1], 4, 4)", sp::spdiags(D({2, 4}), gp::array({0, 1}), 4, 4));
  SPARSE("sp.kron(csr(S((2, 3))), csr(S((3, 3))), format='csr')", sp::kron(a, b));
  SPARSE("sp.kron(csr(S((2, 3))), csr(S((3, 3))), format='csc')", sp::kron<sp::format::csc>(a, b));
  SPARSE("sp.kronsum(csr(S((3, 3))), csr(D((2, 2))), format='csr')", sp::kronsum(b, c));
  SPARSE("sp.block_diag([csr(S((2, 3))), csr(S((3, 3)))], format='csr')", sp::block_diag({a, b}));
  SPARSE("sp.vstack([csr(S((2, 3))), csr(S((3, 3)))])", sp::vstack({a, b}));
  SPARSE("sp.hstack([csr(S((2, 3))), csr(D((2, 2)))], format='csc')", sp::hstack<sp::format::csc>({a, c}));
  SPARSE("sp.hstack([csr(S((2, 3))), csr(D((2, 2)))], format='csr')", sp::hstack({a, c}));
  // Rows side by side are joined one by one where each block has none twice, columns below each other alike.
  for (const bool repeats : {false, true}) {
    const gp::ndarray<std::int64_t> twice{0, 0, 1};
    const sp::csr_matrix<double> odd(gp::array({1., 2., 3.}), {twice, repeats ? twice : gp::arange(3)},
                                     gp::dims{2, 3});
    const auto three = sp::hstack<sp::format::csr>({a, odd, c});
    CHECK(gp::array_equal(three.toarray(), gp::hstack({a.toarray(), odd.toarray(), c.toarray()})));
    CHECK(three.has_canonical_format());
    const auto below = sp::vstack<sp::format::csc>({three.T(), three.T()});
    CHECK(gp::array_equal(below.toarray(), gp::vstack({three.T().toarray(), three.T().toarray()})));
  }
  // Coordinates side by side are in the order of columns where those of each are: transposed, in that of
  // rows.
  const auto beside = sp::hstack<sp::format::coo>({a.tocsc(), c.tocsc()});
  CHECK(beside.T().has_canonical_format());
  CHECK(!beside.has_canonical_format());
  const sp::coo_matrix<double> mixed(gp::array({1., 2.}), {gp::array({0, 1}), gp::array({1, 0})},
                                     gp::dims{2, 2});
  CHECK(!sp::hstack<sp::format::coo>({mixed, c.tocoo()}).T().has_canonical_format());
  SPARSE("sp.bmat([[csr(S((2, 3))), None], [None, csr(D((2, 2)))]], format='csr')",
         sp::bmat<double>({{a, gp::none}, {gp::none, c}}));
  SPARSE_THROWS("sp.bmat([[csr(S((2, 3)))], [csr(D((2, 2)))]], format='csc')", sp::vstack({a, c}));
  SPARSE_THROWS("sp.bmat([[csr(S((2, 3))), csr(S((3, 3)))]], format='coo')", sp::hstack({a, b}));
  const auto [row, col, data] = sp::find(csr(S({4, 5})));
  SPARSE("sp.find(csr(S((4, 5))))[0].astype('l')", row);
  SPARSE("sp.find(csr(S((4, 5))))[1].astype('l')", col);
  SPARSE("sp.find(csr(S((4, 5))))[2]", data);
}

TEST_CASE("random matrices") {
  gp::random::Generator rng = gp::random::default_rng(7);
  for (const double density : {0., 0.1, 0.7, 1.}) {
    CAPTURE(density);
    const auto a = sp::random(30, 40, density, rng);
    CHECK(a.nnz() == std::llrint(density * 1200));
    CHECK(a.has_canonical_format());
    CHECK(gp::all(a.data() >= 0.).item());
    CHECK(gp::all(a.data() < 1.).item());
  }
  CHECK_THROWS_AS(sp::random(3, 3, 1.5, rng), gp::value_error);
  // Each of 100 positions is drawn 1/4 of the time: mean 100 of 400 matrices, deviation sqrt(75) = 8.7.
  gp::ndarray<double> hits = gp::zeros({10, 10});
  for (int i = 0; i < 400; ++i) hits = hits + (sp::random(10, 10, 0.25, rng).toarray() != 0.);
  CHECK(gp::max(hits).item() < 100 + 5 * 8.7);
  CHECK(gp::min(hits).item() > 100 - 5 * 8.7);
}

TEST_CASE("products whose rows have one column, and up to eighty, in no order") {
  constexpr std::int64_t n = 80;
  const auto rows = gp::tril(gp::arange<double>(n * n).reshape({n, n}) + 1.);
  const auto moved = gp::zeros({n, n});
  for (std::int64_t i = 0; i < n; ++i) moved(i, i * 37 % n) = static_cast<double>(i + 1);
  const sp::csr_matrix<double> a(rows), b(moved);
  const auto expected = gp::matmul(rows, moved);
  const auto check = [&](const sp::csr_matrix<double>& product) {
    CHECK(gp::array_equal(product.toarray(), expected));
    CHECK(product.has_sorted_indices());
  };
  check(gp::matmul(a, b));
  check(gp::matmul(a.with_index<std::int64_t>(), b.with_index<std::int64_t>()));
}
