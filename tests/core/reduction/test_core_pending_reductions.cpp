// Which pending reductions the core hands to a backend together.
#include <thread>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;

namespace {

using calls = std::vector<std::size_t>;

struct fixture {
  fake::installed fake;
  gp::ndarray<float> a = gp::arange<float>(12).reshape({3, 4});

  /// How many reductions each call had that `work` gave to the backend.
  template<class Work>
  calls calls_of(Work&& work) {
    fake.gpu.reductions.clear();
    work();
    return fake.gpu.reductions;
  }
};

}  // namespace

TEST_CASE("pending reductions: eval of the same elements is one call") {
  fixture f;
  const auto& a = f.a;
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a), gp::mean(a), gp::std(a)); }) == calls{3});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a, 0), gp::max(a, 0), gp::any(a, 0)); }) == calls{3});
  CHECK(f.calls_of([&] { gp::eval(gp::var(a), gp::var(a, {.keepdims = true, .ddof = 1})); }) == calls{2});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a * 2.f), gp::max(a * 2.f), gp::min(a * 2.f)); }) == calls{3});
  // Two handles on the same elements.
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a.T()), gp::max(a.T())); }) == calls{2});
  CHECK(f.calls_of([&] { gp::eval(gp::argmax(a), gp::sum(a)); }) == calls{2});
}

TEST_CASE("pending reductions: other elements, other groups of them, other orders are other calls") {
  fixture f;
  const auto& a = f.a;
  const gp::ndarray<float> b = a.copy(), transposed = a.T();
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a), gp::max(b)); }) == calls{1, 1});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a, 0), gp::max(a, 1)); }) == calls{1, 1});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a), gp::max(a, 1)); }) == calls{1, 1});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a * 2.f), gp::max(a * 3.f)); }) == calls{1, 1});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a * 2.f), gp::max(a + 2.f)); }) == calls{1, 1});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a), gp::sum<double>(a)); }) == calls{1, 1});
  CHECK(f.calls_of([&] { gp::eval(gp::sum(a), gp::max(a("1:"))); }) == calls{1, 1});
  // Indices count in C order, sums go along memory.
  CHECK(f.calls_of([&] { gp::eval(gp::argmax(transposed), gp::sum(transposed)); }) == calls{1, 1});
}

TEST_CASE("pending reductions: an effect, or the use of one, computes all that read the same") {
  fixture f;
  gp::ndarray<float> a = f.a.copy();
  CHECK(f.calls_of([&] {
    const auto s = gp::sum(a), m = gp::mean(a), other = gp::sum(f.a);
    a += 1.f;
    gp::synchronize();
    CHECK((!s.pending() && !m.pending() && !other.pending()));
    CHECK(s.item() == 66);
    CHECK(m.item() == 5.5f);
  }) == calls{1, 2});
  CHECK(f.calls_of([&] {
    const auto m = gp::mean(a);
    const gp::ndarray<float> s = gp::sum(a);
    s.eval();
    CHECK(!m.pending());
  }) == calls{2});
  CHECK(f.calls_of([&] { gp::sum(a); }).empty());  // nobody wants it
  CHECK(f.calls_of([&] {
    const auto s = gp::sum(a);
    {
      const auto dropped = gp::max(a);
    }
    CHECK(s.item() == 78);
  }) == calls{1});
}

TEST_CASE("pending reductions: with a mask, an initial value or an output they are computed at once") {
  fixture f;
  const auto& a = f.a;
  const gp::ndarray<bool> mask = a > 3.f;
  const gp::ndarray<float> out = gp::zeros<float>(gp::dims{});
  const auto masked = gp::sum(a, {.where = mask}), started = gp::sum(a, {.initial = 10}),
             stored = gp::sum(a, {.out = out});
  CHECK(!started.pending());
  CHECK(!stored.pending());
  CHECK(masked.item() == 60);
  CHECK(started.item() == 76);
  CHECK(out.item() == 66);
}

TEST_CASE("pending reductions: those of another thread are its own") {
  fixture f;
  const auto& a = f.a;
  const auto s = gp::sum(a), m = gp::mean(a);
  CHECK(f.calls_of([&] {
    std::thread other([&] {
      const gp::device_guard on_gpu(gp::device("cuda:0"));
      gp::max(a).eval();
      s.eval();
    });
    other.join();
  }) == calls{1, 1});
  CHECK(m.pending());
  CHECK(!s.pending());
}

TEST_CASE("pending reductions: a failure leaves them pending, and they can be computed later") {
  fixture f;
  const auto s = gp::sum(f.a), m = gp::mean(f.a);
  f.fake.gpu.refuse_reductions = true;
  CHECK_THROWS_AS(s.eval(), gp::device_error);
  CHECK((s.pending() && m.pending()));
  f.fake.gpu.refuse_reductions = false;
  CHECK(s.item() == 66);
  CHECK(!m.pending());
}
