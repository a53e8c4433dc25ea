// Four programs as users write them, whose allocations tests/memory/traces holds: what they compute is of no
// use.
#pragma once
#include <utility>
#include <vector>

#include <gparray/fft.hpp>
#include <gparray/gparray.hpp>
#include <gparray/linalg.hpp>
#include <gparray/random.hpp>
#include <gparray/sparse.hpp>
#include <gparray/sparse/linalg.hpp>

#include "memory_recorder.hpp"

namespace bench {

namespace gp = gparray;
using floats = gp::ndarray<float>;
using doubles = gp::ndarray<double>;

/// Steps of a network of four layers under Adam. Batches have a usual size, which changes twice, and the last
/// of an epoch is smaller; after an epoch a larger batch is only evaluated. They are loaded on a stream of
/// their own.
inline void train(memory_recorder& record) {
  auto random = gp::random::default_rng(1);
  const std::vector<std::int64_t> widths{784, 1536, 1024, 512, 10};
  const std::size_t n_layers = widths.size() - 1;
  std::vector<floats> w, b, m, v;
  for (std::size_t i = 0; i < n_layers; ++i) {
    w.push_back(0.05f * random.standard_normal<float>({widths[i], widths[i + 1]}));
    b.push_back(gp::zeros<float>({widths[i + 1]}));
    m.push_back(gp::zeros<float>(w[i].shape()));
    v.push_back(gp::zeros<float>(w[i].shape()));
  }
  const auto load = [&](std::int64_t rows) {
    record.stream = 1;
    floats x = random.random<float>({rows, widths[0]});
    x.eval();
    record.stream = 0;
    record.used(x.raw_data());
    return x;
  };
  const auto forward = [&](const floats& x, std::vector<floats>& kept) {
    floats a = x;
    for (std::size_t i = 0; i < n_layers; ++i) {
      kept.push_back(a);
      floats z = gp::matmul(a, w[i]) + b[i];
      a = i + 1 < n_layers ? floats(gp::maximum(z, 0.f)) : z;
      a.eval();
    }
    return a;
  };
  for (const std::int64_t usual : {1024, 1536, 2048}) {
    floats next = load(usual);
    for (int step = 0; step < 10; ++step) {
      const floats x = next;
      next = load(step == 8 ? usual * 3 / 5 + 7 : usual);
      std::vector<floats> kept;
      const floats logits = forward(x, kept);
      const floats e = gp::exp(logits - gp::max(logits, 1, {.keepdims = true}));
      floats delta = (e / gp::sum(e, 1, {.keepdims = true}) - 0.1f) / static_cast<float>(x.shape(0));
      for (std::size_t i = n_layers; i-- > 0;) {
        const floats dw = gp::matmul(kept[i].T(), delta), db = gp::sum(delta, 0);
        if (i) delta = gp::matmul(delta, w[i].T()) * (kept[i] > 0.f);
        delta.eval();
        m[i] = 0.9f * m[i] + 0.1f * dw;
        v[i] = 0.999f * v[i] + 0.001f * dw * dw;
        w[i] = w[i] - 0.001f * m[i] / (gp::sqrt(v[i]) + 1e-8f);
        b[i] = b[i] - 0.001f * db;
        w[i].eval();
        b[i].eval();
        m[i].eval();
        v[i].eval();
      }
    }
    std::vector<floats> kept;
    forward(load(usual * 3 / 2), kept);
  }
}

/// Pictures of changing sizes, loaded on a stream of their own: smoothed by Fourier transforms, their edges
/// found, and brought to half their size; the results of the last few are kept.
inline void transform(memory_recorder& record) {
  auto random = gp::random::default_rng(2);
  std::vector<floats> results;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t rows = 500 + 40 * (i * 7 % 37), columns = 600 + 24 * (i * 11 % 53);
    record.stream = 1;
    const floats picture = random.random<float>({3, rows, columns});
    picture.eval();
    record.stream = 0;
    record.used(picture.raw_data());
    const auto spectrum = gp::fft::rfft2(picture);
    const floats y = gp::fft::fftfreq(rows).astype<float>(), x = gp::fft::rfftfreq(columns).astype<float>();
    const floats filter = gp::exp(-20.f * (y(gp::all, gp::newaxis) * y(gp::all, gp::newaxis) + x * x));
    const floats smooth = gp::fft::irfft2(spectrum * filter, {.s = {rows, columns}});
    const floats across = smooth(":, :, 1:") - smooth(":, :, :-1"),
                 down = smooth(":, 1:, :") - smooth(":, :-1, :");
    const floats edges = gp::hypot(across(":, 1:, :"), down(":, :, 1:"));
    const floats gray = gp::mean(edges, 0);
    const gp::ndarray<bool> strong = gray > 0.1f + gp::mean(gray).item();
    const floats marked = gp::where(strong, gray, 0.f)(gp::slice(0, gray.shape(0) / 2 * 2),
                                                       gp::slice(0, gray.shape(1) / 2 * 2));
    const floats half =
        0.25f * (marked("::2, ::2") + marked("1::2, ::2") + marked("::2, 1::2") + marked("1::2, 1::2"));
    results.push_back(half.eval());
    if (results.size() > 6) results.erase(results.begin());
  }
}

