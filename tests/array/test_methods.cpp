// The methods of arrays are the functions of their names; those that are nothing else, against NumPy.
#include <complex>

#include "support/golden.hpp"
#include "support/temporary_folder.hpp"
#include "support/traps.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;
using c128 = std::complex<double>;

namespace {

gp::ndarray<i64> matrix() { return gp::array({{3, 1, 2}, {0, 5, 1}}); }
gp::ndarray<i64> counted() { return gp::arange(6).reshape({2, 3}); }

}  // namespace

TEST_CASE("methods are the functions of their names") {
  const auto a = matrix();
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).sum()", a.sum());
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).sum(axis=0)", a.sum(0));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).sum(axis=(0, -1), keepdims=True)", a.sum({0, -1}, {.keepdims = true}));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).sum(dtype='f4')", a.sum<float>());
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).sum(initial=10)", a.sum({.initial = 10}));
  GOLDEN("(A([[3, 1, 2], [0, 5, 1]]) * 2).sum(axis=1)", (a * 2).sum(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).prod(axis=1)", a.prod(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).mean(axis=0)", a.mean(0));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).var(ddof=1)", a.var({.ddof = 1}));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).std(axis=1, ddof=1)", a.std(1, {.ddof = 1}));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).min(axis=1)", a.min(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).max()", a.max());
  GOLDEN("np.ptp(A([[3, 1, 2], [0, 5, 1]]), axis=1)", a.ptp(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).any(axis=0)", a.any(0));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).all(axis=1)", a.all(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).argmin(axis=1)", a.argmin(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).argmax(axis=0)", a.argmax(0));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).cumsum(axis=1)", a.cumsum(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).cumprod()", a.cumprod());
  GOLDEN("(A([[3, 1, 2], [0, 5, 1]]) / 3).round(2)", (a / 3).round(2));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).clip(1, 3)", a.clip(1, 3));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).clip(max=3)", a.clip(none, 3));
  GOLDEN("A([1 + 2j]).conj()", gp::array<c128>({c128(1, 2)}).conj());
  GOLDEN("A([1 + 2j]).conjugate()", gp::array<c128>({c128(1, 2)}).conjugate());
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).dot(A([1, 2, 3]))", a.dot(gp::array({1, 2, 3})));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).trace(offset=1)", a.trace(1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).diagonal()", a.diagonal());
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).take(A([0, 5]))", a.take({0, 5}));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).take(A([2, 0]), axis=1)", a.take(gp::array({2, 0}), 1));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).compress(A([False, True]), axis=0)",
         a.compress(gp::array({false, true}), 0));
  GOLDEN("A([1, 0]).choose([A([1, 2]), A([3, 4])])",
         gp::array({1, 0}).choose(std::vector<gp::ndarray<i64>>{gp::array({1, 2}), gp::array({3, 4})}));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).nonzero()[1]", a.nonzero()[1]);
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).repeat(2, axis=0)", a.repeat(2, 0));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).repeat([1, 2], axis=0)", a.repeat({1, 2}, 0));
  GOLDEN("A([[3, 1, 2], [0, 5, 1]]).argsort(axis=0)", a.argsort(0));
  GOLDEN("A([1, 3, 5]).searchsorted(A([3, 4]), side='right')",
         gp::array({1, 3, 5}).searchsorted(gp::array({3, 4}), "right"));
  GOLDEN_THROWS("A([[3, 1, 2], [0, 5, 1]]).sum(axis=5)", a.sum(5));
}

TEST_CASE("methods that write") {
  const auto a = matrix();
  const auto b = a;
  a.sort();
  CHECK(b.to_vector() == std::vector<i64>{1, 2, 3, 0, 1, 5});
  a(":, ::2").sort(0);
  CHECK(b.to_vector() == std::vector<i64>{0, 2, 3, 1, 1, 5});
  a.sort(none);
  CHECK(b.to_vector() == std::vector<i64>{0, 1, 1, 2, 3, 5});
  a.put({0, -1}, 9);
  CHECK(b.to_vector() == std::vector<i64>{9, 1, 1, 2, 3, 9});
  a.partition(0, 1);
  CHECK(b.item(0, 0) == 1);
  const auto repeated = gp::broadcast_to(gp::array({3, 1}), {2, 2});
  CHECK_THROWS_AS(repeated.sort(), gp::value_error);
  CHECK_THROWS_AS(a.sort(2), gp::axis_error);
  CHECK_THROWS_AS(a.partition(7), gp::value_error);
}

