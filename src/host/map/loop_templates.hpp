// The loops of one dtype, expanded from ufuncs.def. Included by a source for each, which cmake/parts.cmake
// writes, so that they compile in parallel.
#pragma once
#include <array>
#include <type_traits>
#include <utility>

#include <host/map/loops.hpp>
#include <host/support/clones.hpp>
#include <kernel/functors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

template<char Letter, class T>
using letter_t = typename kernel::letter<Letter, T>::type;

/// What a loop reads an operand as, and its value: g++ 12 vectorises loops that compare bytes with zero, and
/// none that read bools.
template<class V>
using stored_t = std::conditional_t<kernel::is_bool<V>, unsigned char, V>;
template<class V>
__attribute__((always_inline)) inline V value_of(const stored_t<V>& x) {
  if constexpr (kernel::is_bool<V>) return x != 0;
  else return x;
}

template<class Op, class T, class Signature>
struct element_loop;

template<class Op, class T, char Output, char... Inputs>
struct element_loop<Op, T, kernel::signature<Output, Inputs...>> {
  using result = letter_t<Output, T>;

  __attribute__((always_inline)) static inline void run(const void* const* args, void* out, std::int64_t n) {
    run(args, out, n, std::make_index_sequence<sizeof...(Inputs)>{});
  }

 private:
  template<std::size_t... I>
  __attribute__((always_inline)) static inline void run(const void* const* args, void* out, std::int64_t n,
                                                        std::index_sequence<I...>) {
    result* const r = static_cast<result*>(out);
    if constexpr (is_of_bools) apply_to_bools(static_cast<unsigned char*>(out), n, args);
    else apply(r, n, static_cast<const stored_t<letter_t<Inputs, T>>*>(args[I])...);
  }

  static constexpr bool is_of_bools =
      sizeof...(Inputs) <= 2 && kernel::is_bool<result> && (kernel::is_bool<letter_t<Inputs, T>> && ...);

  /// A function of one or two bools as a polynomial modulo 2 of bytes, for g++ 12 vectorises neither `!a` nor
  /// `a && b` of bools: f(0) ^ (f(0) ^ f(1)) & a.
  __attribute__((always_inline)) static inline void apply_to_bools(unsigned char* r, std::int64_t n,
                                                                   const void* const* args) {
    const auto* const a = static_cast<const unsigned char*>(args[0]);
    if constexpr (sizeof...(Inputs) == 1) {
      const unsigned char none = kernel::invoke<Op, T>(false), with_a = none ^ kernel::invoke<Op, T>(true);
#pragma omp simd
      for (std::int64_t i = 0; i < n; ++i) r[i] = none ^ (with_a & (a[i] != 0));
    } else {
      const auto* const b = static_cast<const unsigned char*>(args[1]);
      const unsigned char none = kernel::invoke<Op, T>(false, false),
                          with_a = none ^ kernel::invoke<Op, T>(true, false),
                          with_b = none ^ kernel::invoke<Op, T>(false, true),
                          with_both = none ^ with_a ^ with_b ^ kernel::invoke<Op, T>(true, true);
#pragma omp simd
      for (std::int64_t i = 0; i < n; ++i) {
        const unsigned char x = a[i] != 0, y = b[i] != 0;
        r[i] = none ^ (with_a & x) ^ (with_b & y) ^ (with_both & x & y);
      }
    }
  }

  // Inputs are plain variables here, for the vectoriser does not follow pointers inside a tuple.
  template<class... Pointers>
  __attribute__((always_inline)) static inline void apply(result* r, std::int64_t n, Pointers... inputs) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
      r[i] = kernel::invoke<Op, T>(value_of<letter_t<Inputs, T>>(inputs[i])...);
  }
};

template<class Op, class T>
GPARRAY_CLONES void cloned_loop(const void* const* args, void* out, std::int64_t n) {
  element_loop<Op, T, typename Op::signature>::run(args, out, n);
}

