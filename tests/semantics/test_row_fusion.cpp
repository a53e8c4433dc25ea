// Reductions along rows and what is made of their results: pending together, computed row by row, with the
// bits of single steps.
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/sampler.hpp"

namespace gp = gparray;

namespace {

/// Kernels are there when they are first wanted.
struct jit_scope {
  explicit jit_scope(gp::jit mode) : before(gp::jit_mode()) { gp::set_jit_mode(mode); }
  ~jit_scope() { gp::set_jit_mode(before); }
  gp::jit before;
};

/// How a program comes by its names: as they are, or computed at once.
struct names {
  bool at_once;
  template<class Expression>
  auto operator()(const Expression& e) const {
    gp::ndarray a = e;
    if (at_once) a.eval();
    return a;
  }
};

template<class T>
std::vector<std::byte> bytes(const gp::ndarray<T>& a) {
  const auto on_host = gp::asnumpy(a);
  const auto* begin = reinterpret_cast<const std::byte*>(on_host.data());
  return {begin, begin + static_cast<std::size_t>(on_host.size()) * sizeof(T)};
}

/// make(names) gives an array; both ways twice, as the second time kernels are there in any mode.
template<class Make>
void check_same(Make make) {
  for (const gp::jit mode : {gp::jit::sync, gp::jit::off}) {
    const jit_scope scope(mode);
    const auto single = make(names{true});
    const auto together = make(names{false});
    CHECK(together.shape() == single.shape());
    CHECK(together.strides() == single.strides());
    CHECK(bytes(together) == bytes(single));
  }
}

template<class T>
gp::ndarray<T> numbers(const gp::dims& shape) {
  return (gp::random::default_rng(7).standard_normal<double>(shape) * 3.).template astype<T>().copy();
}

template<class T>
gp::ndarray<T> softmax(const gp::ndarray<T>& x, const names& name) {
  const gp::ndarray<T> largest = name(gp::max(x, {-1}, {.keepdims = true}));
  const gp::ndarray<T> e = name(gp::exp(x - largest));
  const gp::ndarray<T> sum = name(gp::sum(e, {-1}, {.keepdims = true}));
  return e / sum;
}

template<class T>
gp::ndarray<T> normalised(const gp::ndarray<T>& x, const gp::ndarray<T>& gain, const gp::ndarray<T>& bias,
                          const names& name) {
  const gp::ndarray<T> mean = name(gp::mean(x, {-1}, {.keepdims = true}));
  const gp::ndarray<T> d = name(x - mean);
  const gp::ndarray<T> variance = name(gp::mean(d * d, {-1}, {.keepdims = true}));
  const gp::ndarray<T> scale = name(gp::sqrt(variance + T(1e-5f)));
  return d / scale * gain + bias;
}

}  // namespace

TEST_CASE_TEMPLATE("rows: softmax and normalisation have the bits of their steps", T, float, double,
                   gp::float16) {
  for (const gp::dims& shape :
       {gp::dims{300, 64}, gp::dims{1000, 37}, gp::dims{67, 1000}, gp::dims{shared_size(512, 64), 4096},
        gp::dims{3, 50000}, gp::dims{4097, 3}}) {
    CAPTURE(shape[0]);
    const gp::ndarray<T> x = numbers<T>(shape), gain = numbers<T>({shape[1]}), bias = numbers<T>({shape[1]});
    check_same([&](const names& name) { return softmax(x, name); });
    check_same([&](const names& name) { return normalised(x, gain, bias, name); });
  }
}

