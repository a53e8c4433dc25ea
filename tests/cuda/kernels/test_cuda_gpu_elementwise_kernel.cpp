// ElementwiseKernel and ReductionKernel on a real GPU, against gparray's own functions and plain loops.
#include <cmath>
#include <vector>

#include <gparray/gparray.hpp>

#include "cuda/support/twin.hpp"

namespace gp = gparray;

namespace {

/// cuda:0 as the default device for the length of a test; false, with a message, if there is none.
class on_gpu {
 public:
  on_gpu() : previous_(gp::default_device()), there_(twin::gpu() != nullptr) {
    if (there_) gp::set_default_device(gp::device::cuda(0));
  }
  ~on_gpu() { gp::set_default_device(previous_); }
  explicit operator bool() const { return there_; }

 private:
  gp::device previous_;
  bool there_;
};

template<class V>
gp::ndarray<V> numbers(const gp::dims& shape, int first = 1) {
  std::int64_t n = 1;
  for (const std::int64_t s : shape) n *= s;
  return gp::remainder(gp::arange<double>(first, first + static_cast<double>(n)) * 7.0, 61.0)
      .template astype<V>()
      .eval()
      .reshape(shape);
}

template<class A, class B>
void check_same(const A& a, const B& b) {
  REQUIRE(a.shape() == b.shape());
  CHECK(gp::all(a == b).item());
}

}  // namespace

TEST_CASE_TEMPLATE("gpu elementwise kernel: every layout of the operands", V, float, double, std::int32_t,
                   std::uint8_t, std::int64_t, gp::float16) {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ElementwiseKernel k("T x, T y", "T z", "z = x * T(2) - y", "twice_minus");
  const auto run = [&](const auto&... x) -> gp::ndarray<V> { return k(x...); };
  const auto expected = [](const auto& x, const auto& y) {
    return gp::ndarray<V>(x * static_cast<V>(2) - y);
  };
  const gp::ndarray<V> m = numbers<V>({37, 53}), other = numbers<V>({37, 53}, 5), row = numbers<V>({53}, 9),
                       column = numbers<V>({37, 1}, 3), cube = numbers<V>({5, 7, 11});
  check_same(run(m, other), expected(m, other));
  check_same(run(m, row), expected(m, row));
  check_same(run(column, row), expected(column, row));
  check_same(run(m.T(), column.T()), expected(m.T(), column.T()));
  check_same(run(m("::-2, 3::3"), other("::2, ::-3")(gp::all, gp::slice(0, 17))),
             expected(m("::-2, 3::3"), other("::2, ::-3")(gp::all, gp::slice(0, 17))));
  check_same(run(cube(gp::all, 3), cube("4, ::-1")(gp::slice(0, 5))),
             expected(cube(gp::all, 3), cube("4, ::-1")(gp::slice(0, 5))));
  check_same(run(m, 3), expected(m, static_cast<V>(3)));
  gp::ndarray<V> out = gp::zeros<V>({53, 74});
  run(m.T(), other.T(), out(gp::all, gp::slice(gp::none, gp::none, 2)));
  check_same(out(gp::all, gp::slice(gp::none, gp::none, 2)), expected(m.T(), other.T()));
  CHECK(gp::all(out(gp::all, gp::slice(1, gp::none, 2)) == static_cast<V>(0)).item());
  CHECK(run(gp::zeros<V>({0, 3}), gp::zeros<V>({3})).shape() == gp::dims{0, 3});
  const gp::ndarray<V> one{static_cast<V>(7)};
  CHECK(run(one(0), one(0)).item() == static_cast<V>(7));
}

