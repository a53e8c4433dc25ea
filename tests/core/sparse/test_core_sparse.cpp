// What the library composes where an engine has no routine agrees with the CPU's routines.
#include <core/sparse/filter.hpp>
#include <core/sparse/sparse.hpp>
#include <gparray/sparse.hpp>

#include "support/sparse.hpp"

using namespace golden_sparse;
using namespace gparray::core;

namespace {

/// A matrix with entries at a tenth of its positions, whole numbers from -9 to 9.
template<class V>
sp::csr_matrix<V> sample(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  gp::random::Generator rng = gp::random::default_rng(seed);
  const auto pattern = sp::random(rows, columns, 0.1, rng);
  return pattern.with_data(gp::ndarray<V>(gp::floor(pattern.data() * 19. - 9.).template astype<V>()));
}

template<gp::sparse_like A>
void check_same(const A& have, const A& want) {
  CHECK(have.has_canonical_format());
  CHECK(have.shape() == want.shape());
  CHECK(gp::array_equal(have.indptr(), want.indptr()));
  CHECK(gp::array_equal(have.indices(), want.indices()));
  CHECK(gp::array_equal(have.data(), want.data()));
}

template<class V>
sp::csr_matrix<V> typed(sparse_parts&& parts) {
  return {std::move(parts), gp::detail::adopt_t{}};
}

template<class V>
void check_type() {
  const auto a = sample<V>(40, 50, 1), b = sample<V>(40, 50, 2), c = sample<V>(50, 30, 3),
             none = sp::csr_matrix<V>(gp::dims{40, 50});
  for (const gp::ufunc f : {gp::ufunc::add, gp::ufunc::multiply, gp::ufunc::maximum, gp::ufunc::minimum}) {
    const auto check = [&](const auto& x, const auto& y) {
      check_same(typed<V>(combine_by_search(f, x.parts(), y.parts())),
                 typed<V>(gp::detail::sparse_combine(f, x.parts(), y.parts(), gp::dtype_of<V>)));
    };
    check(a, b);
    check(a, a);
    check(a, none);
    check(none, b);
  }
  check_same(typed<V>(multiply_by_expansion(a.parts(), c.parts())), gp::matmul(a, c));
  for (const gp::dims& shape : {gp::dims{50}, gp::dims{50, 3}}) {
    const gp::ndarray<V> x = D<V>(shape);
    gp::dims out = shape;
    out[0] = 40;
    const gp::ndarray<V> y = gp::empty<V>(out);
    times_dense_by_products(a.parts(), x, y);
    CHECK(gp::array_equal(y, gp::matmul(a, x)));
  }
}

}  // namespace

TEST_CASE("combinations, products, and products with arrays without the engine's routines") {
  check_type<double>();
  check_type<std::int32_t>();
  check_type<std::complex<float>>();
}

TEST_CASE("products of rows with many columns are hashed") {
  // 2^23 columns are too many for sums of all of them; 300 products a row are few.
  const auto a = sample<double>(60, 80, 5), narrow = sample<double>(80, 2000, 6);
  const sp::csr_matrix<double> b(narrow.data(), gp::ndarray<std::int32_t>(narrow.indices() * 4001),
                                 narrow.indptr(), gp::dims{80, std::int64_t{1} << 23});
  check_same(gp::matmul(a, b), typed<double>(multiply_by_expansion(a.parts(), b.parts())));
}

TEST_CASE("products of short rows, of rows at the border and of long ones") {
  // From 1 to 300 products a row, among which some are at the same position.
  for (const std::int64_t each : {1, 3, 15, 16, 17, 18}) {
    const std::int64_t n = 400;
    const gp::ndarray<std::int64_t> entry = gp::arange<std::int64_t>(n * each);
    const gp::ndarray<std::int64_t> row = gp::floor_divide(entry, each),
                                    column = (entry * 37 + row * row) % n;
    const gp::ndarray<double> values = (entry % std::int64_t{13} - std::int64_t{6}).astype<double>();
    const sp::csr_matrix<double> a(values, {row, column}, {{n, n}});
    check_same(gp::matmul(a, a), typed<double>(multiply_by_expansion(a.parts(), a.parts())));
  }
}

