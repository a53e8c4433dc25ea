// eval: several expressions computed together have the bits, shapes and dtypes that they have alone.
#include <limits>
#include <thread>

#include <gparray/gparray.hpp>

#include "support/random_arrays.hpp"
#include "support/same_bits.hpp"
#include "support/sampler.hpp"

namespace gp = gparray;
using random_arrays::random_array;

namespace {

template<class V>
gp::ndarray<V> alone(gp::expr<V>&& x) {
  return std::move(x);
}

/// On a GPU, where each combination is three kernels to compile, every third: another shape of each dtype.
bool taken_here() {
  static sampler combinations(gp::default_device().is_cuda() ? 3 : 1);
  return combinations();
}

/// Twice, so that a GPU's joined kernel may have been made meanwhile.
template<class V>
void check(const gp::ndarray<V>& a, const gp::dims& axes) {
  if (!taken_here()) return;
  CAPTURE(gp::name(a.dtype()));
  const auto sum = alone(gp::sum(a, axes));
  const auto mean = alone(gp::mean(a, axes));
  const auto std = alone(gp::std(a, axes));
  const auto least = alone(gp::min(a, axes));
  const auto product = alone(gp::prod(a, axes));
  const auto var = alone(gp::var(a, axes, {.ddof = 1}));
  const auto norm = alone(gp::nanmean(a, axes));
  const auto any = alone(gp::any(a, axes)), all = alone(gp::all(a, axes));
  const auto count = alone(gp::count_nonzero(a, axes));
  for (int i = 0; i < 2; ++i) {
    const auto [s, m, d] = gp::eval(gp::sum(a, axes), gp::mean(a, axes), gp::std(a, axes));
    CHECK(same_bits(s, sum));
    CHECK(same_bits(m, mean));
    CHECK(same_bits(d, std));
    const auto [v, l, p, k] = gp::eval(gp::var(a, axes, {.ddof = 1}), gp::min(a, axes), gp::prod(a, axes),
                                       gp::sum(a, axes, {.keepdims = true}));
    CHECK(same_bits(v, var));
    CHECK(same_bits(l, least));
    CHECK(same_bits(p, product));
    CHECK(k.ndim() == a.ndim());
    CHECK(same_bits(gp::ndarray<typename decltype(k)::value_type>(k.reshape(sum.shape())), sum));
    const auto [x, y, c, n] =
        gp::eval(gp::any(a, axes), gp::all(a, axes), gp::count_nonzero(a, axes), gp::nanmean(a, axes));
    CHECK(same_bits(x, any));
    CHECK(same_bits(y, all));
    CHECK(same_bits(c, count));
    CHECK(same_bits(n, norm));
    gp::wait_for_kernels();
  }
}

template<class V>
void check_dtype() {
  check(random_array<V>({70003}), {0});
  check(random_array<V>({70, 301}), {1});
  check(random_array<V>({301, 70}), {0});
  check(random_array<V>({7, 40, 33}), {0, 2});
  check(
      gp::ndarray<V>(random_array<V>({40, 90})(gp::slice(gp::none, gp::none, -1), gp::slice(1, gp::none, 3))),
      {0});
  check(gp::ndarray<V>(random_array<V>({40, 90}).T()), {1});
  check(random_array<V>({1}), {0});
}

}  // namespace

TEST_CASE("eval: reductions computed together have the bits of each alone, for every dtype") {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) check_dtype<type>();
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

TEST_CASE("eval: without axes, and of a 0-d array") {
  const auto a = random_array<float>({200, 500});
  const gp::ndarray<float> sum = gp::sum(a), mean = gp::mean(a), std = gp::std(a);
  const auto [s, m, d] = gp::eval(gp::sum(a), gp::mean(a), gp::std(a));
  static_assert(std::is_same_v<decltype(s), const gp::ndarray<float>>);
  CHECK(s.ndim() == 0);
  CHECK(!s.pending());
  CHECK(same_bits(s, sum));
  CHECK(same_bits(m, mean));
  CHECK(same_bits(d, std));
  const gp::ndarray<double> five(gp::full<double>(gp::dims{}, 5));
  const auto [one, two] = gp::eval(gp::sum(five), gp::argmax(five));
  CHECK(one.item() == 5);
  CHECK(two.item() == 0);
}

TEST_CASE("eval: arg-reductions go with the others, whose order of elements they keep") {
  for (const gp::dims& axis : {gp::dims{0}, gp::dims{1}}) {
    const auto a = random_array<float>({300, 130});
    const gp::ndarray<std::int64_t> at = gp::argmax(a, axis);
    const gp::ndarray<float> sum = gp::sum(a, axis), most = gp::max(a, axis);
    const auto [i, s, m] = gp::eval(gp::argmax(a, axis), gp::sum(a, axis), gp::max(a, axis));
    CHECK(same_bits(i, at));
    CHECK(same_bits(s, sum));
    CHECK(same_bits(m, most));
  }
  // Of everything in Fortran order: argmin counts in C order, sums go along memory.
  const gp::ndarray<float> f = random_array<float>({90, 70}).copy(gp::order::F);
  const gp::ndarray<std::int64_t> at = gp::argmin(f);
  const gp::ndarray<float> sum = gp::sum(f);
  const auto [i, s] = gp::eval(gp::argmin(f), gp::sum(f));
  CHECK(same_bits(i, at));
  CHECK(same_bits(s, sum));
}