TEST_CASE("gpu elementwise kernel: raw arrays, indices, numbers, preamble and the pieces around the loop") {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ndarray<float> x = numbers<float>({1000}), m = numbers<float>({20, 30});
  // The two examples of CuPy's documentation.
  const gp::ElementwiseKernel add_reverse("T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]",
                                          "add_reverse");
  check_same(add_reverse(x, x).as<float>(), gp::ndarray<float>(x + x("::-1")));
  const gp::ElementwiseKernel reverse("raw T x, raw T y", "raw T z", "z[i] = x[i] + y[_ind.size() - i - 1]",
                                      "rev");
  const gp::ndarray<float> z = gp::empty<float>({1000});
  reverse(x, x, z, {.size = 1000});
  check_same(z, gp::ndarray<float>(x + x("::-1")));
  // A transposed raw array is counted in its own C order.
  const gp::ElementwiseKernel read("raw T x", "T z", "z = x[i] + x[_ind.size() - 1 - i] * 0", "read");
  check_same(read(m.T(), {.size = 600}).as<float>(), m.T().flatten());
  const gp::ElementwiseKernel at("raw T x", "int64 index, T z", "index = _ind.get()[0]; z = x[_ind.get()]",
                                 "at");
  const auto [index, value] = at(x, {.size = 1000}).as<std::int64_t, float>();
  check_same(index, gp::ndarray<std::int64_t>(gp::arange<std::int64_t>(1000)));
  check_same(value, x);
}

TEST_CASE("gpu elementwise kernel: several outputs, dimensions that are kept, preamble, loop_prep") {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ndarray<double> a = numbers<double>({6, 7}), b = numbers<double>({6, 7}, 4);
  const gp::ElementwiseKernel both("T x, T y", "T sum, T difference", "sum = x + y; difference = x - y",
                                   "both");
  const auto [sum, difference] = both.call<double, double>(a, b);
  check_same(sum, gp::ndarray<double>(a + b));
  check_same(difference, gp::ndarray<double>(a - b));

  const gp::ElementwiseKernel where("T x", "int64 at", "at = _ind.get()[0] * 100 + _ind.get()[1]", "where",
                                    {.reduce_dims = false});
  const gp::ndarray<std::int64_t> rows = gp::arange<std::int64_t>(6), columns = gp::arange<std::int64_t>(7);
  check_same(where(a).as<std::int64_t>(),
             gp::ndarray<std::int64_t>(100 * rows(gp::all, gp::newaxis) + columns));

  const gp::ElementwiseKernel pieces("T x, raw T table", "T z",
                                     "z = scaled(x) * first + N + (n - _ind.size())", "pieces",
                                     {.preamble = "__device__ T scaled(T v) { return v * T(0.5); }",
                                      .loop_prep = "const T first = table[0]",
                                      .options = {"-DN=3"}});
  check_same(pieces(a, b).as<double>(), gp::ndarray<double>(a * 0.5 * b.item(0, 0) + 3.0));
}

TEST_CASE("gpu elementwise kernel: complex numbers, halves, bools, a million elements and more") {
  const on_gpu gpu;
  if (!gpu) return;
  using complex = std::complex<float>;
  const gp::ndarray<complex> c = gp::ndarray<complex>{{1, 2}, {3, -4}, {0, 1}, {-2, 0}};
  const gp::ElementwiseKernel product("T x, T y", "T z", "z = x * y", "product");
  check_same(product(c, c).as<complex>(), gp::ndarray<complex>(c * c));
  const gp::ElementwiseKernel parts("complex64 x", "float32 re, float32 size, complex64 z",
                                    "re = x.real(); size = abs(x); z = conj(x) + complex<float>(1, 2) * 2",
                                    "parts");
  const auto [re, size, z] = parts.call<float, float, complex>(c);
  check_same(re, gp::ndarray<float>(gp::real(c)));
  check_same(size, gp::ndarray<float>(gp::abs(c)));
  check_same(z, gp::ndarray<complex>(gp::conjugate(c) + complex(2, 4)));

  const gp::ElementwiseKernel both("bool x, bool y", "bool z", "z = x && !y", "both");
  const gp::ndarray<float> f = numbers<float>({1000});
  const gp::ndarray<bool> p = f > 20.f, q = f > 40.f;
  check_same(both(p, q).as<bool>(), gp::ndarray<bool>(gp::logical_and(p, ~q)));

  const gp::ElementwiseKernel index("raw T x", "int64 z", "z = i * 2", "index");
  check_same(index(f, {.size = 3000001}).as<std::int64_t>(),
             gp::ndarray<std::int64_t>(gp::arange<std::int64_t>(3000001) * 2));
}

