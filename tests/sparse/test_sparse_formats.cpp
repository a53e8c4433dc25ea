// Sparse matrices are made, converted and printed as SciPy does.
#include <set>

#include "support/sparse.hpp"

using namespace golden_sparse;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

/// Entries in no order, two positions twice.
struct scattered {
  gp::ndarray<double> data{1., 2., 3., 4., 5., 6.};
  gp::ndarray<std::int64_t> row{2, 0, 2, 1, 0, 2}, col{3, 1, 0, 2, 1, 3};
};

}  // namespace

TEST_CASE("from dense arrays and back, in every format and dtype") {
  SPARSE("csr(S((4, 5)))", csr(S({4, 5})));
  SPARSE("csc(S((4, 5)))", csc(S({4, 5})));
  SPARSE("coo(S((4, 5)))", coo(S({4, 5})));
  SPARSE("dia(S((4, 5)))", dia(S({4, 5})));
  SPARSE("dia(S((5, 3)))", dia(S({5, 3})));
  SPARSE("csr(S((4, 5), '?'))", csr(S<bool>({4, 5})));
  SPARSE("csr(S((4, 5), 'b'))", csr(S<std::int8_t>({4, 5})));
  SPARSE("csc(S((4, 5), 'h'))", csc(S<std::int16_t>({4, 5})));
  SPARSE("coo(S((4, 5), 'i'))", coo(S<std::int32_t>({4, 5})));
  SPARSE("dia(S((4, 5), 'l'))", dia(S<std::int64_t>({4, 5})));
  SPARSE("csr(S((4, 5), 'B'))", csr(S<std::uint8_t>({4, 5})));
  SPARSE("csr(S((4, 5), 'L'))", csr(S<std::uint64_t>({4, 5})));
  SPARSE("csr(S((4, 5), 'f'))", csr(S<float>({4, 5})));
  SPARSE("csc(S((4, 5), 'F'))", csc(S<c64>({4, 5})));
  SPARSE("dia(S((4, 5), 'D'))", dia(S<c128>({4, 5})));
  SPARSE("csr(S((5,)))", csr(S({5})));
  SPARSE("csr(S((4, 6))[::2, 1::2])", csr(S({4, 6})("::2, 1::2")));
  SPARSE("csr(np.zeros((0, 3)))", csr(gp::zeros({0, 3})));
  SPARSE("csc(np.zeros((3, 2)))", csc(gp::zeros({3, 2})));
  SPARSE("dia(np.zeros((3, 2)))", dia(gp::zeros({3, 2})));
  SPARSE("csr((2, 3))", sp::csr_matrix<double>({2, 3}));
  SPARSE("coo((0, 0))", sp::coo_matrix<double>());
  SPARSE_THROWS("csr(S((2, 2, 2)))", csr(S({2, 2, 2})));
  const auto a = S({4, 5});
  CHECK(gp::array_equal(csr(a).toarray(gp::order::F), a));
  CHECK(csr(a).toarray(gp::order::F).is_f_contiguous());
}

TEST_CASE("every format to every other") {
  const auto a = csr(S({6, 7}));
  SPARSE("csr(S((6, 7))).tocsc()", a.tocsc());
  SPARSE("csr(S((6, 7))).tocoo()", a.tocoo());
  SPARSE("csr(S((6, 7))).todia()", a.todia());
  SPARSE("csc(S((6, 7))).tocsr()", csc(S({6, 7})).tocsr());
  SPARSE("csc(S((6, 7))).tocoo()", csc(S({6, 7})).tocoo());
  SPARSE("csc(S((6, 7))).todia()", csc(S({6, 7})).todia());
  SPARSE("coo(S((6, 7))).tocsr()", coo(S({6, 7})).tocsr());
  SPARSE("coo(S((6, 7))).tocsc()", coo(S({6, 7})).tocsc());
  SPARSE("coo(S((6, 7))).todia()", coo(S({6, 7})).todia());
  SPARSE("dia(S((6, 7))).tocsr()", dia(S({6, 7})).tocsr());
  SPARSE("dia(S((6, 7))).tocsc()", dia(S({6, 7})).tocsc());
  SPARSE("dia(S((6, 7))).tocoo()", dia(S({6, 7})).tocoo());
  CHECK(a.tocsc().has_sorted_indices());
  CHECK(sp::csc_matrix<double>(a).nnz() == a.nnz());
  SPARSE("csr(S((4, 5))).astype('f')", csr(S({4, 5})).astype<float>());
  SPARSE("dia(S((4, 5))).astype('D')", dia(S({4, 5})).astype<c128>());
}

