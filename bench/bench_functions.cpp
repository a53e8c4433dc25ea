// Functions of the CPU backend beside those of NumPy: the cases of peer_functions.py in gparray, under the
// same names.
#include <gparray/gparray.hpp>

#include "../examples/options.hpp"
#include "function_suite.hpp"

namespace gp = gparray;

namespace {

using bench::numbers;
using suite = bench::function_suite;

template<class V>
void elementwise(const suite& s, std::int64_t n, const std::string& type) {
  const auto name = [&](const char* what) { return what + ("_" + type); };
  const gp::ndarray<V> x = numbers<V>(n), y = (V(0.5) + x).eval();
#define GPARRAY_BENCH_UNARY(f) s.add(name(#f), [&] { gp::eval(gp::f(x)); });
  GPARRAY_BENCH_UNARY(sqrt)
  GPARRAY_BENCH_UNARY(exp)
  GPARRAY_BENCH_UNARY(log)
  GPARRAY_BENCH_UNARY(sin)
  GPARRAY_BENCH_UNARY(tanh)
  GPARRAY_BENCH_UNARY(floor)
#undef GPARRAY_BENCH_UNARY
  s.add(name("add"), [&] { gp::eval(x + y); });
  s.add(name("divide"), [&] { gp::eval(x / y); });
  s.add(name("pow"), [&] { gp::eval(gp::power(x, y)); });
  s.add(name("arctan2"), [&] { gp::eval(gp::arctan2(x, y)); });
  s.add(name("maximum"), [&] { gp::eval(gp::maximum(x, y)); });
  s.add(name("greater"), [&] { gp::eval(x > y); });
  s.add(name("clip"), [&] { gp::eval(gp::clip(x, V(.25), V(.75))); });
  s.add(name("sum"), [&] { gp::sum(x).eval(); });
  s.add(name("max"), [&] { gp::max(x).eval(); });
  s.add(name("argmax"), [&] { gp::argmax(x).eval(); });
  s.add(name("std"), [&] { gp::std(x).eval(); });
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  const gp::ndarray<V> m = x(gp::slice(0, side * side)).copy().reshape({side, side});
  s.add(name("sum_columns"), [&] { gp::sum(m, 0).eval(); });
  s.add(name("sum_rows"), [&] { gp::sum(m, 1).eval(); });
  s.add(name("max_columns"), [&] { gp::max(m, 0).eval(); });
  s.add(name("std_columns"), [&] { gp::std(m, 0).eval(); });
  s.add(name("bcast_add"), [&] { gp::eval(m(gp::all, gp::slice(0, 1)) + m(gp::slice(0, 1), gp::all)); });
  s.add(name("cumsum"), [&] { gp::cumsum(x); });
  s.add(name("cumsum_columns"), [&] { gp::cumsum(m, 0); });
  s.add(name("maximum_accumulate"), [&] { gp::ufuncs::maximum.accumulate(x); });
  s.add(name("maximum_accumulate_columns"), [&] { gp::ufuncs::maximum.accumulate(m, 0); });
  s.add(name("maximum_accumulate_rising"),
        [&, rising = gp::sort(x)] { gp::ufuncs::maximum.accumulate(rising); });
  s.add(name("diff"), [&] { gp::eval(gp::diff(x)); });
  s.add(name("sort"), [&] { gp::sort(x); });
  s.add(name("sort_rows"), [&] { gp::sort(m); });
  s.add(name("argsort"), [&] { gp::argsort(x); });
  s.add(name("partition"), [&] { gp::partition(x, {n / 2}); });
  s.add(name("argpartition"), [&] { gp::argpartition(x, {n / 2}); });
  s.add(name("median"), [&] { gp::median(x).eval(); });
  s.add(name("quantile"), [&] { gp::quantile(x, 0.3).eval(); });
  s.add(name("unique"), [&] { gp::unique(x); });
  s.add(name("histogram"), [&] { gp::histogram(x, 100); });
  const gp::ndarray<V> sorted = gp::sort(x);
  s.add(name("searchsorted"), [&] { gp::searchsorted(sorted, x); });
  s.add(name("digitize"), [&] { gp::digitize(x, gp::linspace<V>(0, 1, 33)); });
  s.add(name("interp"), [&] { gp::interp(x, sorted, x).eval(); });
  const gp::ndarray<V> few = x(gp::slice(0, n, n / 100)).copy();
  s.add(name("isin"), [&] { gp::isin(x, few); });
}

void moving(const suite& s, std::int64_t n) {
  const gp::ndarray<double> x = numbers<double>(n), y = (0.5 + x).eval();
  const gp::ndarray<std::int64_t> indices = (x * static_cast<double>(n)).astype<std::int64_t>();
  const gp::ndarray<bool> mask = x > 0.5;
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  const gp::ndarray<double> m = x(gp::slice(0, side * side)).copy().reshape({side, side});
  s.add("where", [&] { gp::eval(gp::where(mask, x, y)); });
  s.add("take", [&] { gp::take(x, indices); });
  s.add("index", [&] { gp::eval(x(indices)); });
  s.add("take_rows", [&] { gp::take(m, indices(gp::slice(0, side)) % side, 0); });
  s.add("mask", [&] { gp::eval(x(mask)); });
  s.add("nonzero", [&] { gp::nonzero(mask); });
  s.add("count_nonzero", [&] { gp::count_nonzero(mask).eval(); });
  s.add("put_mask", [&] { y(mask) = 1.5; });
  s.add("concatenate", [&] { gp::concatenate(x, y); });
  s.add("concatenate_columns", [&] { gp::concatenate(m, m, 1); });
  s.add("stack", [&] { gp::stack({x, y}, 1); });
  s.add("repeat", [&] { gp::repeat(x, 3); });
  s.add("repeat_rows", [&] { gp::repeat(m, 2, 0); });
  s.add("tile", [&] { gp::tile(x, 3); });
  s.add("roll", [&] { gp::roll(x, 17); });
  s.add("roll_columns", [&] { gp::roll(m, 17, 1); });
  s.add("flip", [&] { gp::flip(x).copy(); });
  s.add("pad", [&] { gp::pad(m, 3); });
  s.add("pad_reflect", [&] { gp::pad(m, 3, "reflect"); });
  s.add("transpose_copy", [&] { m.T().copy(); });
  s.add("triu", [&] { gp::triu(m); });
  s.add("tril", [&] { gp::tril(m); });
  s.add("astype", [&] { x.astype<float>().eval(); });
  s.add("arange", [&] { gp::arange<double>(n); });
  s.add("linspace", [&] { gp::linspace(0, 1, n); });
  s.add("zeros", [&] { gp::zeros<double>(n); });
  s.add("full", [&] { gp::full(n, 2.5); });
  s.add("convolve", [&] { gp::convolve(x, x(gp::slice(0, 9))); });
  s.add("einsum_ij_ij", [&] { gp::einsum("ij,ij->", m, m).eval(); });
  s.add("einsum_ij_j", [&] { gp::einsum("ij,j->i", m, m(0)).eval(); });
  s.add("einsum_ij_jk", [&] { gp::einsum("ij,jk->ik", m, m).eval(); });
  s.add("dot", [&] { gp::dot(x, y).eval(); });
  s.add("matvec", [&] { gp::matmul(m, m(0)).eval(); });
  s.add("outer", [&] { gp::eval(gp::outer(m(0), m(1))); });
  s.add("norm", [&] { gp::linalg::norm(x).eval(); });
  s.add("gradient", [&] { gp::gradient(x).eval(); });
  const gp::ndarray<std::int64_t> sorted = gp::sort(indices);
  s.add("sort_i64", [&] { gp::sort(indices); });
  s.add("unique_i64", [&] { gp::unique(indices); });
  s.add("bincount_i64", [&] { gp::bincount(indices); });
  s.add("bincount_weights_f64", [&] { gp::bincount(indices, x); });
  s.add("add_at_f64", [&, to = gp::zeros(n)] { gp::ufuncs::add.at(to, indices, x); });
  s.add("add_at_i64", [&, to = gp::zeros<std::int64_t>(n)] { gp::ufuncs::add.at(to, indices, indices); });
  s.add("searchsorted_i64", [&] { gp::searchsorted(sorted, indices); });
  s.add("isin_i64", [&] { gp::isin(indices, indices(gp::slice(0, n, n / 100)).copy()); });
  s.add("isin_wide_i64", [&] { gp::isin(indices, (indices(gp::slice(0, n, n / 100)) * 1000003).eval()); });
  s.add("sort_i16", [&, v = indices.astype<std::int16_t>().eval()] { gp::sort(v); });
  s.add("sort_u8", [&, v = indices.astype<std::uint8_t>().eval()] { gp::sort(v); });
  s.add("floor_divide_i64", [&] { gp::eval(gp::floor_divide(indices, std::int64_t{7})); });
  s.add("sum_i64", [&] { gp::sum(indices).eval(); });
}

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Times functions of the CPU backend, as peer_functions.py those of NumPy.");
  const std::string only =
      options.value("--only", "", "run the cases whose name contains one of these, separated by commas");
  options.finish();
  gp::set_default_device(gp::device("cpu"));
  for (const auto& [n, size] : {std::pair{1'000, "1e3"}, {1'000'000, "1e6"}, {10'000'000, "1e7"}}) {
    elementwise<float>({only, size}, n, "f32");
    elementwise<double>({only, size}, n, "f64");
    if (n <= 1'000'000) moving({only, size}, n);
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