TEST_CASE("vectors times rows of one length, up to the longest that has a loop of its own and beyond") {
  for (const std::int64_t each : {1, 2, 8, 9, 10}) {
    CAPTURE(each);
    const std::int64_t n = 50;
    const gp::ndarray<std::int64_t> entry = gp::arange<std::int64_t>(n * each);
    const gp::ndarray<double> values = gp::remainder(entry, std::int64_t{13}).astype<double>() - 6.;
    const sp::csr_matrix<double> a(
        values,
        {gp::ndarray<std::int64_t>(gp::floor_divide(entry, each)), gp::ndarray<std::int64_t>(entry * 3 % n)},
        {{n, n}});
    const gp::ndarray<double> x = gp::arange<double>(n), full = a.toarray();
    CHECK(gp::array_equal(gp::matmul(a, x), gp::matmul(full, x)));
    CHECK(gp::array_equal(gp::matmul(a.T(), x), gp::matmul(full.T(), x)));
    CHECK(gp::array_equal(a.diagonal(), gp::diagonal(full)));
  }
}

TEST_CASE("sums and products of rows of which one begins as the other, or as the rows behind it") {
  const gp::ndarray<double> number = gp::arange<double>(1, 65).reshape({8, 8});
  const gp::ndarray<double> diagonal = gp::triu(gp::tril(number));
  const sp::csr_matrix<double> a(diagonal);
  for (int width = 0; width < 8; ++width) {
    CAPTURE(width);
    const gp::ndarray<double> band = gp::triu(gp::tril(number, width)) * 2.;
    const sp::csr_matrix<double> b(band);
    check_same(a + b, sp::csr_matrix<double>(diagonal + band));
    check_same(b + a, sp::csr_matrix<double>(diagonal + band));
    check_same(a - b, sp::csr_matrix<double>(diagonal - band));
    check_same(b - a, sp::csr_matrix<double>(band - diagonal));
    check_same(a.multiply(b), sp::csr_matrix<double>(diagonal * band));
    check_same(sp::maximum(a, b), sp::csr_matrix<double>(gp::maximum(diagonal, band)));
    check_same(sp::minimum(b, a), sp::csr_matrix<double>(gp::minimum(diagonal, band)));
  }
}

TEST_CASE("rows of diagonals that end within the matrix, and their products") {
  for (const gp::dims& shape : {gp::dims{2100, 1500}, gp::dims{1500, 2100}, gp::dims{3, 2}}) {
    const std::int64_t m = shape[0], n = shape[1];
    const std::vector<std::int64_t> offsets{1400, 0, -1024, 2, -2099};
    const std::int64_t width = n - 1;
    const gp::ndarray<double> data =
        gp::remainder(gp::arange<double>(5 * width), 7.).reshape({5, width}) - 3.;  // some are 0
    const sp::dia_matrix<double> a(data, gp::ndarray<std::int64_t>(offsets), shape);
    gp::ndarray<double> full = gp::zeros<double>(shape);
    const std::vector<double> values = data.to_vector();
    for (std::size_t k = 0; k < offsets.size(); ++k)
      for (std::int64_t j = 0; j < width; ++j)
        if (const std::int64_t i = j - offsets[k]; i >= 0 && i < m)
          full(i, j) = values[k * static_cast<std::size_t>(width) + static_cast<std::size_t>(j)];
    CHECK(gp::array_equal(a.toarray(), full));
    check_same(a.tocsr(), sp::csr_matrix<double>(full));
    const gp::ndarray<double> x = gp::remainder(gp::arange<double>(n), 5.),
                              wide = gp::remainder(gp::arange<double>(3 * n), 5.).reshape({n, 3});
    CHECK(gp::array_equal(gp::matmul(a, x), gp::matmul(full, x)));
    CHECK(gp::array_equal(gp::matmul(a, wide), gp::matmul(full, wide)));
  }
}

