// Nobody can see that an expression was pending, whoever writes to what it reads: another thread, or the
// program through an address. Meant for ThreadSanitizer as much as for the values.
#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using floats = std::vector<float>;

namespace {

/// body(), in another thread with this one's device.
template<class Body>
void in_a_thread(Body body) {
  const gp::device d = gp::default_device();
  std::thread([&] {
    gp::set_default_device(d);
    body();
  }).join();
}

template<class A>
concept gives_address = requires(A&& a) { std::forward<A>(a).data(); };
template<class A>
concept gives_raw_address = requires(A&& a) { std::forward<A>(a).raw_data(); };
template<class A>
concept gives_iterator = requires(A&& a) { std::forward<A>(a).begin(); };

}  // namespace

TEST_CASE("writes of another thread: each way to write computes what is pending on the storage") {
  gp::ndarray<float> a{1, 2, 3};
  const gp::ndarray<float> other{7, 8, 9};
  const auto c = a + a;
  REQUIRE(c.pending());
  const floats doubled{2, 4, 6};
  SUBCASE("a scalar") {
    in_a_thread([&] { a(gp::all) = 100.f; });
    CHECK(a.to_vector() == floats{100, 100, 100});
  }
  SUBCASE("an array") {
    in_a_thread([&] { a(gp::all) = other; });
    CHECK(a.to_vector() == floats{7, 8, 9});
  }
  SUBCASE("an expression") {
    in_a_thread([&] { a(gp::all) = other + 1.f; });
    CHECK(a.to_vector() == floats{8, 9, 10});
  }
  SUBCASE("in place") {
    in_a_thread([&] { a += 1.f; });
  }
  SUBCASE("through a view") {
    in_a_thread([&] { a("::2") = 0.f; });
  }
  SUBCASE("fill") {
    in_a_thread([&] { a.fill(1.f); });
  }
  SUBCASE("a mask") {
    in_a_thread([&] { a(a > 1.f) = 5.f; });
  }
  SUBCASE("an index array") {
    in_a_thread([&] { a({2, 0}) = gp::ndarray<float>{30, 10}; });
    CHECK(a.to_vector() == floats{10, 2, 30});
  }
  SUBCASE("put") {
    in_a_thread([&] { a.put({1}, 50.f); });
  }
  SUBCASE("sort") {
    in_a_thread([&] { a(gp::slice(gp::none, gp::none, -1)).sort(); });
    CHECK(a.to_vector() == floats{3, 2, 1});
  }
  SUBCASE("out=") {
    in_a_thread([&] { gp::negative(other, a); });
  }
  SUBCASE("a reduction's out=") {
    in_a_thread([&] { gp::sum(gp::ones<float>({2, 3}), 0, {.out = a}); });
    CHECK(a.to_vector() == floats{2, 2, 2});
  }
  SUBCASE("copyto") {
    in_a_thread([&] { gp::copyto(a, other); });
  }
  SUBCASE("random numbers") {
    in_a_thread([&] { gp::random::default_rng(1).shuffle(a); });
  }
  SUBCASE("an address") {
    in_a_thread([&] { (void)a.data(); });
  }
  CHECK(!c.pending());
  CHECK(c.to_vector() == doubled);
}

