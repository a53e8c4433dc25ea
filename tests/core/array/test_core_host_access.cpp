// The elements of a GPU's array, read on the host; what other threads leave pending on a GPU.
#include <algorithm>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;

namespace {

using numbers = std::vector<double>;
const auto refused = doctest::Contains("cannot be written through iterators or views of the CPU");

struct fixture {
  fake::installed fake;
  gp::ndarray<double> a = gp::arange<double>(6).reshape({2, 3});

  std::size_t n_enqueued() {
    std::size_t n = 0;
    for (const auto& [where, stream] : fake.gpu.streams) n += stream.enqueued;
    return n;
  }
};

}  // namespace

TEST_CASE("a GPU's elements: reading iterators copy to the host once") {
  fixture f;
  REQUIRE(f.a.device().is_cuda());
  numbers seen;
  const std::size_t before = f.n_enqueued();
  for (const double x : f.a) seen.push_back(x);
  CHECK(f.n_enqueued() - before <= 1);
  CHECK(seen == numbers{0, 1, 2, 3, 4, 5});
  seen.clear();
  for (auto x : f.a("::-1, ::2")) seen.push_back(x);
  CHECK(seen == numbers{3, 5, 0, 2});
  seen.clear();
  for (const auto& x : f.a * 2.) seen.push_back(x);
  CHECK(seen == numbers{0, 2, 4, 6, 8, 10});
  const gp::ndarray<double>& c = f.a;
  CHECK(numbers(c.begin(), c.end()) == numbers{0, 1, 2, 3, 4, 5});
  CHECK(numbers(f.a.begin(), f.a.end()) == numbers{0, 1, 2, 3, 4, 5});
  CHECK(std::accumulate(c.cbegin(), c.cend(), 0.) == 15);
  CHECK(*std::max_element(f.a.begin(), f.a.end()) == 5);
  CHECK(c.begin()[4] == 4);
  CHECK((f.a + 1.).pending());  // a copy is no address of the array
  CHECK_THROWS_AS((void)c.end()[-1], gp::device_error);
}

TEST_CASE("a GPU's elements: writing iterators refuse") {
  fixture f;
  const auto assign = [&] {
    for (double& x : f.a) x = 1;
  };
  CHECK_THROWS_WITH_AS(assign(), refused, gp::device_error);
  CHECK_THROWS_WITH_AS(std::iota(f.a.begin(), f.a.end(), 7.), refused, gp::device_error);
  CHECK(f.a.to_vector() == numbers{0, 1, 2, 3, 4, 5});
  // Of one that never comes to the end the next call knows.
  *f.a.begin() = 5;
  CHECK_THROWS_WITH_AS(f.a.to_vector(), refused, gp::device_error);
  CHECK(f.a.to_vector() == numbers{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a GPU's elements: views of the CPU read a copy, and refuse to write") {
  fixture f;
  const gp::ndarray<double>& c = f.a;
  const gp::ndarray<double> reversed = c("::-1");
  const auto w = reversed.view_host<2>();
  CHECK((w(0, 0) == 3 && w(1, 2) == 2));
  CHECK(f.a.cview_host<2>()(1, 1) == 4);
  CHECK_THROWS_WITH_AS(f.a.view_host<2>(), refused, gp::device_error);
}

TEST_CASE("writes of another thread: what it computes for the maker goes to the maker's stream") {
  fixture f;
  f.a.eval();
  gp::synchronize();
  std::optional<gp::expr<double>> c;
  gp::stream s;
  {
    const gp::stream_guard on(s);
    c.emplace(f.a + f.a);
    std::thread([&] {
      const gp::device_guard there(f.a.device());
      f.a(gp::all) = 100.;
      CHECK(!c->pending());
    }).join();
    // Read on the maker's stream, with no order but its own.
    CHECK(c->to_vector() == numbers{0, 2, 4, 6, 8, 10});
  }
  gp::synchronize();
  CHECK(f.a.to_vector() == numbers(6, 100.));
}
