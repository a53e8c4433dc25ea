// What cumulative sums add up is computed by the kernel that adds it up, on a GPU that can.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

using namespace gparray;

namespace {

/// How many maps and computed scans call() makes, whose result it checks.
template<class Call>
std::pair<std::size_t, int> kernels_of(fake::gpu_backend& gpu, const ndarray<double>& expected, Call call) {
  gpu.maps.clear();
  gpu.computed_scans = 0;
  const auto result = call();
  const std::pair counted{gpu.maps.size(), gpu.computed_scans};
  CHECK(array_equal(result.template astype<double>(), expected));
  return counted;
}

using counts = std::pair<std::size_t, int>;

}  // namespace

TEST_CASE("cumulative sums compute what they add up") {
  fake::installed f;
  const ndarray<double> x = arange<double>(6000).reshape({60, 100}) % 7, y = arange<double>(100);
  eval(x, y);
  const ndarray<double> z = (x * 2. + y).eval(), sums = cumsum(z, 0).eval(), along = cumsum(z, 1).eval();
  CHECK(kernels_of(f.gpu, sums, [&] { return cumsum(x * 2. + y, 0); }) == counts(0, 1));
  CHECK(kernels_of(f.gpu, along, [&] { return cumsum(x * 2. + y, 1); }) == counts(0, 1));
  CHECK(kernels_of(f.gpu, sums.T(), [&] { return cumsum((x * 2. + y).T(), 1); }).second <= 1);
  // A name that costs little stays pending, until it is used again.
  const ndarray<double> named = x * 2. + y;
  CHECK(kernels_of(f.gpu, sums, [&] { return cumsum(named, 0); }) == counts(0, 1));
  // What is converted, too.
  const ndarray<std::int32_t> whole = x.astype<std::int32_t>().eval();
  const ndarray<double> of_whole = cumsum(x, 0).eval();
  CHECK(kernels_of(f.gpu, of_whole, [&] { return cumsum(whole, 0); }) == counts(0, 1));
  CHECK(kernels_of(f.gpu, of_whole, [&] { return cumsum<double>(whole, 0); }) == counts(0, 1));
  const ndarray<double> odd = cumsum((x % 2.).eval(), 1).eval();
  CHECK(kernels_of(f.gpu, odd, [&] { return cumsum(x % 2. == 1., 1); }) == counts(0, 1));
  // With a zero in front.
  const ndarray<double> fronted = cumulative_sum(z, {.axis = 0, .include_initial = true}).eval();
  CHECK(kernels_of(f.gpu, fronted, [&] {
          return cumulative_sum(x * 2. + y, {.axis = 0, .include_initial = true});
        }) == counts(1, 1));
  // Few elements are not worth it; several axes are stored first.
  const ndarray<double> few = cumsum((y * 2.).eval()).eval(), flat = cumsum(z).eval();
  CHECK(kernels_of(f.gpu, few, [&] { return cumsum(y * 2.); }) == counts(1, 0));
  CHECK(kernels_of(f.gpu, flat, [&] { return cumsum(x * 2. + y); }) == counts(1, 0));
}

TEST_CASE("a write after a cumulative sum does not reach what it added up") {
  fake::installed f;
  ndarray<double> x = arange<double>(5000);
  const ndarray<double> expected = cumsum((x + 1.).eval()).eval();
  const ndarray<double> sums = cumsum(x + 1.);
  x(all) = 0.;
  CHECK(array_equal(sums, expected));
}

namespace {

/// How many reductions of scans, and scans, call() makes, whose result it checks.
template<class Call>
counts scans_of(fake::gpu_backend& gpu, const ndarray<double>& expected, Call call) {
  gpu.scanned_reductions = 0;
  gpu.computed_scans = 0;
  const ndarray<double> result = call();
  eval(result);
  const counts counted{gpu.scanned_reductions, gpu.computed_scans};
  CHECK(array_equal(result, expected));
  return counted;
}

}  // namespace

TEST_CASE("a reduction of what is made of cumulative sums along the same axis stores none of it") {
  fake::installed f;
  const ndarray<double> x = arange<double>(6000).reshape({60, 100}) % 7, y = arange<double>(100);
  eval(x, y);
  const ndarray<double> sums = cumsum(x, 0).eval(), products = cumprod((x + y).eval(), 0).eval();
  const ndarray<double> made = (2. * sums - y * x).eval(), mean_of_made = mean(made, 0).eval();
  const ndarray<double> largest = max(sums, 0).eval(), least = min(products, 0).eval();
  const ndarray<double> along = sum((sums * 1.).eval(), 1).eval(), all_of_it = sum(sums).reshape({1}).eval();
  f.gpu.scans_columns = true;
  CHECK(scans_of(f.gpu, mean_of_made, [&] { return mean(2. * cumsum(x, 0) - y * x, 0); }) == counts(1, 0));
  CHECK(scans_of(f.gpu, largest, [&] { return max(cumsum(x * 1., 0), 0); }) == counts(1, 0));
  CHECK(scans_of(f.gpu, least, [&] { return min(cumprod(x + y, 0), 0); }) == counts(1, 0));
  // Names that are cheap to compute again stay pending, as before any reduction; a scan's is stored.
  const ndarray<double> growth = x * 1., paths = 2. * cumsum(growth, 0) - y * x;
  CHECK(scans_of(f.gpu, mean_of_made, [&] { return mean(paths, 0); }) == counts(1, 0));
  CHECK(array_equal(paths, made));
  const ndarray<double> named = cumsum(x * 1., 0);
  CHECK(scans_of(f.gpu, largest, [&] { return max(named, 0); }) == counts(0, 1));
  CHECK(scans_of(f.gpu, largest, [&] { return max(named, 0); }) == counts(0, 0));
  // Along another axis, of everything, of two scans, and with no reduction the scan is stored.
  CHECK(scans_of(f.gpu, along, [&] { return sum(cumsum(x * 1., 0) * 1., 1); }) == counts(0, 1));
  CHECK(scans_of(f.gpu, all_of_it, [&] { return sum(cumsum(x * 1., 0)).reshape({1}); }) == counts(0, 1));
  CHECK(scans_of(f.gpu, (largest * 2.).eval(),
                 [&] { return max(cumsum(x * 1., 0) + cumsum(x * 1., 0), 0); }) == counts(0, 2));
  CHECK(scans_of(f.gpu, sums, [&] { return cumsum(x * 1., 0); }) == counts(0, 1));
  // Where it lies otherwise than in C order it does not wait.
  CHECK(scans_of(f.gpu, largest, [&] { return max(cumsum(x.T(), 1), 1); }) == counts(0, 0));
  CHECK(explain(cumsum(x * 1., 0)) ==
        "float64 array of shape (60,100) on cuda:0\nsum of all elements up to each one along axis 0\n");
  CHECK(
      explain(max(cumsum(x * 1., 0) + y, 0)).starts_with("2 stages, one after the other\n1. float64 array"));
  // A write to what is read computes the reduction first, and an assignment its target.
  ndarray<double> source = x.copy(), target = zeros(100);
  const ndarray<double> before = mean(2. * cumsum(source, 0) - y * x, 0);
  source(0) = 100.;
  CHECK(array_equal(before, mean_of_made));
  target(all) = max(cumsum(x * 1., 0), 0);
  CHECK(array_equal(target, largest));
  ndarray<double> lines = zeros<double>({60, 100});
  lines(all) = cumsum(x * 1., 0);
  CHECK(array_equal(lines, sums));
}