TEST_CASE("writes of another thread: what is pending may be anything") {
  gp::ndarray<double> a = gp::arange<double>(6).reshape({2, 3});
  const gp::ndarray<double> view = a(1);
  const auto write = [&] { in_a_thread([&] { a(gp::all) = -1.; }); };
  SUBCASE("fused temporaries") {
    const auto c = gp::sqrt(view * view) + 1.;
    write();
    CHECK(c.to_vector() == std::vector<double>{4, 5, 6});
  }
  SUBCASE("a reduction of an expression") {
    const auto c = gp::sum(a * 2.);
    write();
    CHECK(c.item() == 30);
  }
  SUBCASE("elements behind a mask") {
    const auto c = a(a > 3.);
    write();
    CHECK(c.to_vector() == std::vector<double>{4, 5});
  }
  SUBCASE("elements behind an index array that changes") {
    gp::ndarray<std::int64_t> index{1, 0};
    const auto c = a(index);
    in_a_thread([&] { index(gp::all) = 0; });
    CHECK(c.to_vector() == std::vector<double>{3, 4, 5, 0, 1, 2});
  }
  SUBCASE("an expression that was moved into another one") {
    auto moved = a + 1.;
    const auto c = std::move(moved) * 2.;
    write();
    CHECK(c(0, 0).item() == 2);
  }
  SUBCASE("what another thread has made, and still runs") {
    std::optional<gp::expr<double>> c;
    std::atomic<int> step{0};
    const gp::device d = gp::default_device();
    std::thread maker([&] {
      gp::set_default_device(d);
      c.emplace(a + 1.);
      step = 1;
      while (step == 1) std::this_thread::yield();
    });
    while (step == 0) std::this_thread::yield();
    REQUIRE(c->pending());
    a(gp::all) = 0.;  // here this thread is the one that writes
    CHECK(!c->pending());
    CHECK(c->to_vector() == std::vector<double>{1, 2, 3, 4, 5, 6});
    step = 2;
    maker.join();
  }
}

