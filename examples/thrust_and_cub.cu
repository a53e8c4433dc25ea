// Thrust and CUB on arrays: a sort by keys, a column through its strides, writing through a view, and one of
// CUB's reductions, each checked against gparray's own.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <cub/device/device_reduce.cuh>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <gparray/creation.hpp>
#include <gparray/cub.hpp>
#include <gparray/numeric.hpp>
#include <gparray/reductions.hpp>
#include <gparray/sorting.hpp>
#include <gparray/thrust.hpp>
#include <gparray/ufunc/operators.hpp>
#include <gparray/ufuncs.hpp>

namespace gp = gparray;

namespace {

bool all_right = true;

void report(const char* what, bool right) {
  std::printf("%s: %s\n", what, right ? "right" : "WRONG");
  all_right = all_right && right;
}

void run(std::int64_t n) {
  // Contiguous: sort_by_key takes Thrust's radix sort.
  const gp::ndarray<float> x = gp::remainder(0.6180339887498949 * gp::arange<double>(n), 1.0).astype<float>();
  const gp::ndarray<float> keys = x.copy();
  const gp::ndarray<std::int64_t> order = gp::arange<std::int64_t>(n);
  thrust::stable_sort_by_key(gp::thrust_policy(), gp::device_pointer(keys), gp::device_pointer(keys) + n,
                             gp::device_pointer(order));
  report("stable_sort_by_key", gp::array_equal(keys, gp::sort(x)) && gp::array_equal(order, gp::argsort(x)));

  // A column, every third row from the end: a view, and what Thrust reads lies far apart.
  const gp::ndarray<std::int64_t> m = gp::arange<std::int64_t>(30 * 7).reshape({30, 7});
  const gp::ndarray<std::int64_t> column = m("::-3, 2:6:2");
  const std::int64_t sum =
      thrust::reduce(gp::thrust_policy(), gp::device_begin(column), gp::device_end(column), std::int64_t{0});
  report("reduce of a strided view", sum == gp::sum(column).item());

  thrust::sort(gp::thrust_policy(), gp::device_begin(column), gp::device_end(column),
               thrust::greater<std::int64_t>());
  const gp::ndarray<std::int64_t> sorted = gp::flip(gp::sort(column, gp::none));
  report("sort through a strided view", gp::array_equal(column.ravel(), sorted));
  thrust::fill(gp::thrust_policy(), gp::device_begin(column), gp::device_end(column), std::int64_t{-1});
  report("fill through a strided view", gp::sum(m == -1).item() == column.size());

  // std::complex elements are thrust::complex there.
  const gp::ndarray<std::complex<double>> z = gp::arange<double>(n) * std::complex<double>(0, 1);
  const thrust::complex<double> total = thrust::reduce(gp::thrust_policy(), gp::device_pointer(z),
                                                       gp::device_pointer(z) + n, thrust::complex<double>());
  report("complex elements",
         total.real() == 0 && total.imag() == 0.5 * static_cast<double>(n) * static_cast<double>(n - 1));

  // Any of CUB's algorithms: scratch memory comes from the pool, work goes to the current stream.
  const gp::stream own;
  own.wait(gp::current_stream());
  {
    const gp::stream_guard guard(own);
    const gp::ndarray<float> y = x.copy(), greatest = gp::empty<float>({});
    gp::run_cub([&](void* scratch, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceReduce::Max(scratch, bytes, y.data(), greatest.data(), n, stream);
    });
    report("DeviceReduce::Max on a stream", greatest.item() == gp::max(y).item());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t n = 1'000'000;
  constexpr std::string_view size = "--size=";
  if (argc > 1 && std::string_view(argv[1]).starts_with(size)) n = std::atoll(argv[1] + size.size());
  try {
    if (gp::default_device().is_cpu()) {
      std::printf("Skipped: Thrust and CUB need a GPU\n");
      return 77;
    }
    run(n);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return EXIT_FAILURE;
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
