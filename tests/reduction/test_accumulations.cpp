// What accumulations and reductions take beside their argument, and their bits where a GPU has several ways.
#include <memory>
#include <mutex>
#include <unordered_map>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/sampler.hpp"

namespace gp = gparray;
using i64 = std::int64_t;
using i8 = std::int8_t;

namespace {

/// Counts what is allocated while it lives, above what was there.
class watch : public gp::memory_hook {
 public:
  void on_allocate(const gp::allocation& a) override {
    const std::lock_guard lock(guard_);
    sizes_[a.pointer] = a.bytes;
    used_ += a.bytes;
    peak_ = std::max(peak_, used_);
  }
  void on_deallocate(const gp::allocation& a) override {
    const std::lock_guard lock(guard_);
    const auto at = sizes_.find(a.pointer);
    if (at == sizes_.end()) return;
    used_ -= at->second;
    sizes_.erase(at);
  }
  std::size_t peak() const { return peak_; }

 private:
  std::mutex guard_;
  std::unordered_map<void*, std::size_t> sizes_;
  std::size_t used_ = 0, peak_ = 0;
};

/// The most bytes that were allocated at once while call() ran. On a GPU it runs once before, because until
/// its kernels are compiled the steps of an expression run one by one.
template<class Call>
double peak_of(Call call) {
  if (gp::default_device().is_cuda()) {
    call().eval();
    gp::wait_for_kernels();
  }
  gp::memory_pool pool = gp::default_memory_pool(gp::zeros(1).space());
  const auto hook = std::make_shared<watch>();
  pool.add_hook(hook);
  {
    const auto result = call();
    result.eval();
    gp::default_device().synchronize();
  }
  pool.remove_hook(hook.get());
  return static_cast<double>(hook->peak());
}

constexpr i64 n = i64{1} << 23;
// Tiles, partial results, and pieces that are converted.
constexpr double small = 20 << 20, elements = n;

}  // namespace

TEST_CASE("cumulative sums convert in their result") {
  const gp::ndarray<i8> a = gp::ones<i8>(n);
  const gp::ndarray<i8> m = a.reshape({n / 64, 64}), part = gp::ones<i8>({n / 64, 128})(":, ::2");
  CHECK(peak_of([&] { return gp::cumsum(a); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumprod(a); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::nancumsum(a); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumsum(m, 0); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumsum(m, 1); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumsum(m.T()); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumsum(part); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumulative_sum(a, {.include_initial = true}); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumsum<double>(a); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::cumsum<i8>(a); }) < elements + small);
  CHECK(peak_of([&] { return gp::cumsum<i8>(m, 0); }) < elements + small);
  CHECK(peak_of([&] { return gp::cumprod<i8>(m.T(), 1); }) < elements + small);
}

TEST_CASE("narrow results go through pieces that fit together") {
  // More lines than are converted at a time, and lines longer than that.
  for (const gp::dims& shape :
       {gp::dims{3, n / 4}, gp::dims{n / 4, 3}, gp::dims{2, n / 16, 5}, gp::dims{n}}) {
    const gp::ndarray<i8> a = (gp::arange(shape.size() == 1 ? n : 3 * (n / 4)) % 7 - 2).astype<i8>().eval();
    i64 size = 1;
    for (const i64 each : shape) size *= each;
    const gp::ndarray<i8> x = gp::resize(a, shape);
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      if (!taken()) continue;
      CHECK(gp::array_equal(gp::cumsum<i8>(x, axis), gp::cumsum(x, axis).astype<i8>()));
      CHECK(gp::array_equal(gp::cumprod<std::int16_t>(x, axis), gp::cumprod(x, axis).astype<std::int16_t>()));
    }
    const auto with_zero = gp::cumulative_sum<i8>(x.ravel(), {.include_initial = true});
    CHECK(with_zero.size() == size + 1);
    CHECK(with_zero.item(0) == 0);
    CHECK(with_zero.item(size) == gp::sum(x).astype<i8>().item());
  }
  // Numbers are true or false before they are added.
  CHECK(gp::cumsum<bool>(gp::array({0, 1, -1, 0})).to_vector() == std::vector<bool>{false, true, true, true});
  CHECK(gp::cumprod<bool>(gp::array({2, 2, 0, 1})).to_vector() ==
        std::vector<bool>{true, true, false, false});
}