TEST_CASE("rows and columns that are picked, with entries out of order and at one place") {
  const gp::ndarray<double> data = gp::arange<double>(1., 9.);
  const gp::ndarray<std::int32_t> indices{3, 1, 1, 0, 4, 4, 2, 0}, indptr{0, 3, 3, 5, 8};
  const sp::csr_matrix<double> a(data, indices, indptr, {{4, 5}});
  const auto columns = a(gp::slice(), gp::slice(1, 4));
  CHECK(columns.indices().to_vector() == std::vector<std::int32_t>{2, 0, 0, 1});
  CHECK(columns.indptr().to_vector() == std::vector<std::int32_t>{0, 3, 3, 3, 4});
  CHECK(columns.data().to_vector() == std::vector<double>{1, 2, 3, 7});
  CHECK(columns.shape() == gp::dims{4, 3});
  const auto rows = a.take(gp::ndarray<std::int64_t>{3, -4, 1, 3}, 0);
  CHECK(rows.indices().to_vector() == std::vector<std::int32_t>{4, 2, 0, 3, 1, 1, 4, 2, 0});
  CHECK(rows.indptr().to_vector() == std::vector<std::int32_t>{0, 3, 6, 6, 9});
  CHECK(rows.data().to_vector() == std::vector<double>{6, 7, 8, 1, 2, 3, 6, 7, 8});
  CHECK(!rows.has_canonical_format());
  CHECK(a(gp::slice(), gp::slice(2, 2)).nnz() == 0);
  CHECK(a.take(gp::ndarray<std::int64_t>{1}, 0).nnz() == 0);
}

TEST_CASE("compressed rows below each other") {
  const auto a = sample<double>(40, 50, 1), b = sample<double>(3, 50, 2),
             none = sp::csr_matrix<double>(gp::dims{2, 50});
  const auto both = sp::vstack<sp::format::csr>({none, a, none, b});
  CHECK(both.has_canonical_format());
  CHECK(both.nnz() == a.nnz() + b.nnz());
  CHECK(gp::array_equal(both.toarray(),
                        gp::concatenate(none.toarray(), a.toarray(), none.toarray(), b.toarray())));
  const auto transposed = sp::hstack<sp::format::csc>({a.T(), b.T()});
  CHECK(gp::array_equal(transposed.toarray(), gp::concatenate(a.T().toarray(), b.T().toarray(), 1)));
  // Side by side, rows have entries of both.
  CHECK(gp::array_equal(sp::hstack<sp::format::csr>({a, a}).toarray(),
                        gp::concatenate(a.toarray(), a.toarray(), 1)));
}

TEST_CASE("a product's entries must be countable") {
  CHECK_THROWS_AS(check_product_count(std::int64_t{1} << 31, gp::dtype::int32), gp::overflow_error);
  check_product_count(std::int64_t{1} << 31, gp::dtype::int64);
  check_product_count((std::int64_t{1} << 31) - 1, gp::dtype::int32);
}

TEST_CASE("entries are sorted where an axis has more than 16 numbers for each, and for 4096 others") {
  for (const std::int64_t entries : {0, 4095, 4096, 4097, 100000}) {
    CAPTURE(entries);
    const std::int64_t most = 16 * std::max<std::int64_t>(entries, 4096) + 15;
    CHECK_FALSE(mostly_empty(most, entries));
    CHECK(mostly_empty(most + 1, entries));
  }
}

TEST_CASE("the table of sparse formats agrees with itself") {
  for (std::size_t i = 0; i < std::size(gp::detail::sparse_format_rows); ++i) {
    const auto f = static_cast<sp::format>(i);
    const gp::detail::sparse_format_row& row = gp::detail::row(f);
    INFO(row.name);
    CHECK(sp::transposed(sp::transposed(f)) == f);
    CHECK(gp::detail::row(sp::transposed(f)).layout == row.layout);
    CHECK(sp::is_compressed(sp::compressed(f)));
    CHECK((sp::compressed(f) == f) == sp::is_compressed(f));
    CHECK((sp::transposed(f) != f) == sp::is_compressed(f));
    CHECK(row.minor.empty() != gp::detail::has_entries(f));
    CHECK(gp::detail::has_entries(gp::detail::with_entries(f)));
  }
}
