// Every row of reductions.def: of all elements, of every second one, along rows of 16 and along their
// columns.
#include "sweep.hpp"

namespace bench {

namespace {

template<class V>
void rows(const sweep& s, std::int64_t n, const std::string& type, const std::string& size) {
  const gp::ndarray<double> numbers = gp::remainder(0.6180339887498949 * gp::arange<double>(n), 1.0);
  gp::ndarray<V> x;
  if constexpr (std::is_same_v<V, bool>) x = numbers > 0.5;
  else
    x = (std::is_floating_point_v<V> ? 0.001 + 0.998 * numbers : gp::floor(1000.0 * numbers))
            .template astype<V>();
  const gp::ndarray<V> m = x(gp::slice(0, n / 16 * 16)).copy().reshape({-1, 16}),
                       seconds = x(gp::slice(0, gp::none, 2));
  const auto add = [&](std::string_view name, const char* shape, const auto& call) {
    s.add(fmt::format("{}/{}{}_{}", name, type, shape, size), "", call);
  };
#define GPARRAY_REDUCTION(f, domain, accumulator, result, empty, masked, fold, runs, doc) \
  add(#f, "", [&] { return gp::f(x); });                                                  \
  add(#f, "_every_second", [&] { return gp::f(seconds); });                               \
  add(#f, "_rows", [&] { return gp::f(m, 1); });                                          \
  add(#f, "_columns", [&] { return gp::f(m, 0); });
#define GPARRAY_REDUCTION_PAIR(name, domain, accumulator, result, first, second, doc)
#include <gparray/tables/reductions.def>
}

}  // namespace

void reductions(const sweep& s, std::int64_t n, const std::string& size) {
  rows<float>(s, n, "f32", size);
  rows<double>(s, n, "f64", size);
  rows<std::int64_t>(s, n, "i64", size);
  rows<bool>(s, n, "bool", size);
}

}  // namespace bench