TEST_CASE("methods of bytes and sizes") {
  auto a = counted();
  const auto bytes = [](const std::vector<std::uint8_t>& b) { return gp::array(b); };
  GOLDEN("np.frombuffer(a.tobytes(), 'u1')", bytes(a.tobytes()));
  GOLDEN("np.frombuffer(a.tobytes('F'), 'u1')", bytes(a.tobytes(gp::order::F)));
  GOLDEN("np.frombuffer(a.T.tobytes('A'), 'u1')", bytes(a.T().tobytes(gp::order::A)));
  GOLDEN("a.T.byteswap()", a.T().byteswap());
  GOLDEN("A([1 + 2j, 3]).byteswap()",
         gp::array<std::complex<double>>({std::complex<double>(1, 2), 3.}).byteswap());
  GOLDEN("A([1, 2], 'i2').byteswap()", gp::array<std::int16_t>({1, 2}).byteswap());
  GOLDEN("A([True]).byteswap()", gp::array({true}).byteswap());
  const auto same = a;
  CHECK(gp::shares_memory(a.byteswap(true), same));
  GOLDEN("a.byteswap()", same);
  a = counted();
  const auto before = a;
  a.resize({4, 2});
  GOLDEN("np.append(a, [0, 0]).reshape(4, 2)", a);
  a.resize({3});
  GOLDEN("a.ravel()[:3]", a);
  GOLDEN("a", before);
  CHECK_THROWS_AS(a.resize({-1}), gp::value_error);
  CHECK(a.shape() == gp::dims{3});
  CHECK(a.itemsize() == 8);
  auto t = counted();
  t.T().flat()[1] = 50;
  CHECK(t.item(1, 0) == 50);
  const temporary_folder folder;
  t.tofile((folder.path / "t.bin").string());
  CHECK(gp::fromfile<i64>((folder.path / "t.bin").string()).to_vector() == t.to_vector());
}

TEST_CASE("parts of complex numbers and other views") {
  using z = std::complex<double>;
  const gp::ndarray<z> c{z(1, 2), z(3, 4)};
  c.real() = 7.;
  c.imag()(1) = -1.;
  CHECK(c.to_vector() == std::vector<z>{z(7, 2), z(7, -1)});
  CHECK(c("::-1").imag().to_vector() == std::vector<double>{-1, 2});
  const auto r = gp::arange(3.);
  r.real() = 5.;
  CHECK(r.to_vector() == std::vector<double>{5, 5, 5});
  CHECK(r.imag().to_vector() == std::vector<double>{0, 0, 0});
  CHECK_THROWS_AS(r.imag() = 1., gp::value_error);

  TRAP("cast-012", gp::array({1, 2, 3}).view<std::uint8_t>().shape());
  TRAP("cast-013", gp::array<float>({1.f}).view<std::int32_t>());
  GOLDEN("a.view('i4')", counted().view<std::int32_t>());
  GOLDEN("A([[1, 2, 3, 4]], 'i4').view('i8')", gp::array<std::int32_t>({{1, 2, 3, 4}}).view<i64>());
  GOLDEN("a.T.view('f8')", counted().T().view<double>());
  GOLDEN_THROWS("a.T.view('i4')", counted().T().view<std::int32_t>());
  GOLDEN_THROWS("A([1, 2, 3], 'i4').view('i8')", gp::array<std::int32_t>({1, 2, 3}).view<i64>());
  GOLDEN_THROWS("A(1).view('i4')", gp::array(1).view<std::int32_t>());
}
