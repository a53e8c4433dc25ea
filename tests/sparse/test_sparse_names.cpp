// SciPy's other names of sparse matrices, and what they print.
#include <sstream>

#include <doctest/doctest.h>

#include <gparray/format.hpp>
#include <gparray/sparse.hpp>

namespace gp = gparray;
namespace sp = gp::sparse;

TEST_CASE("names and texts of sparse matrices") {
  const auto dense = gp::array({{1., 0., 2.}, {0., 0., -3.5}});
  const sp::csr_array<double> a(dense);
  static_assert(std::is_same_v<sp::dia_array<float>, sp::dia_matrix<float>>);
  CHECK(sp::isspmatrix(a));
  CHECK(sp::isspmatrix_csr(a));
  CHECK(!sp::isspmatrix_csc(a));
  CHECK(!sp::isspmatrix_coo(dense));
  CHECK(sp::matrix_transpose(a).shape() == gp::dims{3, 2});
  CHECK(sp::eye_array(3).toarray().to_vector() == gp::eye(3).to_vector());
  CHECK(sp::get_index_dtype() == gp::dtype::int32);
  CHECK(sp::get_index_dtype(std::int64_t{1} << 31) == gp::dtype::int64);
  CHECK(sp::get_index_dtype(0, {gp::zeros<std::int64_t>(2)}) == gp::dtype::int64);
  auto rng = gp::random::default_rng(1);
  CHECK(sp::random_array({4, 5}, .5, rng).nnz() == 10);
  const std::string text =
      "<Compressed Sparse Row sparse matrix of dtype 'float64'\n\twith 3 stored elements and shape (2, 3)>\n"
      "  Coords\tValues\n  (0, 0)\t1.0\n  (0, 2)\t2.0\n  (1, 2)\t-3.5";
  CHECK(fmt::format("{}", a) == text);
  std::ostringstream out;
  out << a;
  CHECK(out.str() == text);
}
