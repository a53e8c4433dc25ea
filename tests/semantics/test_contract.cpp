// The rules of evaluation: when work is enqueued, what fuses, what sharing and assigning mean.
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

template<class V>
std::vector<V> values(const gp::ndarray<V>& a) {
  return a.to_vector();
}

using floats = std::vector<float>;

}  // namespace

TEST_CASE("contract: an operator returns an expression that is not computed yet") {
  const gp::ndarray<float> a{1, 2, 3}, b{10, 20, 30};
  const auto c = a + b;
  CHECK(c.pending());
  CHECK(c.shape() == gp::dims{3});
  CHECK(c.dtype() == gp::dtype::float32);
  CHECK(c.pending());  // looking at the shape computes nothing
  CHECK(values(c) == floats{11, 22, 33});
  CHECK(!c.pending());
}

TEST_CASE("contract: a typed name stays pending as any other") {
  const gp::ndarray<float> a{1, 2, 3}, b{10, 20, 30};
  const gp::ndarray<float> c = a + b;
  CHECK(c.pending());
  gp::ndarray<float> d;
  d = a * b;
  CHECK(d.pending());
  CHECK(values(d) == floats{10, 40, 90});
  const auto e = (a + b).eval();
  CHECK(!e.pending());
  CHECK(values(e) == floats{11, 22, 33});
}

TEST_CASE("contract: temporaries and names fuse into the larger expression; a name that lives is kept") {
  const gp::ndarray<float> a{1, 2, 3}, b{10, 20, 30};
  const auto used = gp::default_memory_pool(a.space(), a.device());
  const auto before = used.hits() + used.misses();
  const gp::ndarray<float> fused = gp::sqrt(a * a) + b * 2.f - a;
  fused.eval();
  if (a.device().is_cpu())
    CHECK(used.hits() + used.misses() - before == 1);  // one result, no temporary in memory
  CHECK(values(fused) == floats{20, 40, 60});

  auto named = a + b;
  const auto twice = named * named;
  CHECK(named.pending());
  CHECK(twice.pending());
  const void* const address = named.raw_data();
  CHECK(values(twice) == floats{121, 484, 1089});
  CHECK(named.raw_data() == address);
}

TEST_CASE("contract: a temporary that was reduced is not computed once more") {
  const gp::ndarray<float> a = gp::ones<float>({100, 100}), b = a + 1.f;
  const auto& pool = gp::default_memory_pool(a.space(), a.device());
  const auto allocations = [&](auto&& body) {
    body();  // what is allocated once
    const auto before = pool.hits() + pool.misses();
    body();
    return pool.hits() + pool.misses() - before;
  };
  gp::ndarray<float> other = gp::zeros<float>({3});
  const auto after_effect = [&](const gp::ndarray<float>& x) {
    other(0) = 1.f;
    return x.item();
  };
  // In the first body the temporaries are gone when the effect comes, in the second they are not.
  const auto apart = allocations([&] {
    const auto s = gp::sum(a * b);
    const auto [least, most] = gp::minmax(a * b);
    CHECK(after_effect(s) == 20000);
    CHECK(after_effect(least) == 2);
  });
  const auto at_once = allocations([&] {
    CHECK(after_effect(gp::sum(a * b)) == 20000);
    CHECK(after_effect(gp::minmax(a * b).min) == 2);
  });
  CHECK(apart == at_once);
}

TEST_CASE("contract: a moved name is a temporary") {
  const gp::ndarray<float> a{1, 2, 3}, b{10, 20, 30};
  const auto pool = gp::default_memory_pool(a.space(), a.device());
  auto named = a + b;
  const auto before = pool.hits() + pool.misses();
  const gp::ndarray<float> c = std::move(named) * 2.f;
  c.eval();
  if (a.device().is_cpu()) CHECK(pool.hits() + pool.misses() - before == 1);
  CHECK(values(c) == floats{22, 44, 66});
}

