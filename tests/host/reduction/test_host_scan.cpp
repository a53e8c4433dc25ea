// Scans against a plain loop in the array's own dtype, bit for bit.
#include <doctest/doctest.h>

#include <host/support/thread_pool.hpp>
#include <kernel/reductions.hpp>

#include "host/plans.hpp"

using namespace host_test;

namespace {

template<class T>
T sample(std::mt19937& random) {
  const int n = std::uniform_int_distribution<int>(-9, 9)(random);
  if constexpr (kernel::is_complex<T>)
    return {static_cast<kernel::real_t<T>>(n) / 7, static_cast<kernel::real_t<T>>(n % 4) / 3};
  else if constexpr (kernel::is_bool<T>) return n > 0;
  else if constexpr (kernel::is_integer<T>) return static_cast<T>(n);
  else return n == 9 ? static_cast<T>(__builtin_nanf("")) : static_cast<T>(static_cast<float>(n) / 7);
}

template<class T>
T step(core::scan op, T sum, T x) {
  using compute = kernel::compute_t<T>;
  const auto a = kernel::to_accumulator<compute>(sum), b = kernel::to_accumulator<compute>(x);
  const bool skip = (op == core::scan::nansum || op == core::scan::nanprod) && kernel::is_nan(b);
  if (skip) return sum;
  return kernel::narrow<T>(op == core::scan::sum || op == core::scan::nansum ? kernel::add(a, b)
                                                                             : kernel::multiply(a, b));
}

template<class T>
bool same(T a, T b) {
  if constexpr (kernel::is_complex<T>) return same(a.re, b.re) && same(a.im, b.im);
  else return a == b || (a != a && b != b);
}

template<class T>
void check(dtype type, const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& in_steps,
           bool swapped) {
  std::mt19937 random(2);
  const std::size_t n = shape.size();
  for (const core::scan op : {core::scan::sum, core::scan::prod, core::scan::nansum, core::scan::nanprod}) {
    strided<T> in(shape, in_steps), out(shape, std::vector<std::int64_t>(n, 1));
    if (swapped) {
      // Scanned along the dimension that is not contiguous.
      in = strided<T>({shape[1], shape[0]}, {1, 1});
      out = strided<T>({shape[1], shape[0]}, {1, 1});
      std::swap(in.strides[0], in.strides[1]);
      std::swap(out.strides[0], out.strides[1]);
    }
    for_indices(shape, [&](const auto& i) { in.at(i) = sample<T>(random); });
    core::scan_plan plan;
    plan.op = op;
    plan.type = type;
    plan.ndim = static_cast<int>(n);
    plan.in = in.origin;
    plan.out = out.origin;
    std::copy(shape.begin(), shape.end(), plan.shape);
    std::copy(in.strides.begin(), in.strides.end(), plan.in_strides);
    std::copy(out.strides.begin(), out.strides.end(), plan.out_strides);
    core::host_backend().scan(plan, {});
    const bool product = op == core::scan::prod || op == core::scan::nanprod;
    T running{};
    long wrong = 0;
    for_indices(shape, [&](const auto& i) {
      if (i.back() == 0)
        running = kernel::narrow<T>(product ? kernel::one_of<kernel::compute_t<T>>()
                                            : kernel::zero_of<kernel::compute_t<T>>());
      running = step(op, running, in.at(i));
      if (!same(out.at(i), running)) ++wrong;
    });
    CAPTURE(name(type));
    CHECK(wrong == 0);
  }
}

template<class T>
void check_all(dtype type) {
  check<T>(type, {1000}, {1}, false);
  check<T>(type, {100}, {-2}, false);
  check<T>(type, {3, 5, 70}, {1, 2, 1}, false);
  check<T>(type, {200, 30}, {1, 1}, true);
  check<T>(type, {1500, 40}, {1, 1}, true);
}

}  // namespace

TEST_CASE("host scan: every operation on every dtype and layout") {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) check_all<kernel_type>(dtype::name);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

TEST_CASE("host scan: nothing to scan") {
  core::scan_plan plan{core::scan::sum, dtype::float64, 1, {0}, nullptr, {8}, nullptr, {8}};
  core::host_backend().scan(plan, {});
  plan.ndim = 2;
  plan.shape[0] = 3;
  plan.shape[1] = 0;
  core::host_backend().scan(plan, {});
}
