// Indexing with arrays and masks, against NumPy: reading, writing, shapes, errors.
#include "support/golden.hpp"
#include "support/sampler.hpp"
#include "support/traps.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> range(i64 n, const gp::dims& shape) { return gp::arange(n).reshape(shape); }
const std::vector<int> no_integers;

/// Writes through masks of none, few, many and all of n elements: one number, and as many as there are.
template<class V>
void check_masked_writes(i64 n) {
  const gp::ndarray<V> before = (gp::arange(n) % 100).astype<V>(),
                       values = (gp::arange(n) % 50 + 50).astype<V>();
  const std::vector<V> old = gp::asnumpy(before).to_vector(), other = gp::asnumpy(values).to_vector();
  for (const int every : {0, 1, 2, 9, 10, 11, 12, 100, 127, 128, 129}) {
    const gp::ndarray<bool> mask =
        every == 0 ? gp::zeros<bool>(n) : (gp::arange(n) % every == every / 2).eval();
    const std::vector<bool> flags = gp::asnumpy(mask).to_vector();
    const gp::ndarray<V> one = before.copy(), many = before.copy(), same = before.copy();
    one(mask) = V(111);
    gp::putmask(many, mask, values);
    gp::putmask(same, mask, same);
    const std::vector<V> ones = gp::asnumpy(one).to_vector(), all = gp::asnumpy(many).to_vector();
    int wrong = !gp::array_equal(same, before);
    for (std::size_t i = 0; i < old.size(); ++i)
      wrong += ones[i] != (flags[i] ? V(111) : old[i]) || all[i] != (flags[i] ? other[i] : old[i]);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("masks read in C order, whatever the memory order") {
  const auto a = range(6, {2, 3});
  TRAP("mask-001", a(a % 2 == 1));
  const auto f = gp::asfortranarray(a);
  TRAP("mask-002", f(f > 1));
  TRAP_THROWS("mask-004", gp::arange(3)(std::vector<bool>{true, false}));
  CHECK_THROWS_WITH_AS(
      gp::arange(3)(std::vector<bool>{true, false}),
      "boolean index did not match indexed array along axis 0; size of axis is 3 but size of "
      "corresponding boolean axis is 2",
      gp::index_error);
  const auto t = gp::arange(24.).reshape({2, 3, 4});
  GOLDEN_THROWS("t[np.zeros((2, 4), bool)]", t(gp::zeros<bool>({2, 4})));
  GOLDEN_THROWS("t[:, np.zeros((3, 5), bool)]", t(gp::all, gp::zeros<bool>({3, 5})));
  TRAP("mask-005", a(std::vector<bool>{true, false}).shape());
  TRAP("mask-007", gp::arange(3)(true).shape());
  TRAP("mask-008", gp::arange(3)(false).shape());
  GOLDEN("a[:, A([True, False, True])]", a(gp::all, gp::array({true, false, true})));
  GOLDEN("t[t > 11]", gp::arange(24.).reshape({2, 3, 4})(gp::arange(24).reshape({2, 3, 4}) > 11));
  GOLDEN("t[::-1, ::2][t[::-1, ::2] > 3]", [] {
    const auto t = gp::arange(24.).reshape({2, 3, 4})("::-1, ::2");
    return gp::ndarray<double>(t(t > 3));
  }());
  GOLDEN(
      "t[:, A([[True, False, True, False]] * 3)]",
      gp::arange(24.).reshape({2, 3, 4})(
          gp::all,
          gp::array({{true, false, true, false}, {true, false, true, false}, {true, false, true, false}})));
  GOLDEN("t[1, A([True, False, True])]",
         gp::arange(24.).reshape({2, 3, 4})(1, gp::array({true, false, true})));
  GOLDEN("t[1, :, A([True, False, True, True])]",
         gp::arange(24.).reshape({2, 3, 4})(1, gp::all, gp::array({true, false, true, true})));
}

TEST_CASE("masks write, by number, by row and element by element") {
  auto a = gp::arange(4);
  TRAP_THROWS("mask-010", a(a > 1) = gp::array({7, 8, 9}));
  CHECK_THROWS_WITH_AS(a(a > 1) = gp::array({7, 8, 9}),
                       "boolean array indexing assignment cannot assign 3 input values to the 2 output "
                       "values where the mask is true",
                       gp::value_error);
  CHECK(a.to_vector() == std::vector<i64>{0, 1, 2, 3});
  a(a > 1) = gp::array({7, 8});
  CHECK(a.to_vector() == std::vector<i64>{0, 1, 7, 8});
  a(a > 1) = 5.9;  // converted as an assignment converts
  CHECK(a.to_vector() == std::vector<i64>{0, 1, 5, 5});
  a(a == 5) += 2;
  CHECK(a.to_vector() == std::vector<i64>{0, 1, 7, 7});
  a(a == 99) = gp::array({3});
  CHECK(a.to_vector() == std::vector<i64>{0, 1, 7, 7});
  auto b = range(6, {2, 3});
  b(gp::array({true, false}), 1) = 9;
  TRAP("mask-011", b);
  b(gp::array({false, true})) = gp::array({-1, -2, -3});
  CHECK(b.to_vector() == std::vector<i64>{0, 9, 2, -1, -2, -3});
  b(gp::all, gp::array({true, false, true})) = gp::array({{1, 2}, {3, 4}});
  CHECK(b.to_vector() == std::vector<i64>{1, 9, 2, 3, -2, 4});
  b(b > 2) = b(b > 2) * 10;
  CHECK(b.to_vector() == std::vector<i64>{1, 90, 2, 30, -2, 40});
  auto c = gp::arange(6.);
  c("::2")(gp::array({true, false, true})) = -1.;
  CHECK(c.to_vector() == std::vector<double>{-1, 1, 2, 3, -1, 5});
}

TEST_CASE("index arrays read") {
  const auto t = gp::arange(24.).reshape({2, 3, 4});
  TRAP_THROWS("fancy-002", gp::arange(3)({5}));
  TRAP_THROWS("fancy-003", gp::arange(3)(gp::array({-4})));
  CHECK_THROWS_WITH_AS(gp::arange(3)(gp::array({1, 5, 7})), "index 5 is out of bounds for axis 0 with size 3",
                       gp::index_error);
  CHECK_THROWS_WITH_AS(gp::arange(3)({1, -4}), "index -4 is out of bounds for axis 0 with size 3",
                       gp::index_error);
  TRAP("fancy-005", range(9, {3, 3})(gp::array({0, 1}), gp::array({1, 2})));
  TRAP("fancy-006", gp::zeros({2, 3, 4})(gp::array({0}), gp::all, gp::array({1})).shape());
  TRAP("fancy-008", gp::zeros({2, 3, 4})(gp::all, gp::array({0, 1}), gp::array({0, 1})).shape());
  TRAP("fancy-009", gp::zeros({2, 3, 4})(gp::all, gp::newaxis, gp::array({0, 1})).shape());
  TRAP("fancy-011", gp::arange(3)(no_integers));
  TRAP("extra-028", range(12, {3, 4})(gp::slice(1, none), gp::array({0, -1})));
  GOLDEN("t[A([[1, 0], [0, -1]], 'i1')]", t(gp::array<std::int8_t>({{1, 0}, {0, -1}})));
  GOLDEN("t[A([0, 1]), :, A([1, 2])]", t(gp::array({0, 1}), gp::all, gp::array({1, 2})));
  GOLDEN("t[:, A([0, -1]), A([[1], [2]])]", t(gp::all, gp::array({0, -1}), gp::array({{1}, {2}})));
  GOLDEN("t[0, :, A([1, 2])]", t(0, gp::all, gp::array({1, 2})));
  GOLDEN("t[:, 1, A([1, 2])]", t(gp::all, 1, gp::array({1, 2})));
  GOLDEN("t[A([0, 1]), ..., A([1, 2])]", t(gp::array({0, 1}), gp::ellipsis, gp::array({1, 2})));
  GOLDEN("t[A([0, 1]), A([2, 0]), ..., A([1, 2])]",
         t(gp::array({0, 1}), gp::array({2, 0}), gp::ellipsis, gp::array({1, 2})));
  GOLDEN("t[A([0, 1]), A([True, False, True])]", t(gp::array({0, 1}), gp::array({true, false, true})));
  GOLDEN("t[::-1, ::2, ::-1][A([1, 0]), A([0, 1]), A([0, -1])]",
         t("::-1, ::2, ::-1")(gp::array({1, 0}), gp::array({0, 1}), gp::array({0, -1})));
  GOLDEN("t[:, A([0, 1]), None, A([1, 2])]", t(gp::all, gp::array({0, 1}), gp::newaxis, gp::array({1, 2})));
  GOLDEN("t[None, :, A([0, 1]), ..., A([1, 2])]",
         t(gp::newaxis, gp::all, gp::array({0, 1}), gp::ellipsis, gp::array({1, 2})));
  GOLDEN("t[None][:, A([0, 1]), :, A([1, 2])]",
         t(gp::newaxis)(gp::all, gp::array({0, 1}), gp::all, gp::array({1, 2})));
  GOLDEN("v[A([4, 0, 0, -1])]", gp::arange(5)({4, 0, 0, -1}));
  GOLDEN("v[A([4, 0, 0, 255], 'u1') % 5]", gp::arange(5)[gp::array<std::uint8_t>({4, 0, 0, 255}) % 5]);
  GOLDEN("t[A(1)]", t(gp::array(1)));
  GOLDEN_THROWS("t[A([0, 1]), A([0, 1, 2])]", t(gp::array({0, 1}), gp::array({0, 1, 2})));
  GOLDEN_THROWS("t[0, 0, 0, A([0])]", t(0, 0, 0, gp::array({0})));
}

TEST_CASE("complex numbers that are aligned only as their parts are") {
  // The default device's memory is aligned; on the CPU a user's need not be.
  alignas(16) double memory[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const gp::ndarray<std::complex<double>> z(gp::detail::borrow(
      memory + 1, {4}, {16}, gp::dtype::complex128, gp::memory_space::host, gp::device::cpu(), {}));
  const gp::device_guard here(gp::device::cpu());
  using list = std::vector<std::complex<double>>;
  CHECK(z({2, 0}).to_vector() == list{{5, 6}, {1, 2}});
  CHECK(z(std::vector<bool>{false, true, false, true}).to_vector() == list{{3, 4}, {7, 8}});
  z({3, 1}) = std::complex<double>(0, 1);
  CHECK(z.to_vector() == list{{1, 2}, {0, 1}, {5, 6}, {0, 1}});
}

TEST_CASE("index arrays write") {
  auto a = gp::zeros(2);
  a({0, 0}) = gp::array({1., 2.});
  TRAP("fancy-014", a);
  auto b = gp::zeros<i64>(2);
  b({0, 0, 1}) += 1;
  TRAP("fancy-015", b);
  auto c = gp::arange(4);
  c({1, 3}) = -1;
  TRAP("extra-030", c);
  auto d = gp::zeros<i64>({2, 3});
  d(gp::all, gp::array({0, 2})) = gp::array({{1}, {2}});
  TRAP("extra-031", d);
  auto e = range(12, {3, 4});
  e(gp::array({0, 2}), gp::array({1, -1})) = gp::array({-1, -2});
  CHECK(e.to_vector() == std::vector<i64>{0, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -2});
  e(gp::array({2, 0})) = e(gp::array({0, 2}));  // the right side first
  CHECK(e.to_vector() == std::vector<i64>{8, 9, 10, -2, 4, 5, 6, 7, 0, -1, 2, 3});
  CHECK_THROWS_WITH_AS(
      e(gp::array({0, 1})) = gp::array({1, 2, 3}),
      "shape mismatch: value array of shape (3,) could not be broadcast to indexing result of shape (2,4)",
      gp::value_error);
  CHECK_THROWS_AS(e({0, 3}) = 0, gp::index_error);
  CHECK(e.to_vector() == std::vector<i64>{8, 9, 10, -2, 4, 5, 6, 7, 0, -1, 2, 3});
  auto p = gp::array({2, 0, 1});
  p(p) = gp::arange(3);  // the array indexes itself
  CHECK(p.to_vector() == std::vector<i64>{1, 2, 0});
}

TEST_CASE("a selection with a name is a copy of what was selected") {
  auto a = gp::arange(4);
  auto picked = a({1, 2});
  auto masked = a(a > 1);
  a += 10;
  CHECK(picked.to_vector() == std::vector<i64>{1, 2});
  CHECK(masked.to_vector() == std::vector<i64>{2, 3});
  picked += 1;
  CHECK(a.to_vector() == std::vector<i64>{10, 11, 12, 13});
  auto mask = a > 11;
  auto before = a(mask);
  mask("0") = true;
  CHECK(before.to_vector() == std::vector<i64>{12, 13});
  CHECK(gp::sum(a(mask) * 2).item() == 2 * (10 + 12 + 13));
  picked = a({0});
  CHECK(picked.to_vector() == std::vector<i64>{10});
  CHECK(a.to_vector() == std::vector<i64>{10, 11, 12, 13});
}

TEST_CASE("large selections, which several threads share, are complete") {
  const i64 n = 1 << 20;
  const auto a = gp::arange(n);
  CHECK(gp::array_equal(a(a % 3 == 1), gp::arange(1, n, 3)));
  CHECK(gp::array_equal(a.reshape({1024, 1024})(gp::all, gp::arange(0, 1024, 2)),
                        a.reshape({1024, 1024})("..., ::2")));
  CHECK(gp::array_equal(a(n - 1 - a), a("::-1")));
  auto b = gp::zeros<i64>(n);
  b(n - 1 - a) = a;
  CHECK(gp::array_equal(b, a("::-1")));
  b(a % 2 == 0) = gp::arange(n / 2);
  CHECK(gp::array_equal(b("::2"), gp::arange(n / 2)));
  b(a / 4 * 0.0 == 0.0) = 7;
  CHECK(gp::all(b == 7).item());
  // All of these write to few elements; the last of each stays.
  auto c = gp::zeros<i64>(10);
  c(a % 10) = a;
  CHECK(gp::array_equal(c(a("-10:") % 10), a("-10:")));
  // The last value of each comes first in what another thread would write.
  for (int repetition = 0; repetition < 20; ++repetition) {
    auto d = gp::zeros<i64>(9);
    d(gp::floor_divide(gp::maximum(a - 1, 0), n / 8)) = a;
    CHECK(gp::array_equal(d(":7"), gp::arange(n / 8, n, n / 8)));
  }
}

TEST_CASE("writes through masks that hit few elements or many") {
  for (const i64 n : {1, 7, 8, 127, 128, 129, 1000}) {
    check_masked_writes<std::int8_t>(n);
    check_masked_writes<std::int16_t>(n);
    check_masked_writes<float>(n);
    check_masked_writes<i64>(n);
    check_masked_writes<std::complex<double>>(n);
  }
  // So many that threads share them.
  check_masked_writes<double>(shared_size(3'000'001, 300'001));
}
