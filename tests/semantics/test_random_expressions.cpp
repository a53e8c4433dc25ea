// Fusion never changes a bit: random expressions computed at once and one operation after the other, on the
// CPU by tiles, on a GPU by generated kernels; and on a GPU the bits of the CPU, where the functions are
// exact.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include <doctest/doctest.h>

#include "support/random_expressions.hpp"

using namespace random_expressions;

namespace {

// Kernels are compiled for most expressions on a GPU, a tenth of a second each: GPARRAY_TEST_SEEDS asks for
// more of them. Where nothing is compiled there are thousands.
constexpr int n_on_cpu = 6000, n_fused_on_gpu = 150, n_stepped_on_gpu = 2000;

/// The elements in C order. All NaNs are one: of two, processors keep the sign and payload of either.
std::vector<unsigned char> bytes_of(const any_array& a) {
  return with_type(a.dtype(), [&]<class V>() {
    const auto n = static_cast<std::size_t>(a.size());
    const std::unique_ptr<V[]> elements(new V[n + 1]);
    detail::copy_to_host(a, elements.get());
    const auto unify = [](auto* x, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        if (x[i] != x[i]) x[i] = std::remove_reference_t<decltype(*x)>(NAN);
    };
    if constexpr (is_complex(dtype_of<V>))
      unify(reinterpret_cast<typename V::value_type*>(elements.get()), 2 * n);
    else if constexpr (is_floating(dtype_of<V>)) unify(elements.get(), n);
    const auto* bytes = reinterpret_cast<const unsigned char*>(elements.get());
    return std::vector<unsigned char>(bytes, bytes + n * sizeof(V));
  });
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

/// As many seeds as GPARRAY_TEST_SEEDS says, else n; or the one that is to be looked at: GPARRAY_TEST_SEED.
struct seeds {
  explicit seeds(int n) {
    if (const char* count = std::getenv("GPARRAY_TEST_SEEDS")) n = std::max(std::atoi(count), 1);
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
  const seeds range(gpu ? n_fused_on_gpu : n_on_cpu);
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
  const seeds range(n_stepped_on_gpu);
  const jit_scope restored;
  set_jit_mode(jit::off);  // which has the bits of all other modes, see above
  int failures = 0;
  for (std::uint64_t seed = range.first; seed <= range.last && failures < 5; ++seed) {
    const recipe here{.seed = seed, .exact = true},
        there{.seed = seed, .where = device("cpu"), .exact = true};
    const expression a = make(here), b = make(there);
    if (a.text == b.text && same_layout(a, b) && bytes_of(a) == bytes_of(b)) continue;
    ++failures;
    FAIL_CHECK(report(here, a));
  }
}

namespace {

/// Many steps, so that a GPU's kernel would rather call them than have them twice.
template<class Narrow, class Unsigned>
void check_unsigned() {
  const ndarray<Narrow> a = gparray::arange<int>(-60, 60).astype<Narrow>();
  const auto value = [&] {
    return ndarray<double>(
        log2(logaddexp2(0.37, sqrt(a.template astype<Unsigned>().template astype<double>()))));
  };
  set_jit_mode(jit::sync);
  const ndarray<double> fused = value();
  set_jit_mode(jit::off);
  const std::vector<double> numbers =
      a.template astype<Unsigned>().template astype<double>().eval().to_vector();
  CHECK(numbers[0] == static_cast<double>(static_cast<Unsigned>(static_cast<Narrow>(-60))));
  const ndarray<double> root = sqrt(array(numbers)), sum = logaddexp2(0.37, root), stepped = log2(sum);
  CHECK(array_equal(fused, stepped));
}

}  // namespace

TEST_CASE("negative numbers of 8 and 16 bits that become unsigned and then floating") {
  const jit_scope restored;
  check_unsigned<std::int8_t, std::uint32_t>();
  check_unsigned<std::int8_t, std::uint64_t>();
  check_unsigned<std::int8_t, std::uint16_t>();
  check_unsigned<std::int16_t, std::uint32_t>();
  check_unsigned<std::int16_t, std::uint64_t>();
}
