// The map executor against element-by-element evaluation with the same functors.
#include <doctest/doctest.h>

#include <host/support/thread_pool.hpp>
#include <kernel/functors.hpp>

#include "host/plans.hpp"

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

/// Bits, but any NaN equals any other, and within the tolerance where vector and scalar functions of libm
/// differ.
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

/// An array of any dtype, so that little code is made for each function: there are more than a thousand.
struct any_strided {
  dtype type;
  std::shared_ptr<void> owner;
  std::byte* origin;
  std::vector<std::int64_t> strides;

  void* at(const std::vector<std::int64_t>& index) const {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
    return origin + offset;
  }
};

template<class T>
any_strided make(dtype type, const layout& l, const std::vector<std::int64_t>& steps, std::mt19937& random) {
  auto array = std::make_shared<strided<T>>(l.shape, steps);
  for (std::size_t i = 0; i < array->count; ++i) array->memory[i] = sample<T>(random);
  return {type, array, reinterpret_cast<std::byte*>(array->origin), array->strides};
}

any_strided make(dtype type, const layout& l, const std::vector<std::int64_t>& steps, std::mt19937& random) {
  switch (type) {
#define GPARRAY_DTYPE(name, cpp_type, kernel_type, code, kind) \
  case dtype::name:                                            \
    return make<kernel_type>(type, l, steps, random);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return {};
}

bool close(dtype type, const void* a, const void* b, double tolerance) {
  switch (type) {
#define GPARRAY_DTYPE(name, cpp_type, kernel_type, code, kind) \
  case dtype::name:                                            \
    return close(*static_cast<const kernel_type*>(a), *static_cast<const kernel_type*>(b), tolerance);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return false;
}

/// One element of one function's loop.
struct function_row {
  ufunc op;
  dtype loop;
  int arity;
  double tolerance;
  void (*call)(void* out, const void* const* in);
};

template<class Op, class T, class Signature>
struct element;

template<class Op, class T, char Output, char... Inputs>
struct element<Op, T, kernel::signature<Output, Inputs...>> {
  template<char L>
  using letter_t = typename kernel::letter<L, T>::type;

  static void call(void* out, const void* const* in) {
    call(out, in, std::index_sequence_for<letter_t<Inputs>...>{});
  }
  template<std::size_t... I>
  static void call(void* out, const void* const* in, std::index_sequence<I...>) {
    *static_cast<letter_t<Output>*>(out) =
        kernel::invoke<Op, T>(*static_cast<const letter_t<Inputs>*>(in[I])...);
  }
};

void check(const function_row& f) {
  std::mt19937 random(7);
  for (const layout& l : layouts) {
    const std::vector<std::int64_t>* steps[] = {&l.a, &l.b, &l.c};
    std::vector<any_strided> inputs;
    core::map_plan plan = plan_of(l.shape);
    core::step step{};
    step.op = f.op;
    step.loop = f.loop;
    for (int i = 0; i < f.arity; ++i) {
      inputs.push_back(make(input_dtype(f.op, i, f.loop), l, *steps[i], random));
      step.args[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(
          add_input(plan, inputs.back().type, inputs.back().origin, inputs.back().strides));
    }
    plan.steps[plan.n_steps++] = step;
    const any_strided out = make(output_dtype(f.op, f.loop), l, l.out, random);
    set_output(plan.out, out.type, out.origin, out.strides);
    core::host_backend().map(plan, {});
    long wrong = 0;
    for_indices(l.shape, [&](const auto& index) {
      const void* in[3] = {};
      for (std::size_t i = 0; i < inputs.size(); ++i) in[i] = inputs[i].at(index);
      alignas(16) std::byte expected[16];
      f.call(expected, in);
      if (!close(out.type, out.at(index), expected, f.tolerance)) ++wrong;
    });
    CHECK_MESSAGE(wrong == 0, name(f.op), " on ", name(f.loop), " with ", l.shape.size(), " dimensions");
  }
}

constexpr bool has_loop(std::string_view domain, dtype type) {
  if (domain.find('w') != domain.npos) return type == dtype::float64 || type == dtype::complex128;
  return domain.find(kind(type) == 'u' ? 'i' : kind(type)) != domain.npos;
}

template<class Op, class T, bool Exists>
void add_row(std::vector<function_row>& rows, ufunc op, dtype loop) {
  if constexpr (Exists) {
    using signature = typename Op::signature;
    rows.push_back({op, loop, signature::arity, tolerance<T>(), element<Op, T, signature>::call});
  }
}

template<class T, dtype D>
void add_rows(std::vector<function_row>& rows) {
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  add_row<kernel::name##_op, T, has_loop(domain, D)>(rows, ufunc::name, D);
#include <gparray/tables/ufuncs.def>
}

}  // namespace

// Expanded inside the test case: a test case takes the name of the file that its text comes from.
TEST_CASE("host map: every function on every dtype") {
  std::vector<function_row> rows;
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) add_rows<kernel_type, dtype::name>(rows);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  CHECK(rows.size() > 700);
  for (const function_row& row : rows) check(row);
}