TEST_CASE("entries of the dtype that is wanted are copied unless told not to") {
  const auto a = csr(S({4, 5}));
  const auto copied = a.astype<double>(), shared = a.astype<double>(false);
  a.data()(0) = 17.;
  CHECK(shared.data()(0).item() == 17.);
  CHECK(copied.data()(0).item() != 17.);
  CHECK(a.astype<float>(false).data()(0).item() == 17.f);
}

TEST_CASE("components") {
  const auto a = csr(S({4, 5}));
  SPARSE("csr(S((4, 5))).data", a.data());
  SPARSE("csr(S((4, 5))).indices", a.indices());
  SPARSE("csr(S((4, 5))).indptr", a.indptr());
  const auto b = csc(S({4, 5}));
  SPARSE("csc(S((4, 5))).data", b.data());
  SPARSE("csc(S((4, 5))).indices", b.indices());
  SPARSE("csc(S((4, 5))).indptr", b.indptr());
  SPARSE("coo(S((4, 5))).row", coo(S({4, 5})).row());
  SPARSE("coo(S((4, 5))).col", coo(S({4, 5})).col());
  SPARSE("dia(S((4, 5))).data", dia(S({4, 5})).data());
  SPARSE("dia(S((4, 5))).offsets", dia(S({4, 5})).offsets());
  SPARSE("csc(S((6, 7))).tocsr().indices", csc(S({6, 7})).tocsr().indices());
  CHECK_THROWS_AS(a.indices<std::int64_t>(), gp::type_error);
  const auto wide = a.with_index<std::int64_t>();
  CHECK(wide.index_dtype() == gp::dtype::int64);
  CHECK(gp::array_equal(wide.indices<std::int64_t>(), a.indices()));
  CHECK(gp::array_equal(wide.tocsc().toarray(), a.toarray()));
  CHECK(gp::array_equal(gp::matmul(wide, gp::ones({5})), gp::matmul(a, gp::ones({5}))));
  CHECK(gp::array_equal(gp::matmul(wide, wide.T()).toarray(), gp::matmul(a, a.T()).toarray()));
  CHECK((wide + a).index_dtype() == gp::dtype::int64);
  a.data()(0) = 100.;  // shared
  CHECK(sp::csr_matrix<double>(a).item(0, a.indices().item(0)) == 100.);
}

