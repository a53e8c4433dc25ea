// A user's program that calls much of the library, compiled with the warnings that careful projects switch
// on, by every compiler (scripts/test_compilers). What it prints must not depend on the compiler or the
// processor.
#include <cstdint>
#include <cstdio>

#include <gparray/gparray.hpp>
#include <gparray/sparse/linalg.hpp>

namespace gp = gparray;

GPARRAY_UFUNC(limited, (x, bound), x < bound ? x : bound);

namespace {

int calls = 0;

/// Calls each row of the table that takes these operands.
template<class A>
void call_ufuncs(const A& a) {
  const auto count = [](const auto&) { ++calls; };
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc)       \
  if constexpr (constexpr int arity = gp::arity(gp::ufunc::name); arity == 1) { \
    if constexpr (requires { gp::name(a); }) count(gp::name(a));                \
  } else if constexpr (arity == 2) {                                            \
    if constexpr (requires { gp::name(a, a); }) count(gp::name(a, a));          \
    if constexpr (requires { gp::name(a, 2); }) count(gp::name(a, 2));          \
  } else if constexpr (requires { gp::name(a, a, a); }) count(gp::name(a, a, a));
#include <gparray/tables/ufuncs.def>
}

template<class A>
void call_reductions(const A& a) {
  const auto count = [](const auto&) { ++calls; };
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  if constexpr (requires { gp::name(a); }) count(gp::name(a));                               \
  if constexpr (requires { gp::name(a, 0); }) count(gp::name(a, 0));                         \
  if constexpr (requires { gp::name(a, 0, {.keepdims = true}); }) count(gp::name(a, 0, {.keepdims = true}));
#include <gparray/tables/reductions.def>
}

template<class V>
void call_tables() {
  const gp::ndarray<V> a = gp::arange(1, 13).astype<V>().reshape({3, 4});
  call_ufuncs(a);
  call_reductions(a);
}

/// Prints the FNV-1a sum of the bytes.
void print_bits(const char* what, const gp::any_array& a) {
  std::uint64_t sum = 14695981039346656037u;
  for (const std::uint8_t byte : gp::tobytes(a)) sum = (sum ^ byte) * 1099511628211u;
  std::printf("%-12s %016llx\n", what, static_cast<unsigned long long>(sum));
}

/// Results of operations that are exact or rounded once, in an order that the library fixes.
void print_exact_results() {
  gp::random::Generator rng = gp::random::default_rng(42);
  const gp::ndarray<double> x = rng.random({100, 1003});
  const gp::ndarray<float> f = x.astype<float>() * 3.f - 1.f;
  const gp::ndarray<std::int32_t> i = rng.integers(-1000, 1000, {100, 1003}).astype<std::int32_t>();
  print_bits("random", x);
  print_bits("integers", i);
  print_bits("expression", (x * 2 + 1) / (x - 0.5) - gp::sqrt(x) * x);
  print_bits("float", gp::floor(f * 7.f) / 3.f + gp::maximum(f, 0.f) * f - f / 7.f);
  print_bits("int", i * 7 + i % 13 - (i >> 2) + i / 5);
  print_bits("half", f.astype<gp::float16>() * f.astype<gp::float16>());
  print_bits("sum", gp::sum(x));
  print_bits("sums", gp::sum(f, 0));
  print_bits("rows", gp::sum(x, 1));
  print_bits("mean", gp::mean(f, 1));
  print_bits("variance", gp::var(x, 0));
  print_bits("cumulative", gp::cumsum(x, 1));
  print_bits("sort", gp::sort(f, 1));
  print_bits("argsort", gp::argsort(i, 0));
  print_bits("unique", gp::unique(i));
  print_bits("products", gp::matmul(i, i.T()));
  print_bits("mask", x(x > 0.25));
  print_bits("limited", limited(f, 0.5f));
  print_bits("divmod", gp::floor_divide(f, 0.3f));
  print_bits("median", gp::median(x, 0));
  const gp::sparse::csr_matrix<double> m(gp::where(x > 0.9, x, 0.));
  print_bits("sparse", gp::matmul(m, gp::ndarray<double>(x(0))));
}

}  // namespace

int main() {
  call_tables<bool>();
  call_tables<std::uint8_t>();
  call_tables<std::int32_t>();
  call_tables<std::int64_t>();
  call_tables<gp::float16>();
  call_tables<float>();
  call_tables<double>();
  call_tables<std::complex<float>>();
  call_tables<std::complex<double>>();

  gp::ndarray<double> a{{2, 1}, {1, 3}};
  a("0, :") = gp::array({4., 1.});
  a += 1;
  const auto joined = gp::concatenate(a, gp::ones<double>({2, 2}), 1);
  const auto grid = gp::fromfunction([](auto row, auto column) { return row * 10 + column; }, {2, 3});
  const auto [u, s, vh] = std::tuple(joined.T(), gp::take(joined, gp::array({0, 1}), 1), gp::flip(grid));
  // An instance in the library, under a name that every compiler must give it.
  [[maybe_unused]] const auto solved =
      gp::sparse::linalg::cg(gp::sparse::csr_matrix<double>(a), gp::ones<double>({2}));
  try {
    const auto wave = gp::fft::irfft(gp::fft::rfft(gp::array({1., 2., 4., 8.})));
    if (!gp::allclose(wave, gp::array({1., 2., 4., 8.}))) return std::puts("wrong transforms"), 1;
  } catch (const gp::library_error&) {  // there is no FFTW for this processor
  }
  try {
    const auto x = gp::linalg::solve(gp::array({{2., 1.}, {1., 3.}}), gp::array({3., 4.}));
    const auto [values, vectors] = gp::linalg::eigh(gp::array({{2., 1.}, {1., 2.}}));
    if (!gp::allclose(x, gp::ones<double>({2})) || !gp::allclose(values, gp::array({1., 3.})) ||
        vectors.ndim() != 2)
      return std::puts("wrong solutions"), 1;
  } catch (const gp::library_error&) {  // there is no LAPACK for this processor
  }
  try {
    (void)a.reshape({3, 3});
    return std::puts("a reshape of 4 elements to 9 was accepted"), 1;
  } catch (const gp::value_error&) {
  }
  std::printf("%d calls, %lld elements\n", calls, static_cast<long long>(u.size() + s.size() + vh.size()));
  print_exact_results();
  std::puts("gparray works");
}
