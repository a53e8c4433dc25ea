// The map executor against element-by-element evaluation with the same functors.
#include <doctest/doctest.h>
#include <host/thread_pool.hpp>
#include <kernel/functors.hpp>

#include "test_kernel_host_plans.hpp"

using namespace host_test;

namespace {

/// Values that every function accepts without surprises, in every dtype.
template<class T>
T sample(std::mt19937& random) {
  const int n = std::uniform_int_distribution<int>(1, 9)(random);
  if constexpr (kernel::is_complex<T>)
    return {static_cast<kernel::real_t<T>>(n) / 8, static_cast<kernel::real_t<T>>(n % 5) / 4};
  else if constexpr (kernel::is_bool<T>) return n % 2 == 0;
  else if constexpr (kernel::is_integer<T>) return static_cast<T>(n);
  else return static_cast<T>(static_cast<float>(n) / 8);
}

template<class T>
void fill(strided<T>& array, std::mt19937& random) {
  for (std::size_t i = 0; i < array.count; ++i) array.memory[i] = sample<T>(random);
}

/// Bits, but any NaN equals any other, and within `ulps` where vector and scalar functions of libm differ.
template<class T>
bool close(T a, T b, double tolerance) {
  if constexpr (kernel::is_complex<T>) {
    return close(a.re, b.re, tolerance) && close(a.im, b.im, tolerance);
  } else if constexpr (kernel::is_real<T> || kernel::is_half<T>) {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    return x == y || (x != x && y != y) || std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y));
  } else {
    return a == b;
  }
}

/// libmvec is within 4 ulp, libm within 1; halves are rounded after that and so differ by at most one of
/// their ulps.
template<class T>
double tolerance() {
  if (kernel::is_same<T, float16>) return 0x1p-10;
  if (kernel::is_same<T, bfloat16>) return 0x1p-7;
  return 64 * (sizeof(kernel::real_t<T>) == 4 ? 0x1p-23 : 0x1p-52);
}

struct layout {
  std::vector<std::int64_t> shape, a, b, c, out;
};

const layout layouts[] = {
    {{}, {}, {}, {}, {}},
    {{1000}, {1}, {1}, {1}, {1}},
    {{777}, {2}, {-1}, {0}, {3}},
    {{5, 130}, {1, 1}, {0, 1}, {1, 0}, {1, 1}},
    {{3, 37, 3}, {1, -1, 1}, {1, 0, -2}, {-1, 1, 1}, {1, 1, 2}},
    {{2, 5000}, {2, 1}, {1, 2}, {-1, -1}, {1, 1}},
};

template<class Op, class T, class Signature>
struct check_op;

template<class Op, class T, char Output, char... Inputs>
struct check_op<Op, T, kernel::signature<Output, Inputs...>> {
  template<char L>
  using letter_t = typename kernel::letter<L, T>::type;

  template<std::size_t... I>
  static void run(ufunc op, dtype loop, std::index_sequence<I...>) {
    std::mt19937 random(7);
    for (const layout& l : layouts) {
      const std::vector<std::int64_t>* steps[] = {&l.a, &l.b, &l.c};
      std::tuple<strided<letter_t<Inputs>>...> inputs{strided<letter_t<Inputs>>(l.shape, *steps[I])...};
      (fill(std::get<I>(inputs), random), ...);
      strided<letter_t<Output>> out(l.shape, l.out);
      core::map_plan plan = plan_of(l.shape);
      (add_input(plan, input_dtype(op, static_cast<int>(I), loop), std::get<I>(inputs)), ...);
      std::uint8_t args[] = {static_cast<std::uint8_t>(I)...};
      core::step& step = plan.steps[plan.n_steps++];
      step.op = op;
      step.loop = loop;
      std::copy(std::begin(args), std::end(args), step.args.begin());
      set_output(plan.out, output_dtype(op, loop), out.origin, out.strides);
      core::host_backend().map(plan, {});
      long wrong = 0;
      for_indices(l.shape, [&](const auto& index) {
        const auto expected = kernel::invoke<Op, T>(std::get<I>(inputs).at(index)...);
        if (!close(out.at(index), expected, tolerance<T>())) ++wrong;
      });
      CHECK_MESSAGE(wrong == 0, name(op), " on ", name(loop), " with ", l.shape.size(), " dimensions");
    }
  }
};

template<class Op, class T, bool Exists>
void check(ufunc op, dtype loop) {
  if constexpr (Exists) {
    using signature = typename Op::signature;
    check_op<Op, T, signature>::run(op, loop, std::make_index_sequence<signature::arity>{});
  }
}

constexpr bool has_loop(std::string_view domain, dtype type) {
  if (domain.find('w') != domain.npos) return type == dtype::float64 || type == dtype::complex128;
  return domain.find(kind(type) == 'u' ? 'i' : kind(type)) != domain.npos;
}

template<class T, dtype D>
void check_all() {
#define GPARRAY_UFUNC_ROW(name, signature, domain, expression, doc) \
  check<kernel::name##_op, T, has_loop(domain, D)>(ufunc::name, D);
#include <gparray/ufuncs.def>
}

}  // namespace

// Expanded inside the test case: a test case takes the name of the file that its text comes from.
TEST_CASE("host map: every function on every dtype") {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) check_all<kernel_type, dtype::name>();
#include <gparray/dtypes.def>
#undef GPARRAY_DTYPE
}