TEST_CASE("from components") {
  const scattered s;
  SPARSE("coo((A([1., 2, 3, 4, 5, 6]), (A([2, 0, 2, 1, 0, 2]), A([3, 1, 0, 2, 1, 3]))))",
         sp::coo_matrix<double>(s.data, {s.row, s.col}));
  SPARSE("csr((A([1., 2, 3, 4, 5, 6]), (A([2, 0, 2, 1, 0, 2]), A([3, 1, 0, 2, 1, 3]))), shape=(4, 4))",
         sp::csr_matrix<double>(s.data, {s.row, s.col}, gp::dims{4, 4}));
  SPARSE("csc((A([1., 2, 3, 4, 5, 6]), (A([2, 0, 2, 1, 0, 2]), A([3, 1, 0, 2, 1, 3]))), shape=(4, 4))",
         sp::csc_matrix<double>(s.data, {s.row, s.col}, gp::dims{4, 4}));
  const gp::ndarray<std::int64_t> indices{3, 1, 0, 1}, indptr{0, 2, 2, 4};
  const gp::ndarray<double> data{1., 2., 3., 4.};
  const sp::csr_matrix<double> unsorted(data, indices, indptr);
  SPARSE("csr((A([1., 2, 3, 4]), A([3, 1, 0, 1]), A([0, 2, 2, 4])))", unsorted);
  SPARSE("csc((A([1., 2, 3, 4]), A([3, 1, 0, 1]), A([0, 2, 2, 4])), shape=(5, 3))",
         sp::csc_matrix<double>(data, indices, indptr, gp::dims{5, 3}));
  CHECK(!unsorted.has_sorted_indices());
  SPARSE("csr((A([1., 2, 3, 4]), A([3, 1, 0, 1]), A([0, 2, 2, 4]))).sorted_indices().indices",
         unsorted.sorted_indices().indices());
  SPARSE("csr((A([1., 2, 3, 4]), A([3, 1, 0, 1]), A([0, 2, 2, 4]))).sorted_indices().data",
         unsorted.sorted_indices().data());
  const gp::ndarray<double> table{{1., 2., 3.}, {4., 5., 6.}};
  SPARSE("dia((A([[1., 2, 3], [4, 5, 6]]), A([0, -1])), shape=(4, 3))",
         sp::dia_matrix<double>(table, gp::array({0, -1}), {4, 3}));
  SPARSE("dia((A([[1., 2, 3], [4, 5, 6]]), A([1, -1])), shape=(2, 5)).tocsc()",
         sp::dia_matrix<double>(table, gp::array({1, -1}), {2, 5}).tocsc());
  SPARSE("dia((A([[1., 2, 3], [4, 5, 6]]), A([1, -1])), shape=(2, 5)).T",
         sp::dia_matrix<double>(table, gp::array({1, -1}), {2, 5}).T());
}

TEST_CASE("angles, matrices and what is sparse") {
  const sp::csr_matrix<double> a(S({4, 5}));
  SPARSE("csr(S((4, 5))).deg2rad()", a.deg2rad());
  SPARSE("csr(S((4, 5))).rad2deg()", a.rad2deg());
  SPARSE("csr(S((4, 5))).todense()", a.todense());
  CHECK(sp::issparse(a));
  CHECK(!sp::issparse(a.todense()));
  CHECK(!sp::issparse(1.0));
}

TEST_CASE("what is done in place") {
  const gp::ndarray<double> data{0., 2., 3., 4.};
  const gp::ndarray<std::int64_t> indices{1, 0, 1, 0}, indptr{0, 3, 4};
  const sp::csr_matrix<double> given(data, indices, indptr, gp::dims{2, 2});
  sp::csr_matrix<double> a = given;
  a.sort_indices();
  CHECK(a.has_sorted_indices());
  CHECK(!a.has_canonical_format());
  SPARSE("STEP(csr((A([0., 2, 3, 4]), A([1, 0, 1, 0]), A([0, 3, 4]))), 'sort_indices')", a);
  CHECK(a.indices().to_vector() == std::vector<std::int32_t>{0, 1, 1, 0});
  a.data()(gp::ellipsis) = gp::ndarray<double>{2., 5., 3., 4.};  // sorted is not unique: both count
  CHECK(a.toarray().item(0, 1) == 8);
  a.data()(gp::ellipsis) = gp::ndarray<double>{2., 0., 3., 4.};
  a.sum_duplicates();
  SPARSE("STEP(csr((A([0., 2, 3, 4]), A([1, 0, 1, 0]), A([0, 3, 4]))), 'sum_duplicates')", a);
  a = given;
  a.eliminate_zeros();
  SPARSE("STEP(csr((A([0., 2, 3, 4]), A([1, 0, 1, 0]), A([0, 3, 4]))), 'eliminate_zeros')", a);
}

