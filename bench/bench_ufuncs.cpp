// Every row of ufuncs.def on the CPU beside NumPy and SciPy: the cases of peer_ufuncs.py in gparray, under
// the same names.
#include <gparray/gparray.hpp>

#include "../examples/options.hpp"
#include "function_suite.hpp"

namespace gp = gparray;

namespace {

/// Operands that every function accepts: x and y for most, `above` is at least 1, `below` is below 1 in
/// magnitude, `few` are small counts.
template<class V>
struct operands {
  gp::ndarray<V> x, y, above, few;
  gp::ndarray<std::int32_t> exponents;
  gp::ndarray<bool> condition;

  explicit operands(std::int64_t n) {
    const gp::ndarray<double> numbers = bench::numbers<double>(n),
                              others = gp::remainder(0.7548776662466927 * gp::arange<double>(n), 1.0);
    constexpr bool floating = std::is_floating_point_v<V>;
    x = (floating ? 0.001 + 0.998 * numbers : gp::floor(2e6 * numbers - 1e6).eval()).template astype<V>();
    y = (floating ? 0.25 + 2 * others : gp::floor(1 + 1000 * others).eval()).template astype<V>();
    above = (1 + 4 * numbers).template astype<V>();
    few = gp::floor(8 * others).template astype<V>();
    exponents = gp::floor(16 * others - 8).astype<std::int32_t>();
    condition = others < 0.5;
  }
};

constexpr bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view n : names)
    if (n == name) return true;
  return false;
}

template<class V>
void rows(const bench::function_suite& s, std::int64_t n, const std::string& type) {
  const operands<V> of(n);
  const auto& [x, y, above, few, exponents, condition] = of;
  constexpr char kind = std::is_floating_point_v<V> ? 'f' : 'i';
  const auto add = [&](std::string_view name, auto&& call) {
    s.add(std::string(name) + "_" + type, [&] { call().eval(); });
  };
  const auto first = [&](std::string_view name) -> const gp::ndarray<V>& {
    return name == "arccosh" ? above : x;
  };
  const auto second = [&](std::string_view name) -> const gp::ndarray<V>& {
    return one_of(name, {"left_shift", "right_shift"}) || (kind == 'i' && name == "power") ? few : y;
  };
#define GPARRAY_BENCH_T(f) add(#f, [&] { return gp::f(first(#f)); })
#define GPARRAY_BENCH_TT(f) add(#f, [&] { return gp::f(first(#f), second(#f)); })
#define GPARRAY_BENCH_T_T GPARRAY_BENCH_T
#define GPARRAY_BENCH_T_R GPARRAY_BENCH_T
#define GPARRAY_BENCH_T_b GPARRAY_BENCH_T
#define GPARRAY_BENCH_T_u GPARRAY_BENCH_T
#define GPARRAY_BENCH_T_i GPARRAY_BENCH_T
#define GPARRAY_BENCH_TT_T GPARRAY_BENCH_TT
#define GPARRAY_BENCH_TT_b GPARRAY_BENCH_TT
#define GPARRAY_BENCH_Ti_T(f) add(#f, [&] { return gp::f(x, exponents); })
#define GPARRAY_BENCH_TTT_T(f) add(#f, [&] { return gp::f(x, few, y); })
#define GPARRAY_BENCH_bTT_T(f) add(#f, [&] { return gp::f(condition, x, y); })
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc)      \
  if constexpr (std::string_view(domain).find(kind) != std::string_view::npos) \
    GPARRAY_BENCH_##signature(name);
#include <gparray/tables/ufuncs.def>
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Times every element-wise function, as peer_ufuncs.py those of NumPy.");
  const std::string only =
      options.value("--only", "", "run the cases whose name contains one of these, separated by commas");
  const auto n = options.value("--size", std::int64_t{1'000'000}, "elements of an array");
  options.finish();
  gp::set_default_device(gp::device("cpu"));
  const bench::function_suite suite{only, fmt::format("{}", n)};
  rows<float>(suite, n, "f32");
  rows<double>(suite, n, "f64");
  rows<std::int32_t>(suite, n, "i32");
  rows<std::int64_t>(suite, n, "i64");
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
