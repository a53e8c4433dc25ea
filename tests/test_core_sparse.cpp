// What the library composes where an engine has no routine agrees with the CPU's routines.
#include <core/sparse.hpp>
#include <gparray/sparse.hpp>

#include "support/sparse.hpp"

using namespace golden_sparse;
using namespace gparray::core;

namespace {

/// A matrix with entries at a tenth of its places, whole numbers from -9 to 9.
template<class V>
sp::csr_matrix<V> sample(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  gp::random::Generator rng = gp::random::default_rng(seed);
  const auto places = sp::random(rows, columns, 0.1, rng);
  return places.with_data(gp::ndarray<V>(gp::floor(places.data() * 19. - 9.).template astype<V>()));
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

TEST_CASE("a product's entries must be countable") {
  CHECK_THROWS_AS(check_product_count(std::int64_t{1} << 31, gp::dtype::int32), gp::overflow_error);
  check_product_count(std::int64_t{1} << 31, gp::dtype::int64);
  check_product_count((std::int64_t{1} << 31) - 1, gp::dtype::int32);
}