namespace {

/// The bits of a scan of an expression are those of its elements in memory, before and after a GPU has the
/// kernel that computes them as it goes.
template<class Scan, class Make>
void check_computed(Scan scan, Make make) {
  const auto expected = scan(make().eval()).eval();
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(gp::array_equal(scan(make()), expected));
    gp::wait_for_kernels();
  }
}

}  // namespace

TEST_CASE("cumulative sums of expressions have the bits of those of stored elements") {
  // Short rows, longer ones, tiles of one row; few and many columns, and tiles of columns.
  for (const gp::dims& shape : {gp::dims{70, 97}, gp::dims{9, 700}, gp::dims{2, 20003}, gp::dims{30, 300},
                                gp::dims{3, 70001}, gp::dims{1500, 40}, gp::dims{6, 50, 40}}) {
    CAPTURE(shape);
    auto rng = gp::random::default_rng(7);
    const gp::ndarray<float> x = rng.standard_normal<float>(shape);
    const gp::ndarray<float> row = rng.standard_normal<float>({shape.back()});
    const gp::ndarray<std::int32_t> whole = (x * 9.f).astype<std::int32_t>().eval();
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      CAPTURE(axis);
      const auto sum = [&](const auto& a) { return gp::cumsum(a, axis); };
      check_computed(sum, [&] { return x * row + 0.25f; });
      check_computed(sum, [&] { return x.template astype<double>() * 3.; });
      check_computed(sum, [&] { return (x - row) > 0.f; });
      check_computed(sum, [&] { return gp::exp(x.template astype<gp::float16>()); });
      check_computed([&](const auto& a) { return gp::cumsum<double>(a, axis); }, [&] { return whole * 1; });
      check_computed([&](const auto& a) { return gp::cumprod(a, axis); }, [&] { return row * 0.5f + x; });
      check_computed([&](const auto& a) { return gp::nancumsum(a, axis); }, [&] { return gp::sqrt(x); });
      CHECK(gp::array_equal(gp::cumsum(whole, axis), gp::cumsum(whole.astype<i64>().eval(), axis)));
    }
  }
}

TEST_CASE("reductions of what is made of cumulative sums have the bits of those of stored ones") {
  // Few rows, and on a GPU so many columns that a thread has one, with rows of several chunks.
  const i64 many = gp::default_device().is_cuda() ? 65'600 : 100;
  for (const gp::dims& shape : {gp::dims{30, 300}, gp::dims{250, many}, gp::dims{1100, many}}) {
    CAPTURE(shape);
    auto rng = gp::random::default_rng(7);
    const gp::ndarray<float> x = rng.standard_normal<float>(shape);
    const gp::ndarray<float> row = rng.standard_normal<float>({shape.back()});
    const gp::ndarray<std::int32_t> whole = (x * 9.f).astype<std::int32_t>().eval();
    const gp::ndarray<float> sums = gp::cumsum((x * 0.01f + row).eval(), 0).eval();
    const gp::ndarray<float> products = gp::cumprod((x * 0.01f + 1.f).eval(), 0).eval();
    const gp::ndarray<i64> of_whole = gp::cumsum(whole.astype<i64>().eval(), 0).eval();
    const auto mean = gp::mean((gp::exp(sums) * 100.f).eval(), 0).eval();
    const auto sum = gp::sum((products - x).eval(), 0).eval();
    const auto least = gp::min(products, 0).eval();
    const auto largest = gp::max((of_whole - whole).eval(), 0).eval();
    for (int turn = 0; turn < 2; ++turn) {
      CHECK(gp::array_equal(gp::mean(gp::exp(gp::cumsum(x * 0.01f + row, 0)) * 100.f, 0), mean));
      CHECK(gp::array_equal(gp::sum(gp::cumprod(x * 0.01f + 1.f, 0) - x, 0), sum));
      CHECK(gp::array_equal(gp::min(gp::cumprod(x * 0.01f + 1.f, 0), 0), least));
      CHECK(gp::array_equal(gp::max(gp::cumsum(whole, 0) - whole, 0), largest));
      gp::wait_for_kernels();
    }
  }
}