TEST_CASE("gpu elementwise kernel: functions of halves and integers, atomics, macros") {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ndarray<gp::float16> h = numbers<gp::float16>({1000});
  const gp::ElementwiseKernel root("T x", "T z", "z = sqrt(x) + exp(T(0))", "root");
  // Computed in float and rounded once.
  check_same(root(h).as<gp::float16>(),
             gp::ndarray<gp::float16>((gp::sqrt(h.astype<float>()) + 1.f).astype<gp::float16>()));
  const gp::ndarray<std::int64_t> x = gp::arange<std::int64_t>(1000);
  const gp::ElementwiseKernel wide("T x", "float64 z", "z = sqrt(x)", "wide");
  check_same(wide(x).as<double>(), gp::ndarray<double>(gp::sqrt(x.astype<double>())));

  const gp::ElementwiseKernel count("int64 x", "raw T bins", "atomicAdd(&bins[x % 10], 1)", "count");
  const auto bins = gp::zeros<std::int64_t>({10});
  count(x, bins);
  check_same(bins, gp::full<std::int64_t>({10}, 100));
  const auto few = gp::zeros<gp::float16>({10});
  count(x, few);
  check_same(few.astype<float>(), gp::full<float>({10}, 100.f));
  const gp::ElementwiseKernel extremes("int64 x", "raw int64 most",
                                       "atomicMax(&most[0], x); atomicMin(&most[1], -x)", "extremes");
  const auto most = gp::zeros<std::int64_t>({2});
  extremes(x, most);
  CHECK(most.to_vector() == std::vector<std::int64_t>{999, -999});

  using complex = std::complex<float>;
  const gp::ndarray<complex> c{{1, 2}, {3, -4}, {0, 1}, {-2, 0}};
  const gp::ElementwiseKernel square("T x", "T z", "z = pow(x, 2) * T(N) / T(N)", "square",
                                     {.options = {"-DN=4"}});
  check_same(square(c).as<complex>(), gp::ndarray<complex>(c * c));
}

TEST_CASE("gpu reduction kernel: the largest of each row, from minus infinity; of no dimensions") {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ReductionKernel largest("T x", "T y", "x", "max(a, b)", "y = a", "-INFINITY", "largest");
  const gp::ndarray<float> m = numbers<float>({37, 53}) - 100.f;
  check_same(largest(m, {.axis = 1}).as<float>(), gp::ndarray<float>(gp::max(m, 1)));
  check_same(largest(m.astype<gp::float16>(), {.axis = 0}).as<gp::float16>().astype<float>(),
             gp::ndarray<float>(gp::max(m, 0)));
  CHECK(largest(m(3, 4)).as<float>().item() == m.item(3, 4));
  check_same(largest(m, {.axis = gp::dims{}}).as<float>(), m);
  CHECK(std::isinf(largest(gp::zeros<float>({0})).as<float>().item()));
}

TEST_CASE("gpu elementwise kernel: what does not compile for some dtype says so at the call") {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ElementwiseKernel k("T x", "T z", "z = x % 3", "modulo");
  check_same(k(numbers<std::int32_t>({100})).as<std::int32_t>(),
             gp::ndarray<std::int32_t>(numbers<std::int32_t>({100}) % 3));
  try {
    k(numbers<float>({100}));
    FAIL("float % int compiled");
  } catch (const gp::compile_error& e) {
    CHECK(std::string(e.what()).find("modulo (operation)(1): error") != std::string::npos);
  }
}

