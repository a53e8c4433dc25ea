// Sparse matrices of all ranks against those of one process, by bits.
#include <gparray/distributed/sparse.hpp>

#include "distributed/ranks.hpp"

using namespace ranks;
namespace sp = gp::sparse;

namespace {

/// Entries in no order, several at one position among them, and rows without any.
template<class V>
sp::csr_matrix<V> some_matrix(std::int64_t rows, std::int64_t columns, std::int64_t entries) {
  gp::random::Generator random(11);
  const gp::ndarray<std::int64_t> row = gp::sort(random.integers<std::int64_t>(0, rows, entries));
  const gp::ndarray<std::int64_t> column = random.integers<std::int64_t>(0, columns, entries);
  const gp::ndarray<std::int64_t> indptr = gp::searchsorted(row, gp::arange<std::int64_t>(rows + 1));
  const gp::ndarray<double> values = random.standard_normal<double>(entries) * 3.;
  return {values.astype<V>(), column, indptr, {rows, columns}};
}

template<class A, class B>
bool same_matrix(const A& a, const B& b) {
  return a.shape() == b.shape() && same_bits(a.data(), b.data()) && same_bits(a.indices(), b.indices()) &&
         same_bits(a.indptr(), b.indptr());
}

/// The same bits on the CPU; a GPU's library may add the terms of a row in another order for other rows.
template<class V>
bool same_product(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  if (a.device().is_cpu()) return same_bits(a, b);
  return a.shape() == b.shape() && gp::allclose(a, b, {.rtol = 1e-4, .atol = 1e-2});
}

template<class V>
gp::ndarray<V> some_vector(const gp::dims& shape) {
  return gp::ndarray<double>(gp::random::Generator(5).standard_normal<double>(shape) * 10.).astype<V>();
}

}  // namespace

TEST_CASE("a sparse matrix is cut into rows, and comes back as it was") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto whole = some_matrix<double>(23, 17, 90);
    const auto a = gd::shard(whole, rows);
    note.check(a.shape() == gp::dims{23, 17} && a.nnz() == 90 && a.dtype() == gp::dtype::float64, "shape");
    const std::int64_t first = a.local_offset(), last = first + a.local().shape(0);
    const auto here = [&](const auto& matrix) { return matrix(gp::slice(first, last), gp::slice()); };
    note.check(same_matrix(a.local(), here(whole)) && a.data().size() == a.local().nnz(), "local");
    note.check(same_matrix(gd::from_local(a.local(), rows).gather(), whole), "from_local");
    const int root = world.size() - 1;
    const auto given = world.rank() == root ? whole : sp::csr_matrix<double>();
    note.check(same_matrix(gd::scatter(given, root, rows).local(), here(whole)), "scatter");
    const auto on_root = a.gather_to(root);
    note.check(world.rank() == root ? same_matrix(on_root, whole) : on_root.nnz() == 0, "gather_to");
    note.check(same_matrix((-(a * 2.f) / 3.).local(), here(-(whole * 2.f) / 3.)), "numbers");
    note.check(same_matrix(a.astype<float>().local(), here(whole.astype<float>())), "astype");
    note.check(same_bits(a.diagonal().gather(), whole.diagonal()), "diagonal");
    const auto wide = gd::shard(whole.T(), rows).diagonal();
    const std::int64_t begin = wide.local_offset()[0];
    note.check(same_bits(wide.local(), whole.diagonal()(gp::slice(begin, begin + wide.local_shape()[0]))),
               "wide diagonal");
    std::ostringstream text, expected;
    text << a;
    expected << whole;
    note.check(text.str() == expected.str(), "text");
  });
}

TEST_CASE("products have the bits of one process") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto check = [&]<class V, class X>(V, X, std::int64_t n, std::int64_t m, std::int64_t entries) {
      const auto whole = some_matrix<V>(n, m, entries);
      const auto a = gd::shard(whole, rows);
      for (const gp::dims& shape : {gp::dims{m}, gp::dims{m, 3}}) {
        const auto x = some_vector<X>(shape);
        const auto y = gp::matmul(a, gd::shard(x, a.column_layout()));
        const std::int64_t first = a.local_offset(), last = first + y.local_shape()[0];
        using product = gp::ndarray<gp::result_type_t<V, X>>;
        note.check(y.local_offset()[0] == first && y.shape(0) == n &&
                       same_product(y.local(), product(gp::matmul(whole, x)(gp::slice(first, last)))),
                   std::to_string(n) + " rows");
      }
    };
    check(double{}, double{}, 40, 40, 300);
    check(float{}, double{}, 40, 40, 300);
    check(std::complex<float>{}, float{}, 40, 25, 200);
    check(std::int32_t{}, std::int32_t{}, 25, 40, 200);
    check(double{}, double{}, 3, 40, 30);  // some ranks have no row
    check(double{}, double{}, 40, 3, 30);  // some ranks have no column
    check(double{}, double{}, 40, 40, 0);
  });
}