TEST_CASE("rows: of more dimensions, of views and of other orders") {
  const gp::ndarray<float> x = numbers<float>({6, 50, 40});
  check_same([&](const names& name) { return softmax(x, name); });
  check_same([&](const names& name) {
    const gp::ndarray<float> mean = name(gp::mean(x, {1, 2}, {.keepdims = true}));
    return gp::ndarray<float>((x - mean) * 2.f);
  });
  check_same([&](const names& name) {
    const gp::ndarray<float> mean = name(gp::mean(x, {0}, {.keepdims = true}));
    return gp::ndarray<float>((x - mean) * 2.f);
  });
  check_same([&](const names& name) {
    const gp::ndarray<float> mean = name(gp::mean(x, {1}, {.keepdims = true}));
    return gp::ndarray<float>((x - mean) * 2.f);
  });
  const gp::ndarray<float> turned = x.T();
  check_same([&](const names& name) { return softmax(turned, name); });
  const gp::ndarray<float> part = x(gp::all, gp::slice(1, 49), gp::slice(3, 38));
  check_same([&](const names& name) { return softmax(part, name); });
  const gp::ndarray<float> wide = numbers<float>({50, 1, 40});
  check_same([&](const names& name) {
    const gp::ndarray<float> least = name(gp::min(x, {2}, {.keepdims = true}));
    return gp::ndarray<float>(x - least + wide(0));
  });
  const gp::ndarray<float> backwards = x(gp::all, gp::slice(gp::none, gp::none, -1));
  check_same([&](const names& name) { return softmax(backwards, name); });
}

TEST_CASE("rows: each reduction, and results of other dtypes") {
  const gp::ndarray<float> x = numbers<float>({120, 77});
  using reduce = std::function<gp::ndarray<float>(const gp::ndarray<float>&)>;
  const reduce all[] = {
      [](const auto& a) { return gp::sum(a, {1}, {.keepdims = true}); },
      [](const auto& a) { return gp::prod(a * 0.3f, {1}, {.keepdims = true}); },
      [](const auto& a) { return gp::min(a, {1}, {.keepdims = true}); },
      [](const auto& a) { return gp::mean(a, {1}, {.keepdims = true}); },
      [](const auto& a) { return gp::var(a, {1}, {.keepdims = true}); },
      [](const auto& a) { return gp::std(a, {1}, {.keepdims = true}); },
      [](const auto& a) { return gp::nanmax(a, {1}, {.keepdims = true}); },
      [](const auto& a) { return gp::argmax(a, {1}, {.keepdims = true}).template astype<float>(); },
      [](const auto& a) { return gp::argmin(a, {1}, {.keepdims = true}).template astype<float>(); },
      [](const auto& a) { return gp::all(a > -5.f, {1}, {.keepdims = true}).template astype<float>(); },
      [](const auto& a) { return gp::any(a > 5.f, {1}, {.keepdims = true}).template astype<float>(); },
      [](const auto& a) {
        return gp::count_nonzero(a > 0.f, {1}, {.keepdims = true}).template astype<float>();
      },
  };
  int number = 0;
  for (const reduce& r : all) {
    CAPTURE(number++);
    check_same([&](const names& name) {
      const gp::ndarray<float> of_rows = name(r(gp::ndarray<float>(x * 0.5f)));
      const gp::ndarray<float> moved = name(x - of_rows);
      const gp::ndarray<float> second = name(r(moved));
      return gp::ndarray<float>(gp::tanh(moved) + second * of_rows);
    });
  }
  const gp::ndarray<std::int32_t> whole = numbers<std::int32_t>({200, 60});
  check_same([&](const names& name) {
    const auto sum = name(gp::sum(whole, {1}, {.keepdims = true}));
    const auto share = name(whole.astype<double>() / sum);
    return gp::ndarray<double>(share - gp::max(share, {1}, {.keepdims = true}));
  });
}

TEST_CASE("rows: names that live on are there afterwards") {
  const gp::ndarray<double> x = numbers<double>({150, 90});
  const auto results = [&](bool at_once) {
    const names name{at_once};
    const gp::ndarray<double> largest = name(gp::max(x, {1}, {.keepdims = true}));
    const gp::ndarray<double> e = name(gp::exp(x - largest));
    const gp::ndarray<double> sum = name(gp::sum(e, {1}, {.keepdims = true}));
    const gp::ndarray<double> logs = name(gp::log(sum) + largest);
    const gp::ndarray<double> y = x - logs;
    if (!at_once) {
      CHECK(largest.pending());
      CHECK(e.pending());
      CHECK(sum.pending());
      CHECK(logs.pending());
    }
    y.eval();
    if (!at_once) CHECK_FALSE(largest.pending());
    return std::vector{bytes(y), bytes(largest), bytes(e), bytes(sum), bytes(logs)};
  };
  CHECK(results(false) == results(true));
}

