// Every function of sparse matrices in every format, against SciPy: sparse/make_sparse_golden.py has the same
// loops.
#include <fmt/format.h>

#include <gparray/sparse/linalg.hpp>

#include "support/sparse.hpp"

using namespace golden_sparse;
using sp::format;

namespace {

constexpr const char* names[] = {"csr", "csc", "coo", "dia"};

template<class V>
constexpr char code = std::is_same_v<V, float>          ? 'f'
                      : std::is_same_v<V, double>       ? 'd'
                      : std::is_same_v<V, std::int32_t> ? 'i'
                                                        : 'D';

template<format F, class V>
sp::matrix<V, F> matrix_of(const gp::dims& shape = {4, 5}) {
  return sp::matrix<V, F>(S<V>(shape));
}

/// "csr(S((4, 5), 'f'))"
template<format F, class V>
std::string text_of() {
  return fmt::format("{}(S((4, 5), '{}'))", names[static_cast<int>(F)], code<V>);
}

/// SciPy gives numbers and rows of matrices where we give arrays.
template<gp::element V>
void check_values(const std::string& expression, const gp::ndarray<V>& result) {
  CAPTURE(expression);
  check_elements(result, answer(expression));
}
template<gp::element V>
void check_raveled(const std::string& expression, const gp::ndarray<V>& result) {
  check_values(expression, gp::ndarray<V>(result.ravel()));
}

template<format F, class V>
void check_maps() {
  const std::string text = "(" + text_of<F, V>() + " * .125).";
  const sp::matrix<V, F> a = matrix_of<F, V>() * .125;
#define CHECK_MAP(name) check(text + #name "()", a.name());
  CHECK_MAP(sqrt)
  CHECK_MAP(sign)
  CHECK_MAP(sin)
  CHECK_MAP(tan)
  CHECK_MAP(arcsin)
  CHECK_MAP(arctan)
  CHECK_MAP(sinh)
  CHECK_MAP(tanh)
  CHECK_MAP(arcsinh)
  CHECK_MAP(arctanh)
  CHECK_MAP(expm1)
  CHECK_MAP(log1p)
  CHECK_MAP(rint)
  CHECK_MAP(floor)
  CHECK_MAP(ceil)
  CHECK_MAP(trunc)
  CHECK_MAP(deg2rad)
  CHECK_MAP(rad2deg)
#undef CHECK_MAP
  check("abs(" + text_of<F, V>() + ")", matrix_of<F, V>().abs());
}

template<format F>
void check_maps_of_integers() {
  const std::string text = text_of<F, std::int32_t>();
  const auto a = matrix_of<F, std::int32_t>();
  check(text + ".sin()", a.sin());
  check(text + ".sqrt()", a.sqrt());
  check(text + ".sign()", a.sign());
  check(text + ".floor()", a.floor());
}

template<format F>
void check_complex_parts() {
  using V = std::complex<double>;
  const std::string text = text_of<F, V>();
  const auto a = matrix_of<F, V>();
  check_values(text + ".real.toarray()", a.real().toarray());
  check_values(text + ".imag.toarray()", a.imag().toarray());
  check_values(text + ".conj().toarray()", a.conj().toarray());
  check_values(text + ".T.toarray()", a.T().toarray());
}

template<format F, class V>
void check_reductions() {
  const std::string text = text_of<F, V>(), array = "np.asarray(" + text;
  const auto a = matrix_of<F, V>();
  check_raveled(array + ".sum()).ravel()", a.sum());
  check_raveled(array + ".mean()).ravel()", a.mean());
  for (const int axis : {0, 1}) {
    check_raveled(fmt::format("{}.sum({})).ravel()", array, axis), a.sum(axis));
    check_raveled(fmt::format("{}.mean({})).ravel()", array, axis), a.mean(axis));
    check_values(fmt::format("{}.trace({}))", array, axis), gp::ndarray(a.trace(axis)));
  }
  for (const int k : {-2, 0, 1}) check_values(fmt::format("{}.diagonal({})", text, k), a.diagonal(k));
}

template<format F, class V>
void check_extremes() {
  const std::string text = text_of<F, V>(), array = "np.asarray(" + text;
  const auto a = matrix_of<F, V>();
  check_values(array + ".max())", a.max());
  check_values(array + ".min())", a.min());
  for (const int axis : {0, 1}) {
    check_values(fmt::format("{}.max({}).toarray().ravel()", text, axis), a.max(axis));
    check_values(fmt::format("{}.min({}).toarray().ravel()", text, axis), a.min(axis));
  }
}

template<format F>
void check_counts() {
  const std::string array = fmt::format("np.asarray({}(S((4, 5))).", names[static_cast<int>(F)]);
  const auto a = matrix_of<F, double>();
  check_values(array + "getnnz()).astype('l')", a.getnnz());
  check_values(array + "count_nonzero()).astype('l')", a.count_nonzero());
  for (const int axis : {0, 1}) {
    check_values(fmt::format("{}getnnz({})).astype('l')", array, axis), a.getnnz(axis));
    check_values(fmt::format("{}count_nonzero({})).astype('l')", array, axis), a.count_nonzero(axis));
  }
}

template<format F, format G>
void check_pair() {
  const char *f = names[static_cast<int>(F)], *g = names[static_cast<int>(G)];
  const auto a = matrix_of<F, double>();
  const sp::matrix<double, G> b(D({4, 5})), c(D({5, 3})), small(D({2, 3}));
  const auto both = [&](const char* pattern) { return fmt::format(fmt::runtime(pattern), f, g); };
  check_values(both("({}(S((4, 5))) + {}(D((4, 5)))).toarray()"), (a + b).toarray());
  check_values(both("({}(S((4, 5))) - {}(D((4, 5)))).toarray()"), (a - b).toarray());
  check_values(both("{}(S((4, 5))).tocsr().multiply({}(D((4, 5)))).toarray()"), a.multiply(b).toarray());
  check_values(both("{}(S((4, 5))).tocsr().maximum({}(D((4, 5)))).toarray()"), sp::maximum(a, b).toarray());
  check_values(both("{}(S((4, 5))).tocsr().minimum({}(D((4, 5)))).toarray()"), sp::minimum(a, b).toarray());
  check_values(both("({}(S((4, 5))) @ {}(D((5, 3)))).toarray()"), gp::matmul(a, c).toarray());
  check_values(both("sp.kron({}(S((4, 5))), {}(D((2, 3)))).toarray()"), sp::kron(a, small).toarray());
  check(both("{}(S((4, 5))).to{}()"), a.template to<G>());
  const auto rows = a.tocsr(), others = matrix_of<G, double>().tocsr();
  check_values(both("sp.hstack([{}(S((4, 5))), {}(S((4, 5)))]).toarray()"),
               sp::hstack<>({rows, others}).toarray());
  check_values(both("sp.vstack([{}(S((4, 5))), {}(S((4, 5)))]).toarray()"),
               sp::vstack<>({rows, others}).toarray());
  check_values(both("sp.block_diag([{}(S((4, 5))), {}(S((4, 5)))]).toarray()"),
               sp::block_diag<>({rows, others}).toarray());
}

template<format F>
void check_triangles() {
  const auto a = matrix_of<F, double>();
  for (const int k : {-1, 0, 2}) {
    const std::string rest = fmt::format("({}(S((4, 5))), k={}).toarray()", names[static_cast<int>(F)], k);
    check_values("sp.tril" + rest, sp::tril(a, k).toarray());
    check_values("sp.triu" + rest, sp::triu(a, k).toarray());
  }
}

template<format F>
void check_pairs() {
  check_pair<F, format::csr>();
  check_pair<F, format::csc>();
  check_pair<F, format::coo>();
  check_pair<F, format::dia>();
}

}  // namespace

/// call.operator()<F>() for each format.
template<class Call>
void each_format(Call call) {
  call.template operator()<format::csr>();
  call.template operator()<format::csc>();
  call.template operator()<format::coo>();
  call.template operator()<format::dia>();
}

TEST_CASE("functions of entries") {
  each_format([]<format F>() {
    check_maps<F, float>();
    check_maps<F, double>();
    check_maps_of_integers<F>();
    check_complex_parts<F>();
  });
}

TEST_CASE("reductions and diagonals") {
  each_format([]<format F>() {
    check_reductions<F, float>();
    check_reductions<F, std::int32_t>();
    check_reductions<F, std::complex<double>>();
    if constexpr (F != format::dia) {
      check_extremes<F, float>();
      check_extremes<F, std::int32_t>();
      check_counts<F>();
    }
  });
}

TEST_CASE("two matrices of any formats") {
  each_format([]<format F>() { check_pairs<F>(); });
}

TEST_CASE("triangles") {
  each_format([]<format F>() { check_triangles<F>(); });
}