template<class Op, class T>
GPARRAY_UNFUSED_CLONES void unfused_loop(const void* const* args, void* out, std::int64_t n) {
  element_loop<Op, T, typename Op::signature>::run(args, out, n);
}

template<class Op, class T>
void plain_loop(const void* const* args, void* out, std::int64_t n) {
  element_loop<Op, T, typename Op::signature>::run(args, out, n);
}

template<class From, class To>
GPARRAY_CLONES void cast_loop(const void* const* args, void* out, std::int64_t n) {
  // Integers become real numbers by vectors, and bools do not.
  using number = std::conditional_t<kernel::is_bool<From> && kernel::is_real<To>, int, From>;
  const stored_t<From>* const x = static_cast<const stored_t<From>*>(args[0]);
  To* const r = static_cast<To*>(out);
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) r[i] = kernel::cast<To>(static_cast<number>(value_of<From>(x[i])));
}

constexpr bool has_loop(std::string_view domain, dtype type) {
  if (gparray::detail::has(domain, 'w')) return type == dtype::float64 || type == dtype::complex128;
  return gparray::detail::has(domain, kind(type) == 'u' ? 'i' : kind(type));
}

/// Whether three versions of a loop are worth their compile time: real arithmetic and common integers.
template<class T>
inline constexpr bool worth_clones =
    kernel::is_real<T> || kernel::is_half<T> || kernel::is_same<T, int> || kernel::is_same<T, long> ||
    kernel::is_same<T, unsigned char> || kernel::is_bool<T>;

template<class Op, class... Others>
inline constexpr bool is_one_of = (std::is_same_v<Op, Others> || ...);
/// Functions of complex numbers that take about half the time in vectors of AVX2: others take as long, or
/// longer (conjugate, equal).
template<class Op>
inline constexpr bool gains_from_avx2 =
    is_one_of<Op, kernel::multiply_op, kernel::divide_op, kernel::reciprocal_op, kernel::sign_op,
              kernel::maximum_op, kernel::minimum_op, kernel::fmax_op, kernel::fmin_op>;

/// Functions that programs of hashes and of sets of bits are made of.
template<class Op>
inline constexpr bool is_of_words =
    is_one_of<Op, kernel::add_op, kernel::subtract_op, kernel::multiply_op, kernel::bitwise_and_op,
              kernel::bitwise_or_op, kernel::bitwise_xor_op, kernel::invert_op, kernel::bitwise_count_op,
              kernel::equal_op, kernel::not_equal_op>;
template<class T>
inline constexpr bool is_word = kernel::is_same<T, unsigned> || kernel::is_same<T, unsigned long>;

template<class Op, class T, bool Exists>
constexpr loop choose_loop() {
  if constexpr (!Exists) return nullptr;
  else if constexpr (worth_clones<T> || (is_word<T> && is_of_words<Op>)) return &cloned_loop<Op, T>;
  else if constexpr (kernel::is_complex<T> && gains_from_avx2<Op>) return &unfused_loop<Op, T>;
  else return &plain_loop<Op, T>;
}

template<class T, dtype D>
struct loop_table {
  static const loop rows[ufunc_count];
  static const loop casts[dtype_count];
};

template<class T, dtype D>
const loop loop_table<T, D>::rows[] = {
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  choose_loop<kernel::name##_op, T, has_loop(domain, D)>(),
#include <gparray/tables/ufuncs.def>
};

template<class T, dtype D>
const loop loop_table<T, D>::casts[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) &cast_loop<T, kernel_type>,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
};

}  // namespace host
GPARRAY_END_NAMESPACE

#define GPARRAY_DEFINE_LOOPS(name, kernel_type)                                 \
  GPARRAY_BEGIN_NAMESPACE                                                       \
  namespace host {                                                              \
  extern const loop* const loops_##name;                                        \
  extern const loop* const casts_##name;                                        \
  const loop* const loops_##name = loop_table<kernel_type, dtype::name>::rows;  \
  const loop* const casts_##name = loop_table<kernel_type, dtype::name>::casts; \
  }                                                                             \
  GPARRAY_END_NAMESPACE