/// A table that comes in chunks of many sizes: rows are chosen by masks, sorted and summed by group, and what
/// is kept of each chunk is put together at the end.
inline void analyse(memory_recorder&) {
  auto random = gp::random::default_rng(3);
  std::vector<doubles> kept_values, group_sums;
  std::vector<gp::ndarray<std::int64_t>> kept_keys;
  for (int i = 0; i < 48; ++i) {
    const std::int64_t rows = 20000 + 9973 * (i * 29 % 61);
    const gp::ndarray<std::int64_t> keys = random.integers<std::int64_t>(0, 5000, rows);
    const doubles values = random.standard_normal(rows), weights = random.random(rows);
    const gp::ndarray<bool> good = (values > -1.0) & (weights > 0.2);
    const gp::ndarray<std::int64_t> good_keys = keys(good);
    const doubles good_values = values(good);
    const auto order = gp::argsort(good_keys);
    const gp::ndarray<std::int64_t> sorted_keys = gp::take(good_keys, order);
    const doubles sorted_values = gp::take(good_values, order);
    const doubles running = gp::cumsum(sorted_values);
    group_sums.push_back(gp::bincount(sorted_keys, sorted_values, 5000));
    const doubles scaled = (sorted_values - gp::mean(sorted_values)) / gp::std(sorted_values);
    const gp::ndarray<bool> outliers = gp::abs(scaled) > 1.5;
    kept_values.push_back(doubles(sorted_values(outliers)));
    kept_keys.push_back(gp::ndarray<std::int64_t>(sorted_keys(outliers)));
    if (i % 12 == 11) {
      const doubles all = gp::concatenate(kept_values, 0);
      const auto all_keys = gp::concatenate(kept_keys, 0);
      const auto different = gp::unique(all_keys);
      const doubles ranked = gp::sort(all), table = gp::stack(group_sums, 0);
      const doubles totals = gp::sum(table, 0);
      kept_values = {doubles(all(gp::abs(all) > gp::quantile(ranked, 0.5).item()))};
      kept_keys = {gp::ndarray<std::int64_t>(all_keys(gp::slice(0, kept_values[0].size())).copy())};
      group_sums = {totals};
    }
  }
}

/// -laplace with something added on the diagonal, on m x m points.
inline gp::sparse::csr_matrix<double> plate(std::int64_t m) {
  const std::int64_t n = m * m;
  const doubles ones = gp::ones({n});
  const doubles diagonals =
      gp::stack({doubles(-ones), doubles(-ones), doubles(4.2 * ones), doubles(-ones), doubles(-ones)});
  const gp::ndarray<std::int64_t> offsets{-m, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, m};
  return gp::sparse::dia_matrix<double>(diagonals, offsets, gp::dims{n, n}).tocsr();
}

/// Steps in time on a grid that is refined as they go: sparse solvers, and a dense system of growing size.
inline void solve(memory_recorder&) {
  auto random = gp::random::default_rng(4);
  doubles state = gp::ones({120 * 120});
  for (int step = 0; step < 12; ++step) {
    const std::int64_t m = 120 + 30 * step;
    const auto a = plate(m);
    doubles b = random.random(m * m);
    b(gp::slice(0, state.size())) += state;
    const auto smooth = gp::sparse::linalg::cg(a, b, {.rtol = 1e-4});
    const auto other =
        gp::sparse::linalg::gmres(a, doubles(b - smooth.x), {.rtol = 1e-2, .restart = 20, .maxiter = 2});
    const std::int64_t k = 200 + 80 * step;
    const doubles dense = random.random({k, k}) + static_cast<double>(k) * gp::eye(k);
    const auto factors = gp::linalg::lu_factor(dense);
    const doubles x = gp::linalg::lu_solve(factors, doubles(b(gp::slice(0, k))));
    state = smooth.x + other.x;
    state(gp::slice(0, k)) += x;
    state.eval();
  }
}

}  // namespace bench