TEST_CASE("writes of another thread: three threads read, one writes") {
  gp::ndarray<float> a = gp::zeros<float>({100});
  const gp::device d = gp::default_device();
  std::atomic<int> wrong{0}, built{0}, turn{0};
  constexpr int turns = 50, readers = 3;
  std::vector<std::thread> threads;
  for (int r = 0; r < readers; ++r)
    threads.emplace_back([&, r] {
      gp::set_default_device(d);
      const auto x = static_cast<float>(r);
      for (int t = 0; t < turns; ++t) {
        while (turn < t) std::this_thread::yield();
        auto c = a + x;  // stays pending while the writer writes
        auto used = gp::sum(a * 2.f);
        ++built;
        // Meanwhile its maker goes on: with the expression itself, and with others.
        const gp::ndarray<float> own = gp::ones<float>({100});
        const auto mine = (own + own) * own;
        const auto e = std::move(c) * 2.f + 0.f * mine;
        if (e(7).item() != 2 * (static_cast<float>(t) + x)) ++wrong;
        if (used.item() != 200.f * static_cast<float>(t)) ++wrong;
      }
    });
  for (int t = 0; t < turns; ++t) {
    while (built < readers * (t + 1)) std::this_thread::yield();
    a(gp::all) = static_cast<float>(t + 1);
    turn = t + 1;
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("writes of another thread: what was left by a thread that has ended is computed") {
  gp::ndarray<float> a{1, 2, 3};
  for (int k = 0; k < 20; ++k) {
    std::optional<gp::expr<float>> kept;
    in_a_thread([&] { kept.emplace(a + a); });
    in_a_thread([&] { a += 1.f; });
    CHECK(kept->to_vector()[0] == 2.f * static_cast<float>(k + 1));
  }
}

TEST_CASE("addresses: a temporary gives none") {
  using array = gp::ndarray<double>;
  using expression = gp::expr<double>;
  static_assert(gives_address<array&> && gives_address<const array&> && gives_address<expression&>);
  static_assert(!gives_address<expression> && !gives_address<const expression>);
  static_assert(!gives_raw_address<expression> && !gives_iterator<expression>);
  static_assert(!gives_address<gp::selection<double>>);
  static_assert(gives_address<array>);  // may be a view of an array with a name: a(0).data(), a.T().data()
  static_assert(gives_iterator<expression&> && gives_iterator<const expression&>);
  double sum = 0;
  const array a{1, 2, 3};
  for (const double x : a + a) sum += x;  // lives as long as the loop
  CHECK(sum == 12);
}

TEST_CASE("addresses: a write through one that is kept changes no expression that was built before") {
  gp::ndarray<double> a{1, 2, 3};
  if (a.space() == gp::memory_space::device) return;
  const std::vector<double> doubled{2, 4, 6};
  SUBCASE("data()") {
    double* const p = a.data();
    const auto d = a + a;
    CHECK(!d.pending());
    p[0] = 100;
    CHECK(d.to_vector() == doubled);
  }
  SUBCASE("an iterator") {
    const auto i = a.begin();
    const auto d = a + a;
    *i = 100;
    CHECK(d.to_vector() == doubled);
  }
  SUBCASE("of a view, and a view is read") {
    double* const p = a("::-1").data();  // the last one's
    const auto d = a("1:") * 2.;
    *p = 100;
    CHECK(d.to_vector() == std::vector<double>{4, 6});
  }
  SUBCASE("a reduction") {
    double* const p = a.data();
    const auto d = gp::sum(a);
    *p = 100;
    CHECK(d.item() == 6);
  }
  SUBCASE("a reduction of an expression") {
    double* const p = a.data();
    const auto d = gp::sum(a * 2.);
    *p = 100;
    CHECK(d.item() == 12);
  }
  SUBCASE("picked elements") {
    double* const p = a.data();
    const auto d = a({0, 1});
    const auto e = a(a > 1.);
    p[0] = p[1] = 100;
    CHECK(d.to_vector() == std::vector<double>{1, 2});
    CHECK(e.to_vector() == std::vector<double>{2, 3});
  }
  SUBCASE("several steps") {
    double* const p = a.data();
    const auto d = gp::sqrt(a * a) + a * 1.;
    p[0] = p[1] = p[2] = 0;
    CHECK(d.to_vector() == doubled);
  }
  SUBCASE("borrowed memory") {
    double memory[] = {1, 2, 3};
    const auto b = gp::ndarray<double>(gp::detail::borrow(memory, {3}, {8}, gp::dtype::float64,
                                                          gp::memory_space::host, gp::device::cpu(), {}));
    const auto d = b + b;
    memory[0] = 100;
    CHECK(d.to_vector() == doubled);
  }
  SUBCASE("DLPack") {
    auto* const tensor = gp::to_dlpack(a);
    gp::ndarray<double> shared(gp::from_dlpack(tensor));
    double* const p = shared.data();
    const auto d = a + a, e = shared + shared;
    *p = 100;
    CHECK(d.to_vector() == doubled);
    CHECK(e.to_vector() == doubled);
  }
}

TEST_CASE("addresses: an array whose address nobody has stays pending, whatever the library does with it") {
  const gp::ndarray<double> a{{1, 2}, {3, 4}};
  const auto stays = [&] { return (a + 1.).pending(); };
  CHECK(stays());
  CHECK(a.to_vector().size() == 4);
  CHECK(gp::array_str(a).size() > 4);
  CHECK(stays());
  (void)gp::matmul(a, a).eval();
  (void)gp::linalg::solve(a, a);
  (void)gp::sort(a);
  (void)gp::fft::fft(a);
  (void)gp::random::default_rng(3).permutation(a);
  (void)a(0, 0).item();
  (void)gp::asnumpy(a);
  CHECK(stays());
  double sum = 0;
  for (const double x : a) sum += x;  // a is const: this reads
  for (auto i = a.cbegin(); i != a.cend(); ++i) sum += *i;
  CHECK(sum == 20);
  CHECK(stays());
  CHECK((a.copy() + 1.).pending());
}

TEST_CASE("addresses: what follows the step that reads one fuses as before") {
  gp::ndarray<double> a{1, 2, 3};
  const gp::ndarray<double> b{1, 1, 1};
  (void)a.data();
  const auto d = (a * 2. + 1.) * 3.;
  CHECK(d.pending());  // a * 2 is an array that nobody has the address of
  CHECK(!(b * 2. + a).pending());
  CHECK((b * 2. + 1.).pending());
  CHECK(d.to_vector() == std::vector<double>{9, 15, 21});
}