TEST_CASE("duplicates, order, zeros") {
  const scattered s;
  sp::coo_matrix<double> a(s.data, {s.row, s.col}, gp::dims{3, 4});
  CHECK(a.nnz() == 6);
  CHECK(!a.has_canonical_format());
  const auto before = a;
  a.sum_duplicates();
  CHECK(a.has_canonical_format());
  CHECK(before.nnz() == 6);
  SPARSE("coo(csr((A([1., 2, 3, 4, 5, 6]), (A([2, 0, 2, 1, 0, 2]), A([3, 1, 0, 2, 1, 3]))), shape=(3, 4)))",
         a);
  const gp::ndarray<std::int64_t> indices{3, 1, 3, 0, 0, 1}, indptr{0, 3, 3, 6};
  sp::csr_matrix<double> b(s.data, indices, indptr, gp::dims{3, 4});
  CHECK(!b.has_canonical_format());
  SPARSE("csr((A([1., 2, 3, 4, 5, 6]), A([3, 1, 3, 0, 0, 1]), A([0, 3, 3, 6])), shape=(3, 4)).toarray()",
         b.toarray());
  b.sum_duplicates();
  CHECK(b.nnz() == 4);
  CHECK(b.has_canonical_format());
  SPARSE("csr((A([1., 2, 3, 4, 5, 6]), A([3, 1, 3, 0, 0, 1]), A([0, 3, 3, 6])), shape=(3, 4)).toarray()",
         b.toarray());
  sp::csr_matrix<double> c(gp::ndarray<double>{0., 2., 0.}, gp::array({0, 1, 0}), gp::array({0, 2, 2, 3}));
  CHECK(c.nnz() == 3);
  CHECK(c.count_nonzero().item() == 1);
  c.eliminate_zeros();
  CHECK(c.nnz() == 1);
  CHECK(c.indptr().to_vector() == std::vector<std::int32_t>{0, 1, 1, 1});
}

TEST_CASE("components that do not fit") {
  const scattered s;
  SPARSE_THROWS(
      "coo((A([1., 2]), (A([0, 5]), A([0, 1]))), shape=(3, 3))",
      sp::coo_matrix<double>(gp::array({1., 2.}), {gp::array({0, 5}), gp::array({0, 1})}, gp::dims{3, 3}));
  SPARSE_THROWS(
      "coo((A([1., 2]), (A([0, 1]), A([0, -1]))), shape=(3, 3))",
      sp::coo_matrix<double>(gp::array({1., 2.}), {gp::array({0, 1}), gp::array({0, -1})}, gp::dims{3, 3}));
  CHECK_THROWS_AS(sp::coo_matrix<double>(s.data, {gp::array({0, 1}), gp::array({0, 1})}), gp::value_error);
  CHECK_THROWS_AS(sp::coo_matrix<double>(s.data, {s.data, s.col}), gp::type_error);
  const gp::ndarray<double> data{1., 2.};
  SPARSE_THROWS("csr((A([1., 2]), A([0, 1]), A([0, 1])), shape=(3, 3))",
                sp::csr_matrix<double>(data, gp::array({0, 1}), gp::array({0, 1}), gp::dims{3, 3}));
  SPARSE_THROWS("csr((A([1., 2]), A([0, 1]), A([1, 2])), shape=(1, 3))",
                sp::csr_matrix<double>(data, gp::array({0, 1}), gp::array({1, 2}), gp::dims{1, 3}));
  SPARSE_THROWS("csr((A([1., 2]), A([0]), A([0, 1])), shape=(1, 3))",
                sp::csr_matrix<double>(data, gp::array({0}), gp::array({0, 1}), gp::dims{1, 3}));
  SPARSE_THROWS("csr((A([1., 2]), A([0, 1]), A([0, 3])), shape=(1, 3))",
                sp::csr_matrix<double>(data, gp::array({0, 1}), gp::array({0, 3}), gp::dims{1, 3}));
  SPARSE_THROWS("csr((A([1., 2]), A([0, 3]), A([0, 2])), shape=(1, 3)).check_format()",
                sp::csr_matrix<double>(data, gp::array({0, 3}), gp::array({0, 2}), gp::dims{1, 3}));
  SPARSE_THROWS("csr((A([1., 2]), A([0, -3]), A([0, 2])), shape=(1, 3)).check_format()",
                sp::csr_matrix<double>(data, gp::array({0, -3}), gp::array({0, 2}), gp::dims{1, 3}));
  SPARSE_THROWS("csr((A([1., 2]), A([0, 1]), A([0, 2, 1, 2])), shape=(3, 3)).check_format()",
                sp::csr_matrix<double>(data, gp::array({0, 1}), gp::array({0, 2, 1, 2}), gp::dims{3, 3}));
  SPARSE_THROWS("dia((A([[1., 2]]), A([0, 1])), shape=(3, 3))",
                sp::dia_matrix<double>(data, gp::array({0, 1}), {3, 3}));
  SPARSE_THROWS("dia((A([[1., 2], [3, 4]]), A([1, 1])), shape=(3, 3))",
                sp::dia_matrix<double>(gp::ones({2, 2}), gp::array({1, 1}), {3, 3}));
  CHECK_THROWS_AS(sp::csr_matrix<double>({-1, 3}), gp::value_error);
  CHECK_THROWS_AS(sp::csr_matrix<double>({1, 2, 3}), gp::value_error);
}

