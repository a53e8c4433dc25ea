// einsum agrees with NumPy's: subscripts, broadcasting, dtypes, errors; and the order of contractions.
#include <gparray/products/einsum.hpp>

#include "support/golden.hpp"
#include "support/linalg.hpp"

using namespace golden_linalg;

namespace {
using c128 = std::complex<double>;
using gp::einsum;
}  // namespace

TEST_CASE("one operand") {
  NEAR("np.einsum('ij', F((2, 3)))", einsum("ij", F({2, 3})));
  NEAR("np.einsum('ji', F((2, 3)))", einsum("ji", F({2, 3})));
  NEAR("np.einsum('ii', F((3, 3)))", einsum("ii", F({3, 3})));
  NEAR("np.einsum('ii->i', F((3, 3)))", einsum("ii->i", F({3, 3})));
  NEAR("np.einsum('iji->ij', F((3, 2, 3)))", einsum("iji->ij", F({3, 2, 3})));
  NEAR("np.einsum('ijk->', F((2, 3, 4)))", einsum("ijk->", F({2, 3, 4})));
  NEAR("np.einsum('ijk->kj', F((2, 3, 4)))", einsum("ijk->kj", F({2, 3, 4})));
  NEAR("np.einsum('...ij->...ji', F((5, 2, 3)))", einsum("...ij->...ji", F({5, 2, 3})));
  NEAR("np.einsum('i...->...', F((5, 2, 3)))", einsum("i...->...", F({5, 2, 3})));
  NEAR("np.einsum('i...i->...', F((3, 2, 3)))", einsum("i...i->...", F({3, 2, 3})));
  NEAR("np.einsum('aB', F((2, 3)))", einsum("aB", F({2, 3})));
  NEAR("np.einsum('zaZA', F((2, 3, 4, 5)))", einsum("zaZA", F({2, 3, 4, 5})));
  NEAR("np.einsum('->', A(7.))", einsum("->", gp::full(gp::dims{}, 7.)));
  NEAR("np.einsum('i->', F((0,)))", einsum("i->", F({0})));
  NEAR("np.einsum('i->', A([100, 100], 'i1'))", einsum("i->", gp::ndarray<std::int8_t>{100, 100}));
  NEAR("np.einsum('i->', A([True, True]))", einsum("i->", gp::ndarray<bool>{true, true}));
  gp::ndarray<double> a = gp::zeros({3, 3});
  einsum("ii->i", a)(gp::all) = 1.;  // a view
  CHECK(gp::sum(a).item() == 3);
}

TEST_CASE("products of elements, and sums of them") {
  const auto a = F({4, 3, 5}), b = F({5, 4, 3}), of_b = gp::transpose(b, {1, 2, 0});
  CHECK(gp::allclose(einsum("ijk,kij->", a, b), gp::sum(a * of_b)));
  CHECK(gp::allclose(einsum("ijk,kij->j", a, b), gp::sum(a * of_b, {0, 2})));
  CHECK(gp::allclose(einsum("ijk,kij->ki", a, b), gp::sum(a * of_b, 1).T()));
  CHECK(gp::array_equal(einsum("ijk,kij->jki", a, b), gp::transpose(a * of_b, {1, 2, 0})));
  CHECK(gp::array_equal(einsum("ijk,k->ijk", a, b(gp::all, 0, 0)), a * b(gp::all, 0, 0)));
  const gp::ndarray<double> x = a(0), y = a(gp::slice(0, 3), 0);
  CHECK(gp::array_equal(einsum("ij,kj->jki", x, y), gp::transpose(x(gp::all, gp::newaxis) * y, {2, 1, 0})));
  CHECK(einsum("i,i->", gp::ndarray<std::int8_t>{100, 100}, gp::ndarray<std::int8_t>{1, 1}).item() == -56);
  CHECK(einsum("ij,ij->i", gp::ones<bool>({2, 3}), gp::eye<bool>(2, 3)).to_vector() ==
        std::vector<bool>{true, true});
  // Halves are added in float32: a sum in halves would not pass 2048.
  const gp::ndarray<gp::float16> halves = gp::ones<gp::float16>(4096);
  CHECK(einsum("i,i->", halves, halves).item() == gp::float16(4096.f));
}

