// CUB's algorithms beside the library's on a GPU: the same elements, calls queued back to back in turns,
// medians of the turns. Every result of CUB's must equal ours. Where the library itself uses CUB
// (docs/decisions/) this shows what our order of numbers and the pool add.
#include <cmath>
#include <functional>
#include <limits>

#include <gparray/gparray.hpp>

#include "../examples/options.hpp"
#include "bench.hpp"
#include "cub_calls.hpp"

namespace gp = gparray;

namespace {

template<class V>
using array = gp::ndarray<V>;
using bench::cub_scratch;

/// A CUB call with the memory that it asked for.
template<class Call>
auto with_scratch(Call call) {
  cub_scratch needed{nullptr, 0};
  call(needed);
  const auto bytes = static_cast<std::int64_t>(std::max<std::size_t>(needed.bytes, 1));
  return [call, memory = gp::empty<std::uint8_t>(bytes)] {
    cub_scratch scratch{memory.data(), static_cast<std::size_t>(memory.size())};
    return call(scratch);
  };
}

template<class V>
bool same(const array<V>& a, const array<V>& b) {
  return gp::array_equal(a, b);
}

class comparison {
 public:
  comparison(std::string only, std::int64_t most) : only_(std::move(only)), most_(most) {
    fmt::print("{:<28}{:>12}{:>14}{:>14}{:>12}\n", "case", "elements", "gparray us", "CUB us", "CUB/gparray");
  }

  /// make(n) gives our call, CUB's, and what says whether their results are equal.
  template<class Make>
  void add(const std::string& name, std::initializer_list<double> sizes, Make make) {
    if (!bench::asks_for(only_, name)) return;
    for (const double each : sizes) {
      const auto n = static_cast<std::int64_t>(each);
      if (n > most_) continue;
      try {
        auto [ours, theirs, equal] = make(n);
        run(name, n, ours, theirs, equal);
      } catch (const gp::out_of_memory&) {
        fmt::print("{:<28}{:>12} does not fit\n", name, n);
      }
      gp::synchronize();
      gp::get_default_memory_pool().free_all_blocks();
      std::fflush(stdout);
    }
  }

  bool all_equal() const { return all_equal_; }

 private:
  template<class Ours, class Theirs, class Equal>
  void run(const std::string& name, std::int64_t n, Ours& ours, Theirs& theirs, Equal& equal) {
    const auto batch = [](auto& call, int calls) {
      const double start = bench::seconds_now();
      for (int i = 0; i < calls; ++i) call();
      gp::synchronize();
      return (bench::seconds_now() - start) / calls * 1e6;
    };
    batch(ours, 2);
    batch(theirs, 2);
    const double slower = std::max(batch(ours, 1), batch(theirs, 1));
    const int calls = std::clamp(static_cast<int>(30000 / slower), 1, 200);
    std::vector<double> our_us, their_us;
    for (int turn = 0; turn < 5; ++turn) {
      our_us.push_back(batch(ours, calls));
      their_us.push_back(batch(theirs, calls));
    }
    const double our_median = bench::median(our_us), their_median = bench::median(their_us);
    const bool is_equal = equal();
    all_equal_ = all_equal_ && is_equal;
    fmt::print("{:<28}{:>12}{:>14.2f}{:>14.2f}{:>12.3f}{}\n", name, n, our_median, their_median,
               their_median / our_median, is_equal ? "" : "  NOT EQUAL");
  }

