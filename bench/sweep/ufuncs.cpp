// Every row of ufuncs.def, for each kind of element that it has a loop for.
#include "sweep.hpp"

namespace bench {

namespace {

/// Operands that every function accepts: x and y for most, `above` is at least 1, `few` are small counts.
template<class V>
struct operands {
  gp::ndarray<V> x, y, above, few;
  gp::ndarray<std::int32_t> exponents;
  gp::ndarray<bool> condition;

  explicit operands(std::int64_t n) {
    const gp::ndarray<double> numbers = gp::remainder(0.6180339887498949 * gp::arange<double>(n), 1.0),
                              others = gp::remainder(0.7548776662466927 * gp::arange<double>(n), 1.0);
    constexpr char kind = gp::kind(gp::dtype_of<V>);
    if constexpr (kind == 'c') {
      x = ((0.001 + 0.998 * numbers) + V(0, 1) * (0.25 + 2.0 * others)).template astype<V>();
      y = ((0.25 + 2.0 * others) - V(0, 1) * numbers).template astype<V>();
    } else if constexpr (kind == 'b') {
      x = numbers > 0.5;
      y = others > 0.5;
    } else {
      const bool real = kind == 'f';
      x = (real ? 0.001 + 0.998 * numbers : gp::floor(2e6 * numbers - 1e6)).template astype<V>();
      y = (real ? 0.25 + 2.0 * others : gp::floor(1.0 + 1000.0 * others)).template astype<V>();
    }
    above = (1.0 + 4.0 * numbers).template astype<V>();
    few = gp::floor(8.0 * others).template astype<V>();
    exponents = gp::floor(16.0 * others - 8.0).astype<std::int32_t>();
    condition = others < 0.5;
    finish(std::tuple(x, y, above, few, exponents, condition));
  }
};

constexpr bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view n : names)
    if (n == name) return true;
  return false;
}

/// A missing kind is promoted or an error: not another case.
constexpr bool has_kind(std::string_view domain, char kind) {
  return domain.find(kind) != std::string_view::npos;
}

template<class V>
void rows(const sweep& s, std::int64_t n, const std::string& type, const std::string& size) {
  constexpr char kind = gp::kind(gp::dtype_of<V>);
  const operands<V> of(n);
  const auto add = [&](std::string_view name, const auto& call) {
    s.add(fmt::format("{}/{}_{}", name, type, size), "", call);
  };
  const auto first = [&](std::string_view name) -> const gp::ndarray<V>& {
    return name == "arccosh" ? of.above : of.x;
  };
  const auto second = [&](std::string_view name) -> const gp::ndarray<V>& {
    return one_of(name, {"left_shift", "right_shift"}) || (kind == 'i' && name == "power") ? of.few : of.y;
  };
#define GPARRAY_SWEEP_T(f) add(#f, [&] { return gp::f(first(#f)); })
#define GPARRAY_SWEEP_TT(f) add(#f, [&] { return gp::f(first(#f), second(#f)); })
#define GPARRAY_SWEEP_T_T GPARRAY_SWEEP_T
#define GPARRAY_SWEEP_T_R GPARRAY_SWEEP_T
#define GPARRAY_SWEEP_T_b GPARRAY_SWEEP_T
#define GPARRAY_SWEEP_T_u GPARRAY_SWEEP_T
#define GPARRAY_SWEEP_T_i GPARRAY_SWEEP_T
#define GPARRAY_SWEEP_TT_T GPARRAY_SWEEP_TT
#define GPARRAY_SWEEP_TT_b GPARRAY_SWEEP_TT
#define GPARRAY_SWEEP_Ti_T(f) add(#f, [&] { return gp::f(of.x, of.exponents); })
#define GPARRAY_SWEEP_TTT_T(f) add(#f, [&] { return gp::f(of.x, of.few, of.y); })
#define GPARRAY_SWEEP_bTT_T(f) add(#f, [&] { return gp::f(of.condition, of.x, of.y); })
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  if constexpr (has_kind(domain, kind)) GPARRAY_SWEEP_##signature(name);
#include <gparray/tables/ufuncs.def>
}

}  // namespace

void ufuncs(const sweep& s, std::int64_t n, const std::string& size) {
  rows<float>(s, n, "f32", size);
  rows<double>(s, n, "f64", size);
  rows<std::int64_t>(s, n, "i64", size);
  rows<std::complex<float>>(s, n, "c64", size);
  rows<bool>(s, n, "bool", size);
}

}  // namespace bench