TEST_CASE("indices have 64 bits where a number needs them") {
  const std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  const auto index_of = [](const gp::ndarray<std::int64_t>& offsets, std::int64_t columns = 3) {
    return sp::dia_matrix<double>(gp::ones({offsets.size(), 1}), offsets, {3, columns}).index_dtype();
  };
  CHECK(index_of({0, largest}) == gp::dtype::int32);
  CHECK(index_of({-largest, 0}) == gp::dtype::int32);
  CHECK(index_of({0, largest + 1}) == gp::dtype::int64);
  CHECK(index_of({-largest - 1, 0}) == gp::dtype::int64);
  CHECK(index_of({0}, largest) == gp::dtype::int32);
  CHECK(index_of({0}, largest + 1) == gp::dtype::int64);
}

TEST_CASE("shapes of more elements than can be counted") {
  const std::int64_t n = std::int64_t{1} << 40;
  const gp::ndarray<std::int64_t> row{n - 1, 0, n - 1}, col{n - 1, n - 1, n - 1};
  sp::coo_matrix<double> a(gp::array({1., 2., 3.}), {row, col}, gp::dims{n, n});
  CHECK(a.index_dtype() == gp::dtype::int64);
  CHECK(!a.has_canonical_format());
  CHECK_THROWS_AS(a.toarray(), gp::overflow_error);
  CHECK(a.sum().item() == 6.);
  CHECK_THROWS_AS(sp::kron(a, a), gp::overflow_error);
  CHECK_THROWS_AS(a.with_index<std::int32_t>(), gp::overflow_error);
}

TEST_CASE("text") {
  SPARSE_TEXT("str(csr(S((4, 5))))", sp::str(csr(S({4, 5}))));
  SPARSE_TEXT("str(csc(S((3, 3), 'D')))", sp::str(csc(S<c128>({3, 3}))));
  SPARSE_TEXT("str(coo(D((12, 12), 'i')))", sp::str(coo(D<std::int32_t>({12, 12}))));
  SPARSE_TEXT("str(dia(S((4, 5), '?')))", sp::str(dia(S<bool>({4, 5}))));
  SPARSE_TEXT("str(csr((2, 3)))", sp::str(sp::csr_matrix<double>({2, 3})));
}