TEST_CASE("eval: equal expressions, and expressions that only look alike") {
  const gp::ndarray<float> a = random_array<float>({60, 80}), b = random_array<float>({60, 80}) + 1.f;
  const gp::ndarray<float> product = a * b, twice = a * 2.f;
  const gp::ndarray<float> sum = gp::sum(product, 0), most = gp::max(product, 0), other = gp::max(twice, 0);
  const auto [s, m, o] = gp::eval(gp::sum(a * b, 0), gp::max(a * b, 0), gp::max(a * 2.f, 0));
  CHECK(same_bits(s, sum));
  CHECK(same_bits(m, most));
  CHECK(same_bits(o, other));
  const gp::ndarray<float> by_two = gp::sum(twice), by_three = gp::sum(gp::ndarray<float>(a * 3.f));
  const auto [two, three] = gp::eval(gp::sum(a * 2.f), gp::sum(a * 3.f));
  CHECK(same_bits(two, by_two));
  CHECK(same_bits(three, by_three));
}

TEST_CASE("eval: other expressions and computed arrays are evaluated as they are") {
  const gp::ndarray<float> a{1, 2, 3}, b{10, 20, 30};
  const auto named = a - b;
  const auto [c, s, d, e] = gp::eval(a + b, gp::sum(a), named, a);
  CHECK(!c.pending());
  CHECK(!named.pending());
  CHECK(c.to_vector() == std::vector<float>{11, 22, 33});
  CHECK(s.item() == 6);
  CHECK(d.raw_data() == named.raw_data());
  CHECK(e.raw_data() == a.raw_data());
  const gp::ndarray<float> single = gp::eval(2 * named);
  CHECK(!single.pending());
  CHECK(single.to_vector() == std::vector<float>{-18, -36, -54});
  CHECK(gp::eval(named).raw_data() == named.raw_data());
}

TEST_CASE("eval: nothing has sums and means, but no extremes; the error comes where it is written") {
  const gp::ndarray<double> none = gp::zeros<double>({0, 4});
  CHECK_THROWS_AS(gp::eval(gp::sum(none), gp::max(none)), gp::value_error);
  const auto [s, m, n] = gp::eval(gp::sum(none, 0), gp::mean(none, 0), gp::max(none, 1));
  CHECK(s.to_vector() == std::vector<double>{0, 0, 0, 0});
  CHECK(std::isnan(m.to_vector()[3]));
  CHECK(n.shape() == gp::dims{0});
  const gp::ndarray<float> a{1, 2, 3};
  CHECK_THROWS_AS(gp::eval(gp::sum(a), gp::max(a, 1)), gp::axis_error);
  CHECK(gp::sum(a).item() == 6);
}

TEST_CASE("a reduction is pending until it is looked at or something changes") {
  gp::ndarray<float> a{1, 2, 3};
  const auto s = gp::sum(a), most = gp::max(a);
  const auto mean = gp::mean(a);
  CHECK(s.pending());
  CHECK(s.shape() == gp::dims{});
  CHECK(s.size() == 1);
  CHECK(s.dtype() == gp::dtype::float32);
  CHECK(s.pending());  // looking at the shape computes nothing
  a(gp::all) += 1.f;
  CHECK(!s.pending());
  CHECK(!most.pending());
  CHECK(s.item() == 6);
  CHECK(most.item() == 3);
  CHECK(mean.item() == 2);
  const gp::ndarray<float> typed = gp::sum(a);
  CHECK(typed.pending());
  CHECK(typed.item() == 9);
}

TEST_CASE("the source of a pending reduction may be gone, and the reduction an operand") {
  const auto make = [] {
    const gp::ndarray<float> a{1, 2, 3}, b{4, 5, 6};
    return gp::sum(a * b);
  };
  const auto s = make();
  CHECK(s.pending());
  const gp::ndarray<float> filler = gp::full<float>(3, 100);
  CHECK(s.item() == 32);
  const gp::ndarray<float> a{1, 2, 3, 6};
  CHECK(gp::ndarray<float>(a / gp::sum(a)).to_vector() ==
        std::vector<float>{1.f / 12, 2.f / 12, 3.f / 12, 6.f / 12});
  CHECK(gp::sum(gp::sum(random_array<double>({4, 5, 6}) * 0. + 1., 0)).item() == 120);
  gp::ndarray<float> target{0, 0};
  target(0) = gp::sum(a);
  target(1) = gp::max(a);
  CHECK(target.to_vector() == std::vector<float>{12, 6});
  auto pending = gp::sum(a, 0, {.keepdims = true});
  pending += 1.f;
  CHECK(pending.item() == 13);
}

TEST_CASE("a reduction that another thread computes") {
  const auto a = random_array<double>({500, 400});
  const gp::ndarray<double> sum = gp::sum(a, 0), mean = gp::mean(a, 0);
  for (int i = 0; i < 20; ++i) {
    const auto s = gp::sum(a, 0), m = gp::mean(a, 0);
    bool equal = false;
    std::thread other([&] { equal = same_bits(s, sum); });
    const bool own = same_bits(m, mean);
    other.join();
    CHECK(equal);
    CHECK(own);
  }
}