TEST_CASE("reductions of small types take no memory of the array's size") {
  const gp::ndarray<i8> a = gp::ones<i8>(n);
  const gp::ndarray<i8> m = a.reshape({n / 64, 64});
  CHECK(peak_of([&] { return gp::sum(a); }) < small);
  CHECK(peak_of([&] { return gp::mean(a); }) < small);
  CHECK(peak_of([&] { return gp::var(a); }) < small);
  CHECK(peak_of([&] { return gp::prod(m, 0); }) < small);
  CHECK(peak_of([&] { return gp::mean(m, 1); }) < small);
  CHECK(peak_of([&] { return gp::sum(m.T(), 0); }) < small);
  CHECK(peak_of([&] { return gp::argmax(a); }) < small);
  CHECK(peak_of([&] { return gp::any(a); }) < small);
  CHECK(peak_of([&] { return gp::count_nonzero(a); }) < small);
  CHECK(peak_of([&] { return gp::ptp(a); }) < small);
  CHECK(peak_of([&] { return gp::linalg::norm(a); }) < small);
}

TEST_CASE("differences, orders and conversions") {
  const gp::ndarray<i8> a = gp::ones<i8>(n);
  CHECK(peak_of([&] { return gp::diff(a); }) < 2 * elements + small);
  CHECK(peak_of([&] { return gp::diff(a, 3); }) < 3 * elements + small);
  CHECK(peak_of([&] { return gp::ediff1d(a); }) < 2 * elements + small);
  CHECK(peak_of([&] { return gp::sort(a); }) < 3 * elements + small);
  CHECK(peak_of([&] { return gp::unique(a); }) < 12 * elements + small);
  CHECK(peak_of([&] { return gp::median(a, 0); }) < 3 * elements + small);
  CHECK(peak_of([&] { return gp::quantile(a, .3, 0); }) < 3 * elements + small);
  CHECK(peak_of([&] { return gp::percentile(a, {5., 30.}); }) < 3 * elements + small);
  CHECK(peak_of([&] { return gp::bincount(a); }) < 8 * elements + small);
  CHECK(peak_of([&] { return a.astype<float>().astype<i64>().astype<i8>().eval(); }) < elements + small);
  CHECK(peak_of([&] { return gp::searchsorted(a, a); }) < 8 * elements + small);
  CHECK(peak_of([&] { return gp::average(a); }) < small);
  CHECK(peak_of([&] { return gp::trapezoid(a); }) < 24 * elements + small);
  CHECK(peak_of([&] { return gp::gradient(a); }) < 16 * elements + small);
  CHECK(peak_of([&] { return gp::nonzero(a)[0]; }) < 9 * elements + small);
}

TEST_CASE("reductions of bytes of any number") {
  for (const std::int64_t n : {1, 7, 2000, 16385, 70001, 1 << 20}) {
    CAPTURE(n);
    const gp::ndarray<std::int8_t> a = (gp::arange(n) * 37 % 251 - 125).astype<std::int8_t>().eval();
    const gp::ndarray<std::int64_t> wide = a.astype<std::int64_t>().eval();
    CHECK(gp::sum(a).item() == gp::sum(wide).item());
    CHECK(gp::mean(a).item() == static_cast<double>(gp::sum(wide).item()) / static_cast<double>(n));
    CHECK(gp::max(a).item() == gp::max(wide).item());
    CHECK(gp::count_nonzero(a).item() == gp::count_nonzero(wide).item());
    CHECK(gp::any(a > 124).item() == gp::any(wide > 124).item());
  }
}