TEST_CASE("two operands") {
  NEAR("np.einsum('ij,jk', F((2, 3)), F((3, 4)))", einsum("ij,jk", F({2, 3}), F({3, 4})));
  NEAR("np.einsum('ij,jh', F((2, 2), 'i'), F((2, 3), 'i'))", einsum("ij,jh", F<int>({2, 2}), F<int>({2, 3})));
  NEAR("np.einsum(' i j , j k -> k i ', F((2, 3)), F((3, 4)))",
       einsum(" i j , j k -> k i ", F({2, 3}), F({3, 4})));
  NEAR("np.einsum('bij,bjk->bik', F((2, 3, 4)), F((2, 4, 5)))",
       einsum("bij,bjk->bik", F({2, 3, 4}), F({2, 4, 5})));
  NEAR("np.einsum('...ij,...jk', F((2, 1, 3, 4)), F((5, 4, 2)))",
       einsum("...ij,...jk", F({2, 1, 3, 4}), F({5, 4, 2})));
  NEAR("np.einsum('i,j', F((2,)), F((3,)))", einsum("i,j", F({2}), F({3})));
  NEAR("np.einsum('i,i', F((3,), 'D'), F((3,)))", einsum("i,i", F<c128>({3}), F({3})));
  NEAR("np.einsum('i,i->i', np.ones(1), F((3,)))", einsum("i,i->i", gp::ones(1), F({3})));
  NEAR("np.einsum('ij,kj->ik', F((2, 1)), F((4, 3)))", einsum("ij,kj->ik", F({2, 1}), F({4, 3})));
  NEAR("np.einsum('ijk,jil->kl', F((3, 4, 5)), F((4, 3, 2)))",
       einsum("ijk,jil->kl", F({3, 4, 5}), F({4, 3, 2})));
  NEAR("np.einsum('ij,kl->', F((2, 3)), F((4, 5)))", einsum("ij,kl->", F({2, 3}), F({4, 5})));
  NEAR("np.einsum('ii,ij->j', F((3, 3)), F((3, 2)))", einsum("ii,ij->j", F({3, 3}), F({3, 2})));
  NEAR("np.einsum('ij,jk', F((2, 0)), F((0, 4)))", einsum("ij,jk", F({2, 0}), F({0, 4})));
  NEAR("np.einsum('ij,jk', F((2, 3), 'b'), F((3, 2), 'b'))",
       einsum("ij,jk", F<std::int8_t>({2, 3}), F<std::int8_t>({3, 2})));
  NEAR("np.einsum('ij,ij->i', F((2, 3), 'f'), F((2, 3), 'i'))",
       einsum("ij,ij->i", F<float>({2, 3}), F<int>({2, 3})));
  NEAR("np.einsum(',i', A(2.), F((3,)))", einsum(",i", gp::full(gp::dims{}, 2.), F({3})));
}

TEST_CASE("several operands, in every order of contractions") {
  for (const char* how : {"none", "greedy", "optimal"}) {
    CAPTURE(how);
    NEAR("np.einsum('ij,jk,kl->il', F((2, 3)), F((3, 4)), F((4, 5)))",
         einsum("ij,jk,kl->il", F({2, 3}), F({3, 4}), F({4, 5}), {.optimize = how}));
    NEAR("np.einsum('ij,jk,ki->', F((2, 3)), F((3, 4)), F((4, 2)))",
         einsum("ij,jk,ki->", F({2, 3}), F({3, 4}), F({4, 2}), {.optimize = how}));
    NEAR("np.einsum('ab,bc,ad,ce->de', F((2, 3)), F((3, 4)), F((2, 5)), F((4, 2)))",
         einsum("ab,bc,ad,ce->de", F({2, 3}), F({3, 4}), F({2, 5}), F({4, 2}), {.optimize = how}));
    NEAR("np.einsum('i,i,i->i', F((3,)), F((3,)), F((3,)))",
         einsum("i,i,i->i", F({3}), F({3}), F({3}), {.optimize = how}));
    NEAR("np.einsum('i,i,j->ij', F((3,)), F((1,)), F((2,)))",
         einsum("i,i,j->ij", F({3}), F({1}), F({2}), {.optimize = how}));
    NEAR("np.einsum('a,b,c,d,e', F((2,)), F((3,)), F((2,)), F((1,)), F((2,)))",
         einsum("a,b,c,d,e", std::vector{F({2}), F({3}), F({2}), F({1}), F({2})}, {.optimize = how}));
  }
  CHECK_THROWS_AS(einsum("i", F({2}), {.optimize = "best"}), gp::value_error);
}