TEST_CASE("rows: a write is behind all that reads what it changes") {
  gp::ndarray<double> x = gp::ones<double>({64, 128});
  const gp::ndarray<double> sum = gp::sum(x, {1}, {.keepdims = true});
  const gp::ndarray<double> y = x / sum;
  x.fill(3.);
  CHECK(y(63, 127).item() == 1. / 128.);
  CHECK(sum(0, 0).item() == 128.);
  gp::ndarray<double> z = gp::ones<double>({64, 128});
  z /= gp::sum(z, {1}, {.keepdims = true});
  z(0) = gp::max(z, {1}, {.keepdims = true})(0) + 1.;
  CHECK(z(0, 5).item() == 1. + 1. / 128.);
  CHECK(z(1, 5).item() == 1. / 128.);
}

TEST_CASE("rows: turns of a loop, and more reductions than wait at once") {
  const auto loop = [](bool at_once) {
    const names name{at_once};
    gp::ndarray<double> x = numbers<double>({80, 70});
    for (int turn = 0; turn < 30; ++turn) {
      const gp::ndarray<double> spread = name(gp::std(x, {1}, {.keepdims = true}));
      x = name((x - gp::mean(x, {1}, {.keepdims = true})) / (spread + 0.5));
    }
    return bytes(x);
  };
  CHECK(loop(false) == loop(true));
}

TEST_CASE("rows: what other threads hold") {
  for (int turn = 0; turn < 50; ++turn) {
    const gp::ndarray<double> x = gp::ones<double>({64, 128});
    const gp::ndarray<double> sum = gp::sum(x, {1}, {.keepdims = true});
    const gp::ndarray<double> y = x / sum, z = y * sum;
    double seen[2];
    {
      std::jthread first([&] { seen[0] = gp::sum(y).item(); });
      std::jthread second([&] { seen[1] = gp::sum(sum * 1.).item(); });
      CHECK(gp::sum(z).item() == 64. * 128.);
    }
    CHECK(seen[0] == 64.);
    CHECK(seen[1] == 64. * 128.);
  }
}

TEST_CASE("quotients and roots of any numbers have the bits of single steps") {
  std::vector<float> list;
  for (const float x :
       {0.f, 0x1p-149f, 0x1.fp-130f, 0x1p-126f, 0x1.8p-61f, 0x1p-60f, 1e-5f, 1.f, 0x1.fffffep0f, 3.f, 0x1p60f,
        0x1.8p60f, 0x1p61f, 0x1.fffffep127f, std::numeric_limits<float>::infinity()})
    list.insert(list.end(), {x, -x});
  list.push_back(std::numeric_limits<float>::quiet_NaN());
  const gp::ndarray<float> b = gp::array(list), a = b(":, None") + gp::zeros<float>({1, 1});
  const gp::ndarray<float> usual = gp::abs(numbers<float>({31, 5000})) + 0.1f;
  // Few are out of range, and many.
  gp::ndarray<float> mixed = usual.copy();
  mixed("::3, ::117") = 0.f;
  mixed("1::3, ::311") = 0x1p-100f;
  mixed("2::3, ::1013") = 0x1p100f;
  check_same([&](const names& name) { return name(name(a / b) * 3.f); });
  check_same([&](const names& name) { return name(name(gp::sqrt(a)) / b); });
  check_same([&](const names& name) { return name(name(gp::reciprocal(a)) - name(gp::rsqrt(b))); });
  for (const gp::ndarray<float>& x : {usual, mixed}) {
    check_same([&](const names& name) { return name(x / name(gp::sqrt(x) + 1.f)); });
    check_same([&](const names& name) { return name(gp::sum(name(1.f / name(x * name(gp::sqrt(x)))), 1)); });
    check_same([&](const names& name) { return softmax(x, name); });
    check_same([&](const names& name) { return normalised(x, x(0).copy(), x(1).copy(), name); });
    // Rows that a thread takes together have the pull in common.
    const gp::ndarray<float> d = x(":, :999").reshape({31, 333, 3});
    check_same([&](const names& name) {
      const gp::ndarray<float> squared = name(gp::sum(name(d * d), 2)),
                               pull = name(x(2)(":333") / name(squared * name(gp::sqrt(squared))));
      return name(gp::sum(name(pull("..., None") * d), 1));
    });
  }
}