TEST_CASE("boundaries of one's own, expressions as factors, other values in the same places") {
  with_ranks({3}, [](const gd::communicator& world, notes& note) {
    const auto uneven = gd::layout::rows(world).with_boundaries(0, {0, 0, 31, 40});
    const auto whole = some_matrix<double>(40, 40, 300);
    const auto a = gd::shard(whole, uneven);
    const auto v = some_vector<double>({40});
    const gd::sharded<double> x = gd::shard(v, uneven);
    note.check(same_product(a.dot(gp::exp(-x) * 2.).gather(),
                            gp::matmul(whole, gp::ndarray<double>(gp::exp(-v) * 2.))),
               "an expression");
    // What is in one place is added without a look at layouts.
    const gd::sharded<double> r = x - gp::matmul(a, x);
    note.check(same_product(r.gather(), gp::ndarray<double>(v - gp::matmul(whole, v))), "residual");
    const auto b = a.with_data(gp::square(a.data()));
    note.check(
        same_product(gp::matmul(b, x).gather(), gp::matmul(whole.with_data(gp::square(whole.data())), v)),
        "with_data");
  });
  // Of a window each rank has less at its ends.
  with_ranks({1, 3}, [](const gd::communicator& world, notes& note) {
    const auto whole = some_matrix<double>(40, 40, 300);
    const auto v = some_vector<double>({42});
    const gd::sharded<double> x = gd::shard(v, gd::layout::rows(world)), inner = x("1:-1");
    const auto a = gd::shard(whole, inner.layout());
    const gp::ndarray<double> product = gp::matmul(whole, v("1:-1").copy());
    note.check(same_product(gp::matmul(a, inner).gather(), product), "product of a window");
    x("1:-1") = gp::matmul(a, inner);
    note.check(same_product(x("1:-1").gather(), product), "written to a window");
  });
  // Rows along one axis of a grid: every line has all of them.
  with_ranks({4}, [](const gd::communicator& world, notes& note) {
    if (world.size() != 4) return;
    const auto lines = gd::layout::blocks(gd::mesh(world, {2, 2}), {1});
    const auto whole = some_matrix<double>(20, 20, 80);
    const auto a = gd::shard(whole, lines);
    const auto x = some_vector<double>({20});
    note.check(a.nnz() == 80 && same_matrix(a.gather(), whole), "gather of a line");
    note.check(same_product(gp::matmul(a, gd::shard(x, lines)).gather(), gp::matmul(whole, x)),
               "product of a line");
    const auto on_root = a.gather_to(3);
    const bool beside = world.rank() == 3;
    note.check(beside ? same_matrix(on_root, whole) : on_root.shape(0) == 0, "gather_to of a line");
  });
}

TEST_CASE("what does not fit is an error on all ranks") {
  with_ranks({2, 3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto whole = some_matrix<double>(40, 40, 300);
    const auto a = gd::shard(whole, rows);
    const auto refused = [&](const char* text, const auto& f) {
      note.check(contains(error_of<gp::value_error>(f), text), text);
    };
    refused("is cut by its rows alone", [&] { return gd::shard(whole, gd::layout::replicated(world)); });
    refused("is cut by its rows alone", [&] { return gd::shard(whole, gd::layout::blocks(world, {-1, 0})); });
    refused("dimension mismatch of a sparse matrix (40,40) with an array (41,)",
            [&] { return gp::matmul(a, gd::zeros({41}, rows)); });
    refused("x.reshard(a.column_layout())",
            [&] { return gp::matmul(a, gd::zeros({40}, gd::layout::replicated(world))); });
    refused("of rank 1 have 4 columns of float64, those of rank 0 3 columns of float64",
            [&] { return gd::from_local(sp::csr_matrix<double>(gp::dims{2, 3 + world.rank()}), rows); });
    refused("the entries of a matrix have the shape",
            [&] { return a.with_data(gp::zeros(a.data().size() + 1)); });
  });
}
