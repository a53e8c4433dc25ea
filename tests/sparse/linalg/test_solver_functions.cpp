// norm and matrix_power of sparse matrices agree with SciPy.
#include <gparray/sparse/linalg.hpp>

#include "support/error_text.hpp"
#include "support/linalg.hpp"

using namespace golden_linalg;
namespace sparse = gparray::sparse;
namespace ssl = gparray::sparse::linalg;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("norm") {
  const sparse::csc_matrix<double> a(F({5, 4}));
  NEAR("ssl.norm(sp.csc_array(F((5, 4))))", ssl::norm(a));
  NEAR("ssl.norm(sp.csc_array(F((5, 4))))", ssl::norm(a.tocoo(), "fro"));
  NEAR("ssl.norm(sp.csc_array(F((5, 4))), 1)", ssl::norm(a, 1));
  NEAR("ssl.norm(sp.csc_array(F((5, 4))), -1)", ssl::norm(a.todia(), -1));
  NEAR("ssl.norm(sp.csc_array(F((5, 4))), np.inf)", ssl::norm(a, infinity));
  NEAR("ssl.norm(sp.csc_array(F((5, 4))), -np.inf)", ssl::norm(a, -infinity));
  NEAR("la.norm(F((5, 4)), 2)", ssl::norm(a, 2));
  NEAR("ssl.norm(sp.csc_array(F((5, 4), 'F')), 1)",
       ssl::norm(sparse::csr_matrix<std::complex<float>>(F<std::complex<float>>({5, 4})), 1));
  check_contains(error_of<gp::value_error>([&] { (void)ssl::norm(a, 3); }),
                 "Invalid norm order for matrices");
  check_contains(error_of<gp::value_error>([&] { (void)ssl::norm(a, "nuc"); }), "order for matrices: 'nuc'");
}

TEST_CASE("matrix_power") {
  const sparse::csr_matrix<double> a(L(5));
  NEAR("ssl.matrix_power(sp.csr_array(L(5)), 0).toarray()", ssl::matrix_power(a, 0).toarray());
  NEAR("ssl.matrix_power(sp.csr_array(L(5)), 1).toarray()", ssl::matrix_power(a, 1).toarray());
  NEAR("ssl.matrix_power(sp.csr_array(L(5)), 6).toarray()", ssl::matrix_power(a.tocsc(), 6).toarray());
  NEAR("ssl.matrix_power(sp.csr_array(L(5)), 7).toarray()", ssl::matrix_power(a.todia(), 7).toarray());
  check_contains(error_of<gp::value_error>([&] { (void)ssl::matrix_power(a, -1); }), "exponent must be >= 0");
  CHECK_THROWS_AS((void)ssl::matrix_power(sparse::csr_matrix<double>(F({2, 3})), 2),
                  gp::type_error);  // SciPy's
}
