// Fusion never changes a bit: random expressions computed at once and one operation after the other, on the
// CPU by tiles, on a GPU by generated kernels; and on a GPU the bits of the CPU, where the functions are
// exact.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "random_expressions.hpp"

using namespace random_expressions;

namespace {

// Kernels are compiled for most expressions on a GPU, a tenth of a second each.
constexpr int n_on_cpu = 6000, n_on_gpu = 150;

std::vector<unsigned char> bytes_of(const any_array& a) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(a.nbytes()) + 1);
  detail::copy_to_host(a, bytes.data());
  bytes.resize(static_cast<std::size_t>(a.nbytes()));
  return bytes;
}

std::vector<unsigned char> bytes_of(const expression& e) {
  std::vector<unsigned char> all;
  for (const any_array& a : e.results) {
    const auto bytes = bytes_of(a);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

bool same_layout(const expression& a, const expression& b) {
  return std::ranges::equal(a.results, b.results, [](const any_array& x, const any_array& y) {
    return x.dtype() == y.dtype() && x.shape() == y.shape();
  });
}

template<class V>
bool is_nan(V x) {
  return x != x;
}

/// Equal elements, any NaN being equal to any other.
bool same_values(const any_array& a, const any_array& b) {
  return with_type(a.dtype(), [&]<class V>() {
    const auto n = static_cast<std::size_t>(a.size());
    const std::unique_ptr<V[]> x(new V[n + 1]), y(new V[n + 1]);
    detail::copy_to_host(a, x.get());
    detail::copy_to_host(b, y.get());
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (is_complex(dtype_of<V>)) {
        const auto same = [](auto p, auto q) { return p == q || (is_nan(p) && is_nan(q)); };
        if (!same(x[i].real(), y[i].real()) || !same(x[i].imag(), y[i].imag())) return false;
      } else if constexpr (is_floating(dtype_of<V>)) {
        const auto p = static_cast<double>(x[i]), q = static_cast<double>(y[i]);
        if (p != q && !(is_nan(p) && is_nan(q))) return false;
      } else if (x[i] != y[i]) {
        return false;
      }
    }
    return true;
  });
}

/// All seeds, or the one that is to be looked at: GPARRAY_TEST_SEED.
struct seeds {
  explicit seeds(int n) {
    if (const char* one = std::getenv("GPARRAY_TEST_SEED")) first = last = std::strtoull(one, nullptr, 10);
    else last = static_cast<std::uint64_t>(n) - 1;
  }
  std::uint64_t first = 0, last = 0;
};

struct jit_scope {
  ~jit_scope() { set_jit_mode(before); }
  jit before = jit_mode();
};

std::string report(const recipe& r, const expression& e) {
  return "GPARRAY_TEST_SEED=" + std::to_string(r.seed) + (r.exact ? " (exact): " : ": ") + e.text;
}

}  // namespace

TEST_CASE("random expressions have the bits of their operations one by one") {
  const bool gpu = default_device().is_cuda();
  const seeds range(gpu ? n_on_gpu : n_on_cpu);
  const jit_scope restored;
  int failures = 0, n_fused = 0, n = 0;
  for (std::uint64_t seed = range.first; seed <= range.last && failures < 5; ++seed, ++n) {
    const recipe together{.seed = seed}, apart{.seed = seed, .step_by_step = true};
    set_jit_mode(jit::sync);
    const expression fused = make(together);
    const auto bits = bytes_of(fused);
    set_jit_mode(jit::off);
    const expression stepped = make(apart);
    n_fused += fused.n_steps > 1;
    if (fused.text == stepped.text && same_layout(fused, stepped) && bits == bytes_of(stepped)) continue;
    ++failures;
    FAIL_CHECK(report(together, fused));
  }
  if (n > 1) CHECK(n_fused > n / 2);
}

TEST_CASE("random expressions of exact functions have the CPU's values on a GPU") {
  if (!default_device().is_cuda()) return;
  const seeds range(n_on_gpu);
  const jit_scope restored;
  set_jit_mode(jit::off);  // which has the bits of all other modes, see above
  int failures = 0;
  for (std::uint64_t seed = range.first; seed <= range.last && failures < 5; ++seed) {
    const recipe here{.seed = seed, .exact = true},
        there{.seed = seed, .where = device("cpu"), .exact = true};
    const expression a = make(here), b = make(there);
    bool same = a.text == b.text && same_layout(a, b);
    for (std::size_t i = 0; same && i < a.results.size(); ++i) same = same_values(a.results[i], b.results[i]);
    if (same) continue;
    ++failures;
    FAIL_CHECK(report(here, a));
  }
}
