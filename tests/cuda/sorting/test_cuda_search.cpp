// Values searched for among sorted ones, by kernels that the fake device runs on the CPU.
#include <algorithm>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/sorting/order_params.hpp>
#include <gparray/dtype.hpp>
#include <plan/order_plan.hpp>

#include "cuda/support/emulated_launches.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/sorting/run_kernels.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  for (const auto& [type, text] : {std::pair<dtype, std::string>{dtype::int8, "signed char"},
                                   {dtype::float16, "gparray::float16"},
                                   {dtype::float64, "double"},
                                   {dtype::complex64, "gparray::kernel::complex<float>"}})
    wanted.emplace_back(cuda::find_search_kernel(type),
                        program.add("gparray::core::cuda::find_positions<" + text + ">", false));
  return emulation::built(program, wanted);
}

using fixture = emulation::launching_device<&compile_kernels>;

/// Positions, and whether values are there, on both; `is_there` says which are.
template<class V>
void check(fixture& f, dtype type, const std::vector<V>& sorted, const std::vector<V>& values,
           const std::vector<int>& is_there) {
  const std::size_t n = values.size();
  for (const bool right : {false, true}) {
    std::vector<std::int64_t> expected(n, -1), actual(n, -1);
    search_plan plan{type,
                     right,
                     static_cast<std::int64_t>(sorted.size()),
                     static_cast<std::int64_t>(n),
                     sorted.data(),
                     values.data(),
                     expected.data()};
    host_backend().search(plan, {});
    plan.out = actual.data();
    f.gpu.search(plan, {0, nullptr});
    CHECK(actual == expected);
  }
  for (backend* b : {&host_backend(), static_cast<backend*>(&f.gpu)}) {
    std::vector<unsigned char> found(n, 7);
    search_plan plan{type,
                     false,
                     static_cast<std::int64_t>(sorted.size()),
                     static_cast<std::int64_t>(n),
                     sorted.data(),
                     values.data(),
                     nullptr};
    plan.found = reinterpret_cast<bool*>(found.data());
    b->search(plan, {0, nullptr});
    CHECK(std::equal(found.begin(), found.end(), is_there.begin(), is_there.end()));
  }
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "values are found among sorted ones, and NaN is not") {
  constexpr double inf = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> sorted{-inf, -1, -1, 0.0, 2, 2, 2, inf, nan, nan},
      values{nan, -0.0, 0.0, 2, 2.5, -inf, inf, -2, 3, nan, -1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
  const std::vector<int> there{0, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  check(*this, dtype::float64, sorted, values, there);
  check(*this, dtype::float64, {}, values, std::vector<int>(values.size(), 0));
  const auto as = [](const std::vector<double>& from, auto to) {
    std::vector<decltype(to)> result;
    for (const double x : from) result.push_back(decltype(to)(static_cast<float>(x)));
    return result;
  };
  check(*this, dtype::float16, as(sorted, float16()), as(values, float16()), there);
  check(*this, dtype::complex64, as(sorted, std::complex<float>()), as(values, std::complex<float>()), there);
  using c = std::complex<float>;
  const auto n = std::numeric_limits<float>::quiet_NaN();
  check<c>(*this, dtype::complex64, {c(1, 2), c(1, 3), c(1, n), c(n, 1)},
           {c(1, 3), c(1, 4), c(1, n), c(n, 1), c(n, n)}, {1, 0, 0, 0, 0});
  std::vector<signed char> bytes, all;
  std::vector<int> has;
  for (int i = -128; i < 128; ++i) {
    if (i % 3 == 0) bytes.push_back(static_cast<signed char>(i));
    all.push_back(static_cast<signed char>(i));
    has.push_back(i % 3 == 0);
  }
  check(*this, dtype::int8, bytes, all, has);
}