TEST_CASE("contract: nobody can see that an expression was pending when an operand changes") {
  gp::ndarray<float> a{1, 2, 3};
  const gp::ndarray<float> b{10, 20, 30};
  const floats old_sum{11, 22, 33};

  SUBCASE("in-place operator") {
    const auto c = a + b;
    a += 1.f;
    CHECK(values(c) == old_sum);
    CHECK(values(a) == floats{2, 3, 4});
  }
  SUBCASE("a view written through") {
    const auto c = a + b;
    a(gp::slice(0, 2)) = 0.f;
    CHECK(values(c) == old_sum);
  }
  SUBCASE("fill") {
    const auto c = a + b;
    a.fill(7);
    CHECK(values(c) == old_sum);
  }
  SUBCASE("out=") {
    const auto c = a + b;
    gp::negative(b, a);
    CHECK(values(c) == old_sum);
    CHECK(values(a) == floats{-10, -20, -30});
  }
  SUBCASE("out= with where=") {
    const auto c = a + b;
    gp::negative(b, a, {.where = gp::ndarray<bool>{true, false, true}});
    CHECK(values(c) == old_sum);
    CHECK(values(a) == floats{-10, 2, -30});
  }
  SUBCASE("copyto") {
    const auto c = a + b;
    gp::copyto(a, b);
    CHECK(values(c) == old_sum);
  }
  SUBCASE("a write through a view made before") {
    const gp::ndarray<float> view = a(gp::slice(1, gp::none));
    const auto c = a + b;
    gp::copyto(view, 0.f);
    CHECK(values(c) == old_sum);
    CHECK(values(a) == floats{1, 0, 0});
  }
  SUBCASE("the operand rebound") {
    const auto c = a + b;
    a = b;
    CHECK(values(c) == old_sum);
  }
  SUBCASE("several levels") {
    const auto c = a + b;
    const auto d = gp::exp(a) * 0.f + c;
    a += 1.f;
    CHECK(values(d) == old_sum);
  }
  SUBCASE("the address was asked for") {
    const auto c = a + b;
    float* const p = a.data();  // an effect: c is enqueued
    CHECK(!c.pending());
    if (a.device().is_cpu()) p[0] = 100;
    CHECK(values(c) == old_sum);
  }
}

TEST_CASE("contract: stream, event, device and transfer calls are effects") {
  const gp::ndarray<float> a{1, 2, 3}, b{10, 20, 30};
  const auto c = a + b;
  REQUIRE(c.pending());
  SUBCASE("gp::synchronize") { gp::synchronize(); }
  SUBCASE("device.synchronize") { a.device().synchronize(); }
  SUBCASE("stream.synchronize") { gp::current_stream().synchronize(); }
  SUBCASE("stream.done") { (void)gp::current_stream().done(); }
  SUBCASE("stream.record") { (void)gp::current_stream().record(); }
  SUBCASE("stream.wait") { gp::default_stream().wait(gp::event()); }
  SUBCASE("native_handle") { (void)gp::current_stream().native_handle(); }
  SUBCASE("a new stream") { gp::stream s; }
  SUBCASE("a new event") { gp::event e; }
  SUBCASE("stream_guard") { const gp::stream_guard g(gp::default_stream()); }
  SUBCASE("set_default_device") { gp::set_default_device(gp::default_device()); }
  SUBCASE("device_guard") { const gp::device_guard g(gp::default_device()); }
  SUBCASE("asnumpy") { (void)gp::asnumpy(a); }
  SUBCASE("to_device") { (void)gp::to_device(a, gp::default_device()); }
  SUBCASE("allocator_guard") {
    const gp::allocator_guard g(gp::memory_space::host, gp::device::cpu(), nullptr);
  }
  SUBCASE("free_all_blocks") { gp::get_default_memory_pool().free_all_blocks(); }
  CHECK(!c.pending());
  CHECK(values(c) == floats{11, 22, 33});
}

TEST_CASE("contract: reading is no effect") {
  const gp::ndarray<float> a{1, 2, 3}, b{10, 20, 30};
  const auto c = a + b;
  (void)a.shape();
  (void)a(0);
  (void)a(gp::slice(1, 2));
  const auto d = b * 2.f;
  CHECK(c.pending());
  CHECK(d.pending());
}