TEST_CASE("errors of subscripts") {
  NEAR_THROWS("np.einsum('ij->jj', F((2, 2)))", einsum("ij->jj", F({2, 2})));
  NEAR_THROWS("np.einsum('ij,j', F((2, 3)))", einsum("ij,j", F({2, 3})));
  NEAR_THROWS("np.einsum('i,i', F((3,)), F((3,)), F((3,)))", einsum("i,i", F({3}), F({3}), F({3})));
  NEAR_THROWS("np.einsum('ij->ik', F((2, 3)))", einsum("ij->ik", F({2, 3})));
  NEAR_THROWS("np.einsum('ij', F((3,)))", einsum("ij", F({3})));
  NEAR_THROWS("np.einsum('i', F((3, 3)))", einsum("i", F({3, 3})));
  NEAR_THROWS("np.einsum('i1', F((3, 3)))", einsum("i1", F({3, 3})));
  NEAR_THROWS("np.einsum('i.j', F((3, 3)))", einsum("i.j", F({3, 3})));
  NEAR_THROWS("np.einsum('i...j->i', F((3, 4, 3)))", einsum("i...j->i", F({3, 4, 3})));
  NEAR_THROWS("np.einsum('ii', F((3, 4)))", einsum("ii", F({3, 4})));
  for (const gp::ndarray<double>& a : {F({1, 3}), F({3, 1})})
    CHECK_THROWS_AS(einsum("ii", a), gp::value_error);  // a diagonal broadcasts nothing
  CHECK_THROWS_AS(einsum("ij,jk", F({2, 3}), F({4, 5})), gp::value_error);
}

TEST_CASE("the order of einsum") {
  const auto positions = [](const gp::einsum_path_result& r) {
    gp::ndarray<std::int64_t> all = gp::zeros<std::int64_t>({static_cast<std::int64_t>(r.path.size()), 2});
    for (std::size_t i = 0; i < r.path.size(); ++i) all(i) = gp::array(r.path[i]);
    return all;
  };
  const auto f = [](std::initializer_list<std::int64_t> shape) { return gp::ones(gp::dims(shape)); };
  const auto chain = gp::einsum_path("ij,jk,kl->il", f({10, 20}), f({20, 5}), f({5, 30}));
  GOLDEN("np.einsum_path('ij,jk,kl->il', np.ones((10, 20)), np.ones((20, 5)), np.ones((5, 30)))[1]",
         chain.text);
  GOLDEN("A(np.einsum_path('ij,jk,kl->il', np.ones((10, 20)), np.ones((20, 5)), np.ones((5, 30)))[0][1:])",
         positions(chain));
  const auto five =
      gp::einsum_path("ea,fb,abcd,gc,hd->efgh", f({4, 3}), f({4, 3}), f({3, 3, 3, 3}), f({4, 3}), f({4, 3}));
  GOLDEN(
      "np.einsum_path('ea,fb,abcd,gc,hd->efgh', *[np.ones((4, 3))]*2, np.ones((3, 3, 3, 3)), *[np.ones((4, "
      "3))]*2)[1]",
      five.text);
  GOLDEN("np.einsum_path('ii->i', np.ones((3, 3)))[1]", gp::einsum_path("ii->i", f({3, 3})).text);
  GOLDEN("np.einsum_path('ij,jk', np.ones((2, 3)), np.ones((3, 4)))[1]",
         gp::einsum_path("ij,jk", f({2, 3}), f({3, 4})).text);
  const std::vector<gp::ndarray<double>> list{f({2, 3}), f({3, 4}), f({4, 2})};
  CHECK(gp::einsum_path("ij,jk,kl", list, {.optimize = "none"}).path ==
        std::vector<std::vector<std::int64_t>>{{0, 1}, {0, 1}});
  CHECK(gp::einsum_path("...i,...i", f({5, 3}), f({3})).path ==
        std::vector<std::vector<std::int64_t>>{{0, 1}});
  GOLDEN_THROWS("np.einsum_path('ij,jk', np.ones((2, 3)), np.ones((2, 4)))",
                gp::einsum_path("ij,jk", f({2, 3}), f({2, 4})));
}