  std::string only_;
  std::int64_t most_;
  bool all_equal_ = true;
};

template<class Ours, class Theirs, class Equal>
auto cases(Ours ours, Theirs theirs, Equal equal) {
  return std::tuple(std::move(ours), std::move(theirs), std::move(equal));
}

/// Random elements: floats in [0, 1), integers of all their bits.
template<class V>
array<V> elements(std::int64_t n) {
  gp::random::Generator rng(7);
  if constexpr (std::is_floating_point_v<V>) return rng.random<V>(n);
  else
    return rng.integers<V>(std::numeric_limits<V>::min(), std::numeric_limits<V>::max(), n,
                           {.endpoint = true});
}

/// Random whole numbers below `end`.
template<class V>
array<V> whole(std::int64_t n, std::int64_t end) {
  return gp::random::Generator(8).integers<std::int32_t>(0, end, n).template astype<V>();
}

template<class V>
void sorts(comparison& c, const std::string& type, std::initializer_list<double> sizes) {
  c.add("sort_" + type, sizes, [](std::int64_t n) {
    const array<V> x = elements<V>(n), sorted = gp::empty<V>(n);
    return cases([=] { gp::eval(gp::sort(x)); },
                 with_scratch([=](cub_scratch& s) { bench::cub_sort(s, x.data(), sorted.data(), n); }),
                 [=] { return same(gp::ndarray<V>(gp::sort(x)), sorted); });
  });
}

template<class V>
void argsorts(comparison& c, const std::string& type, std::initializer_list<double> sizes) {
  c.add("argsort_" + type, sizes, [](std::int64_t n) {
    const array<V> x = elements<V>(n), keys = gp::empty<V>(n);
    const array<std::uint32_t> numbers = gp::empty<std::uint32_t>(2 * n);
    const array<std::int64_t> order = gp::empty<std::int64_t>(n);
    return cases([=] { const array<std::int64_t> y = gp::argsort(x); }, with_scratch([=](cub_scratch& s) {
                   bench::cub_argsort(s, x.data(), keys.data(), numbers.data(), order.data(), n);
                 }),
                 [=] { return same(gp::ndarray<std::int64_t>(gp::argsort(x)), order); });
  });
}

template<class V>
void segments(comparison& c, const std::string& type) {
  for (const std::int64_t row : {30, 300, 3000, 30000, 300000}) {
    const auto add = [&](const char* kind, auto call) {
      c.add(fmt::format("rows_{}_{}_{}", row, type, kind), {3e6, 3e7, 3e8}, [=](std::int64_t n) {
        const array<V> x = elements<V>(n).reshape({-1, row}), sorted = gp::empty<V>(x.shape());
        return cases([=] { gp::eval(gp::sort(x)); },
                     with_scratch([=](cub_scratch& s) { call(s, x.data(), sorted.data(), n / row, row); }),
                     [=] { return same(gp::ndarray<V>(gp::sort(x)), sorted); });
      });
    };
    add("segmented", &bench::cub_segmented_sort<V>);
    // One block for each row.
    if (row >= 3000) add("seg_radix", &bench::cub_segmented_radix_sort<V>);
  }
}

template<class V>
void selections(comparison& c, const std::string& type) {
  c.add("select_half_" + type, {1e5, 1e6, 1e7, 1e8, 1e9}, [](std::int64_t n) {
    const array<V> x = elements<V>(n), out = gp::empty<V>(n);
    const array<bool> mask = whole<std::int32_t>(n, 2) == 1;
    const array<std::int64_t> count = gp::empty<std::int64_t>(1);
    return cases([=] { gp::eval(x(mask)); }, with_scratch([=](cub_scratch& s) {
                   return bench::cub_select(s, x.data(), mask.data(), out.data(), count.data(), n);
                 }),
                 [=] {
                   const array<V> y = x(mask);
                   return count.item(0) == y.size() && same(y, array<V>(out(gp::slice(gp::none, y.size()))));
                 });
  });
}

void nonzeros(comparison& c) {
  c.add("nonzero_half", {1e5, 1e6, 1e7, 1e8, 1e9}, [](std::int64_t n) {
    const array<bool> mask = whole<std::int32_t>(n, 2) == 1;
    const array<std::int64_t> out = gp::empty<std::int64_t>(n), count = gp::empty<std::int64_t>(1);
    return cases([=] { const array<std::int64_t> y = gp::flatnonzero(mask); },
                 with_scratch([=](cub_scratch& s) {
                   return bench::cub_nonzero(s, mask.data(), out.data(), count.data(), n);
                 }),
                 [=] {
                   const array<std::int64_t> y = gp::flatnonzero(mask);
                   return count.item(0) == y.size() &&
                          same(y, array<std::int64_t>(out(gp::slice(gp::none, y.size()))));
                 });
  });
}

template<class V>
void uniques(comparison& c, const std::string& type) {
  c.add("unique_" + type, {1e5, 1e6, 1e7, 1e8, 1e9}, [](std::int64_t n) {
    const array<V> x = whole<V>(n, std::max<std::int64_t>(n / 10, 10)), sorted = gp::empty<V>(n),
                   out = gp::empty<V>(n);
    const array<std::int64_t> count = gp::empty<std::int64_t>(1);
    const auto sort = with_scratch([=](cub_scratch& s) { bench::cub_sort(s, x.data(), sorted.data(), n); });
    const auto pick = with_scratch(
        [=](cub_scratch& s) { return bench::cub_unique(s, sorted.data(), out.data(), count.data(), n); });
    return cases([=] { gp::eval(gp::unique(x)); }, [=] { sort(), pick(); },
                 [=] {
                   const array<V> y = gp::unique(x);
                   return count.item(0) == y.size() && same(y, array<V>(out(gp::slice(gp::none, y.size()))));
                 });
  });
  c.add("run_lengths_" + type, {1e5, 1e6, 1e7, 1e8}, [](std::int64_t n) {
    const array<V> x = whole<V>(n, std::max<std::int64_t>(n / 10, 10)), sorted = gp::empty<V>(n),
                   out = gp::empty<V>(n);
    const array<std::int64_t> count = gp::empty<std::int64_t>(1), lengths = gp::empty<std::int64_t>(n);
    const auto sort = with_scratch([=](cub_scratch& s) { bench::cub_sort(s, x.data(), sorted.data(), n); });
    const auto encode = with_scratch([=](cub_scratch& s) {
      return bench::cub_run_lengths(s, sorted.data(), out.data(), lengths.data(), count.data(), n);
    });
    return cases([=] { const auto y = gp::unique_counts(x); }, [=] { sort(), encode(); },
                 [=] {
                   const auto [values, counts] = gp::unique_counts(x);
                   const auto front = gp::slice(gp::none, values.size());
                   return count.item(0) == values.size() && same(values, array<V>(out(front))) &&
                          same(counts, array<std::int64_t>(lengths(front)));
                 });
  });
}

void histograms(comparison& c) {
  for (const int bins : {10, 256, 65536})
    c.add(fmt::format("bincount_{}_i64", bins), {1e5, 1e6, 1e7, 1e8, 1e9}, [bins](std::int64_t n) {
      const array<std::int64_t> x = whole<std::int64_t>(n, bins), counts = gp::empty<std::int64_t>(bins);
      return cases(
          [=] { const array<std::int64_t> y = gp::bincount(x, bins); }, with_scratch([=](cub_scratch& s) {
            bench::cub_histogram(s, x.data(), counts.data(), bins, std::int64_t{0}, std::int64_t{bins}, n);
          }),
          [=] { return same(gp::ndarray<std::int64_t>(gp::bincount(x, bins)), counts); });
    });
  c.add("histogram_256_f32", {1e5, 1e6, 1e7, 1e8, 1e9}, [](std::int64_t n) {
    const array<float> x = (whole<float>(n, 256) + 0.5f) / 256.f;
    const array<std::int64_t> counts = gp::empty<std::int64_t>(256);
    const auto ours = [=] { return gp::histogram(x, 256, {.range = gp::histogram_range{0, 1}}); };
    return cases([=] { const auto y = ours(); }, with_scratch([=](cub_scratch& s) {
                   bench::cub_histogram(s, x.data(), counts.data(), 256, 0.f, 1.f, n);
                 }),
                 [=] { return same(ours().hist, counts); });
  });
}

/// Steps of a random walk, so that sums of floats are exact in any order.
template<class V, class A>
void sums(comparison& c, const std::string& type) {
  c.add("cumsum_" + type, {1e5, 1e6, 1e7, 1e8, 1e9}, [](std::int64_t n) {
    const array<V> x = (2 * whole<std::int32_t>(n, 2) - 1).template astype<V>();
    const array<A> out = gp::empty<A>(n);
    return cases([=] { gp::eval(gp::cumsum(x)); },
                 with_scratch([=](cub_scratch& s) { bench::cub_inclusive_sum(s, x.data(), out.data(), n); }),
                 [=] { return same(array<A>(gp::cumsum(x)), out); });
  });
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Times CUB's algorithms beside the library's on a GPU.");
  const std::string only = options.value("--only", "", "run the cases whose name contains one of these");
  const double most = options.value("--most", 1e9, "leave out cases of more elements");
  options.finish();
  gp::set_default_device(gp::device::cuda(0));
  gp::set_jit_mode(gp::jit::sync);
  comparison c(only, static_cast<std::int64_t>(most));
  sorts<float>(c, "f32", {1e4, 1e5, 1e6, 1e7, 1e8, 1e9});
  sorts<std::int32_t>(c, "i32", {1e5, 1e6, 1e7, 1e8, 1e9});
  sorts<double>(c, "f64", {1e4, 1e5, 1e6, 1e7, 1e8, 1e9});
  sorts<std::int64_t>(c, "i64", {1e5, 1e6, 1e7, 1e8, 1e9});
  sorts<std::int16_t>(c, "i16", {1e5, 1e6, 1e7, 1e8, 1e9});
  sorts<std::uint8_t>(c, "u8", {1e5, 1e6, 1e7, 1e8, 1e9});
  argsorts<float>(c, "f32", {1e5, 1e6, 1e7, 1e8, 1e9});
  argsorts<std::int32_t>(c, "i32", {1e5, 1e6, 1e7, 1e8, 1e9});
  argsorts<double>(c, "f64", {1e5, 1e6, 1e7, 1e8});
  argsorts<std::int64_t>(c, "i64", {1e5, 1e6, 1e7, 1e8});
  segments<float>(c, "f32");
  segments<std::int64_t>(c, "i64");
  selections<float>(c, "f32");
  selections<double>(c, "f64");
  nonzeros(c);
  uniques<float>(c, "f32");
  uniques<std::int32_t>(c, "i32");
  uniques<std::int64_t>(c, "i64");
  histograms(c);
  sums<float, float>(c, "f32");
  sums<double, double>(c, "f64");
  sums<std::int64_t, std::int64_t>(c, "i64");
  sums<std::int32_t, std::int64_t>(c, "i32");
  if (c.all_equal()) return 0;
  fmt::print("some results differ\n");
  return 1;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