TEST_CASE("contract: errors are thrown where the expression is written") {
  const gp::ndarray<float> a{1, 2, 3}, b{1, 2};
  CHECK_THROWS_WITH_AS(a + b, "operands could not be broadcast together with shapes (3,) (2,)",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::sum(a, 1), "axis 1 is out of bounds for array of dimension 1", gp::axis_error);
  const gp::ndarray<std::uint8_t> bytes{1, 2};
  CHECK_THROWS_AS(bytes + 300, gp::overflow_error);
  // The library is as it was: the next expression works.
  CHECK(values(gp::ndarray<float>(a + 1.f)) == floats{2, 3, 4});
}

TEST_CASE("contract: copying a name shares, copy() copies") {
  gp::ndarray<float> a{1, 2, 3};
  const gp::ndarray<float> same = a;
  CHECK(same.raw_data() == a.raw_data());
  CHECK(gp::may_share_memory(a, same));
  a += 1.f;
  CHECK(values(same) == floats{2, 3, 4});
  const gp::ndarray<float> shared_by_value = [](gp::ndarray<float> x) { return x; }(a);
  CHECK(gp::may_share_memory(a, shared_by_value));
}

TEST_CASE("contract: assigning to a name rebinds, assigning to a view writes through") {
  gp::ndarray<float> a{1, 2, 3};
  const gp::ndarray<float> first = a;
  a = gp::ndarray<float>{7, 8};
  CHECK(values(first) == floats{1, 2, 3});
  CHECK(values(a) == floats{7, 8});

  gp::ndarray<float> m{{1, 2}, {3, 4}};
  const gp::ndarray<float> row = m(0);
  m(0) = 9.f;
  CHECK(values(row) == floats{9, 9});
  m(gp::all, 1) = gp::ndarray<float>{5, 6};
  CHECK(values(m) == floats{9, 5, 9 - 6, 6});
  m("::-1") = m;  // rows exchanged
  CHECK(values(m) == floats{3, 6, 9, 5});
}

TEST_CASE("contract: overlapping in-place operations see the right-hand side as it was") {
  const auto fresh = [] { return gp::ndarray<float>{1, 2, 3, 4, 5}; };
  auto a = fresh();
  a(gp::slice(1, gp::none)) += a(gp::slice(gp::none, -1));
  CHECK(values(a) == floats{1, 3, 5, 7, 9});
  a = fresh();
  a(gp::slice(gp::none, -1)) += a(gp::slice(1, gp::none));
  CHECK(values(a) == floats{3, 5, 7, 9, 5});
  a = fresh();
  a("::-1") = a;
  CHECK(values(a) == floats{5, 4, 3, 2, 1});
  a = fresh();
  a += a("::-1");
  CHECK(values(a) == floats{6, 6, 6, 6, 6});
  a = fresh();
  a -= a(0);  // the element that all others are diminished by is itself written
  CHECK(values(a) == floats{0, 1, 2, 3, 4});
  gp::ndarray<float> m{{1, 2}, {3, 4}};
  m += m("::-1, ::-1");
  CHECK(values(m) == floats{5, 5, 5, 5});
}

TEST_CASE("contract: fusion never changes a bit") {
  std::vector<float> x(1003);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.37f + 1.7f * static_cast<float>(i % 97);
  const gp::ndarray<float> a(x);
  const gp::ndarray<float> fused = gp::sin(a) * 1.1f + a / 3.f - gp::exp(-a);
  const gp::ndarray<float> s = gp::sin(a), t = s * 1.1f, u = a / 3.f, v = t + u, w = -a, e = gp::exp(w),
                           steps = v - e;
  CHECK(values(fused) == values(steps));
  // a*b + c is not contracted.
  const gp::ndarray<double> p{1 + 0x1p-30}, q{1 - 0x1p-30}, r{-1.};
  CHECK(gp::ndarray<double>(p * q + r).item() == 0.);
}