TEST_CASE(
    "numbers and arrays along several diagonals, in any order and number, are the entries of their table") {
  const gp::ndarray<double> values = gp::arange<double>(60) % 7. - 1.;  // with zeros, which are no entries
  const auto check = [&](std::int64_t rows, std::int64_t columns, const std::vector<std::int64_t>& offsets) {
    INFO(rows << " x " << columns << ", " << offsets.size() << " diagonals");
    std::vector<sp::diagonal_values<double>> diagonals;
    gp::ndarray<double> full = gp::zeros({rows, columns});
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const gp::ndarray<double> along = gp::diagonal(full, static_cast<int>(offsets[i]));
      const double number = static_cast<double>(i % 4);
      const gp::ndarray<double> own = values(gp::slice(static_cast<std::int64_t>(i % 5), gp::none));
      if (i % 3 == 2) diagonals.emplace_back(own(gp::slice(along.size())));
      else diagonals.emplace_back(number);
      for (std::int64_t t = 0; t < along.size(); ++t)
        full(t + std::max<std::int64_t>(-offsets[i], 0), t + std::max<std::int64_t>(offsets[i], 0)) =
            i % 3 == 2 ? own(t).item() : number;
    }
    const auto by_rows = sp::diags<double>(diagonals, offsets, gp::dims{rows, columns});
    const auto by_columns = sp::diags<double, sp::format::csc>(diagonals, offsets, gp::dims{rows, columns});
    CHECK(gp::array_equal(by_rows.toarray(), full));
    CHECK(gp::array_equal(by_columns.toarray(), full));
    CHECK(by_rows.nnz() == gp::count_nonzero(full).item());
    CHECK(by_columns.nnz() == by_rows.nnz());
    CHECK(by_columns.has_canonical_format());
    CHECK(by_rows.has_canonical_format());
  };
  check(9, 9, {-1, 0, 1});
  check(50, 40, {2, -3, 0});
  check(40, 50, {1, 20, -1, 0, -20});
  check(40, 50, {49, -39, 50, -40, 3, 7, -7});
  std::vector<std::int64_t> many;
  for (std::int64_t k = -19; k < 20; ++k) many.push_back(k * (k % 2 == 0 ? 1 : -1));
  check(40, 40, many);
  CHECK_THROWS_AS((sp::diags<double>({1., 2.}, {1, 1}, gp::dims{4, 4})), gp::value_error);
}

TEST_CASE("random positions are the numbers drawn first, each once") {
  for (const double density : {1e-7, 0.001, 0.3, 0.8, 1.0}) {
    CAPTURE(density);
    const std::int64_t rows = density < 1e-3 ? 20000 : 30, columns = density < 1e-3 ? 20000 : 50,
                       total = rows * columns;
    const auto count = static_cast<std::int64_t>(std::nearbyint(density * static_cast<double>(total)));
    auto rng = gp::random::default_rng(5), again = gp::random::default_rng(5);
    const auto a = sp::random(rows, columns, density, rng).tocoo();
    CHECK(a.nnz() == count);
    const bool excludes = count > total / 2;
    const std::int64_t wanted = excludes ? total - count : count;
    std::set<std::int64_t> drawn;
    while (static_cast<std::int64_t>(drawn.size()) < wanted)
      for (const std::int64_t x :
           again.integers(0, total, {wanted - static_cast<std::int64_t>(drawn.size())}).to_vector())
        drawn.insert(x);
    std::int64_t inside = 0;
    for (const std::int64_t x : (a.row().astype<std::int64_t>() * columns + a.col()).to_vector())
      inside += static_cast<std::int64_t>(drawn.count(x));
    CHECK(inside == (excludes ? 0 : count));
  }
}

TEST_CASE("one number along a diagonal, in each place of matrices of each shape") {
  const auto check = [](const auto& a, const auto& expected) {
    CHECK(gp::array_equal(a.toarray(), expected));
    CHECK(a.has_canonical_format());
    CHECK(a.nnz() == gp::count_nonzero(expected).item());
  };
  for (const std::int64_t rows : {1, 3, 5})
    for (const std::int64_t columns : {1, 4})
      for (std::int64_t k = -rows; k <= columns; ++k) {
        INFO(rows << " x " << columns << ", " << k);
        const gp::ndarray<float> ones = gp::eye<float>(rows, columns, k);
        check(sp::eye<float>(rows, columns, k), ones);
        check(sp::eye<float, sp::format::csc>(rows, columns, k), ones);
        check(sp::diags<c64>({c64(0, 2)}, {k}, {rows, columns}), ones * c64(0, 2));
        check(sp::diags<int, sp::format::csc>({0}, {k}, {rows, columns}), gp::zeros<int>({rows, columns}));
      }
}