TEST_CASE("gpu reduction kernel: sums over every choice of axes and layout") {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "total");
  for (const gp::dims& shape :
       {gp::dims{5, 7, 11}, gp::dims{64, 3, 100}, gp::dims{1, 300, 2}, gp::dims{300, 257, 5}}) {
    const gp::ndarray<std::int64_t> x = numbers<std::int64_t>(shape);
    const gp::ndarray<std::int64_t> views[] = {x, x.T(), x("::-1, ::2"), x.swapaxes(1, 2)};
    for (const auto& v : views) {
      CHECK(total(v).as<std::int64_t>().item() == gp::sum(v).item());
      for (const gp::dims& axes :
           {gp::dims{0}, gp::dims{1}, gp::dims{2}, gp::dims{0, 1}, gp::dims{0, 2}, gp::dims{1, 2}}) {
        check_same(total(v, {.axis = axes}).as<std::int64_t>(), gp::ndarray<std::int64_t>(gp::sum(v, axes)));
        check_same(total(v, {.axis = axes, .keepdims = true}).as<std::int64_t>(),
                   gp::ndarray<std::int64_t>(gp::sum(v, axes, {.keepdims = true})));
      }
    }
  }
  for (const std::int64_t n : {1, 2, 31, 255, 256, 257, 4095, 4097, 1000003, 50000000}) {
    CAPTURE(n);
    CHECK(total(gp::arange<std::int64_t>(n)).as<std::int64_t>().item() == n * (n - 1) / 2);
  }
  check_same(total(numbers<std::int64_t>({100000, 70}), {.axis = 0}).as<std::int64_t>(),
             gp::ndarray<std::int64_t>(gp::sum(numbers<std::int64_t>({100000, 70}), 0)));
  CHECK(total(gp::zeros<float>({0})).as<float>().item() == 0);
  check_same(total(gp::zeros<float>({3, 0}), {.axis = 1}).as<float>(), gp::zeros<float>({3}));
}

TEST_CASE(
    "gpu reduction kernel: norms, structs, positions, several inputs and outputs, the same bits again") {
  const on_gpu gpu;
  if (!gpu) return;
  const gp::ndarray<float> x = gp::sin(gp::arange<float>(3000000));
  const gp::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
  const float first = l2norm(x).as<float>().item();
  // Each square is rounded once and a sum of blocks of 16, 256 and 733 numbers adds at most 1005 roundings.
  CHECK(first ==
        doctest::Approx(gp::linalg::norm(x.astype<double>()).item()).epsilon(1006 * gp::finfo<float>::eps));
  for (int i = 0; i < 5; ++i) CHECK(l2norm(x).as<float>().item() == first);

  const gp::ReductionKernel largest("T x", "T value, int64 index", "best(x, i)",
                                    "a.value < b.value || (a.value == b.value && b.index < a.index) ? b : a",
                                    "value = a.value; index = a.index", "", "largest",
                                    {.preamble = "struct best { T value; long index; __device__ best() {}\n"
                                                 "__device__ best(T v, long p) : value(v), index(p) {} };",
                                     .reduce_type = "best"});
  const auto [value, index] = largest.call<float, std::int64_t>(x);
  CHECK(value.item() == gp::max(x).item());
  CHECK(index.item() == gp::argmax(x).item());

  const gp::ReductionKernel dot("T x, T y, float64 scale", "float64 z", "x * y * scale", "a + b", "z = a",
                                "0", "dot", {.reduce_type = "double"});
  const gp::ndarray<std::int32_t> a = numbers<std::int32_t>({40, 50}), row = numbers<std::int32_t>({50}, 7);
  check_same(dot(a, row, 0.5, {.axis = 1}).as<double>(),
             gp::ndarray<double>(gp::sum((a * row).astype<double>(), 1) * 0.5));
}