TEST_CASE("long functions of any numbers of double have the bits of single steps") {
  const double infinite = std::numeric_limits<double>::infinity();
  gp::ndarray<double> a = numbers<double>({4099}), b = gp::abs(numbers<double>({4099})) + 1e-9;
  // Few, and so that some four neighbours have none.
  std::int64_t at = 0;
  for (const double x : {708.39, 708.4, 709.8, 745.2, 1e300, infinite, 0., 0x1p-1074, 0x1p-1022, 1e-310})
    for (const double sign : {1., -1.}) {
      a((at += 7) % 211) = sign * x;
      b(at % 211) = sign * x;
    }
  a(205) = b(206) = std::numeric_limits<double>::quiet_NaN();
  check_same([&](const names& name) {
    return name(name(gp::log(b)) * name(gp::exp(a)) + name(gp::sqrt(b)) / name(gp::erf(a)));
  });
}

TEST_CASE("rows: of any length and of few and many values that stages share") {
  const std::int64_t rows = shared_size(70, 16);
  for (const std::int64_t columns : {40, 700, 2100, 5000, 9000, 12000}) {
    CAPTURE(columns);
    const gp::ndarray<float> x = numbers<float>({rows, columns}), y = numbers<float>({rows, columns});
    check_same([&](const names& name) {
      const gp::ndarray<float> d = name(x - name(gp::mean(x, {1}, {.keepdims = true}))),
                               e = name(y - name(gp::mean(y, {1}, {.keepdims = true})));
      const gp::ndarray<float> both = name(gp::sum(name(d * e), {1}, {.keepdims = true})),
                               least = name(gp::min(x, {1}, {.keepdims = true}));
      return name(d * both + name(e / least) + y);
    });
  }
}

TEST_CASE("rows: correlations, whose sums read what means were taken from") {
  const gp::ndarray<float> x = numbers<float>({600, 257}), y = x * x + 1.f;
  gp::eval(x, y);
  check_same([&](names name) {
    const gp::ndarray<float> dx = name(x - name(gp::mean(x, {1}, {.keepdims = true}))),
                             dy = name(y - name(gp::mean(y, {1}, {.keepdims = true})));
    const gp::ndarray<float> both = name(gp::sum(name(dx * dy), 1)), of_x = name(gp::sum(name(dx * dx), 1)),
                             of_y = name(gp::sum(name(dy * dy), 1));
    return gp::ndarray<float>(name(both / name(gp::sqrt(name(of_x * of_y)))));
  });
}

TEST_CASE("rows: explain lists the stages, and computes none") {
  const gp::ndarray<float> x = numbers<float>({300, 64});
  const gp::ndarray<float> y = softmax(x, names{false});
  const std::string text = gp::explain(y);
  CAPTURE(text);
  CHECK(text.find("4 stages, of which a few rows at a time go through all") == 0);
  CHECK(text.find("1. max of a") != std::string::npos);
  CHECK(text.find("3. sum of a") != std::string::npos);
  CHECK(y.pending());
  const gp::ndarray<double> few = gp::ones<double>({100, 5});
  CHECK(gp::explain(few / gp::sum(few, {1}, {.keepdims = true})).find("stages") == std::string::npos);
  CHECK(bytes(y) == bytes(softmax(x, names{true})));
}
