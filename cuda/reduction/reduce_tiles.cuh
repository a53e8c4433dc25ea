// How a thread takes in several elements at once, which is quicker than one by one for some reductions.
#pragma once
#include <cuda/reduction/reduce_state.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Two reductions at once: each goes the way that it goes alone.
template<class R>
inline constexpr bool is_paired = requires { typename R::first_reduction; };

template<class R>
inline constexpr bool is_moment = requires(typename R::state s) { s.count, s.mean, s.squares; };
/// Moments that count every element.
template<class R>
inline constexpr bool is_plain_moment = false;
template<class R>
  requires is_moment<R>
inline constexpr bool is_plain_moment<R> = !R::skip_nan;

/// The states of moments are large.
template<class R>
inline constexpr bool has_moments = is_moment<R>;
template<class R>
  requires is_paired<R>
inline constexpr bool has_moments<R> =
    has_moments<typename R::first_reduction> || has_moments<typename R::second_reduction>;

template<class R>
inline constexpr bool is_arg = requires(typename R::state s) { s.best, s.index; };

namespace detail {
template<class Core>
inline constexpr bool sums_floats = false;
template<class E>
inline constexpr bool sums_floats<kernel::sum_core<E, double, false>> =
    kernel::is_same<kernel::compute_t<E>, float>;

template<class Core>
inline constexpr bool sums_short_integers = false;
template<class E, class A>
inline constexpr bool sums_short_integers<kernel::sum_core<E, A, false>> =
    sizeof(E) <= 2 && (kernel::is_bool<E> || kernel::is_integer<E>) && kernel::is_integer<A>;
}  // namespace detail

/// Sums of floats in double.
template<class R>
inline constexpr bool adds_floats = false;
template<class R>
  requires requires { typename R::core; }
inline constexpr bool adds_floats<R> = detail::sums_floats<typename R::core>;

/// Sums of numbers of up to two bytes in 64 bits: a tile's are added in 32, which is half as many
/// instructions.
template<class R>
inline constexpr bool adds_short_integers = false;
template<class R>
  requires requires { typename R::core; }
inline constexpr bool adds_short_integers<R> = detail::sums_short_integers<typename R::core>;

template<class R>
inline constexpr bool sums_bytes = adds_short_integers<R> && sizeof(typename R::element) == 1;

/// Reductions that take in several elements at once; the others have a state for each lane of a pack, so that
/// additions do not wait for each other.
template<class R>
inline constexpr bool adds_tiles =
    is_plain_moment<R> || is_arg<R> || adds_floats<R> || adds_short_integers<R>;
template<class R>
  requires is_paired<R>
inline constexpr bool adds_tiles<R> =
    adds_tiles<typename R::first_reduction> || adds_tiles<typename R::second_reduction>;
template<class R>
constexpr int partial_states(int lanes) {
  return adds_tiles<R> || is_moment<R> ? 1 : lanes;
}
/// Reductions without rounding errors that grow with the number of elements a thread takes in.
template<class R>
inline constexpr bool is_exact = is_arg<R> || adds_floats<R> || adds_short_integers<R>;
template<class R>
  requires is_paired<R>
inline constexpr bool is_exact<R> =
    is_exact<typename R::first_reduction> && is_exact<typename R::second_reduction>;

/// The state of N elements at once: exact mean and squares of a handful, instead of a division for each
/// element.
template<class R, int N>
__device__ __forceinline__ typename R::state moments_of(const typename R::element (&x)[N]) {
  using value = typename R::value;
  value sum = kernel::to_accumulator<value>(x[0]);
#pragma unroll
  for (int i = 1; i < N; ++i) sum = sum + kernel::to_accumulator<value>(x[i]);
  typename R::state s{N, R::scale(sum, typename R::real(1) / N), 0};
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const value difference = kernel::to_accumulator<value>(x[i]) - s.mean;
    s.squares += R::inner(difference, difference);
  }
  return s;
}

/// R::merge of the moments of N elements into those of fewer than 2^31 - N; 32-bit counts are quicker to
/// convert.
template<class R, int N>
__device__ __forceinline__ void merge_moments(typename R::state& s, const typename R::state& of_tile) {
  using real = typename R::real;
  const int before = static_cast<int>(s.count);
  const real share = real(N) / static_cast<real>(before + N);
  const auto difference = of_tile.mean - s.mean;
  // In this order nothing overflows while there are no elements before.
  s.squares +=
      of_tile.squares + R::inner(R::scale(difference, static_cast<real>(before) * share), difference);
  s.mean = s.mean + R::scale(difference, share);
  s.count = before + N;
}

/// N values, a power of two, added up in pairs.
template<int N>
__device__ __forceinline__ float pairwise_sum(const float* x) {
  if constexpr (N == 1) return x[0];
  else return pairwise_sum<N / 2>(x) + pairwise_sum<N / 2>(x + N / 2);
}

template<class E, int N>
__device__ __forceinline__ float sum_of_pack(const E (&values)[N]) {
  float terms[N];
#pragma unroll
  for (int k = 0; k < N; ++k) terms[k] = kernel::to_accumulator<float>(values[k]);
  return pairwise_sum<N>(terms);
}

/// The same of values that come one after the other, in a loop that need not be unrolled: indexing an array
/// by its turns would take a comparison and a move for each of its elements.
template<int N>
struct pairwise_adder {
  static constexpr int levels = N <= 1 ? 1 : N <= 2 ? 2 : N <= 4 ? 3 : N <= 8 ? 4 : 5;
  static_assert(N == 1 << (levels - 1));
  float open[levels];  // sums of 1, 2, 4, ... values, whose partners are to come; the last is that of all

  /// Value `number`, from 0 on.
  __device__ __forceinline__ void add(int number, float value) {
#pragma unroll
    for (int level = 0; level < levels; ++level) {
      if ((number >> level & 1) == 0) {
        open[level] = value;
        return;
      }
      value = open[level] + value;
    }
  }
  __device__ __forceinline__ float sum() const { return open[levels - 1]; }
};

/// The same of N values that threads 2^log_step apart have one of each, for the first of them. All lanes of
/// the warp take part.
template<int N>
__device__ __forceinline__ float pairwise_sum_of_lanes(float value, unsigned log_step) {
#pragma unroll
  for (unsigned step = 1; step < N; step *= 2) value = value + shuffle_down(value, step << log_step);
  return value;
}

/// The packs of a tile, as a power of two, if threads may have one of them each, and add them up as a thread
/// does that has the tile. They load neighbouring packs then: a thread that has a short row's tile loads
/// parts of lines, of which the second-level cache serves no more than of lines.
template<class R>
inline constexpr int log_tile_packs =
    adds_floats<R> ? (reduce_unroll(sizeof(typename R::element)) == 4 ? 2 : 1) : 0;

/// The four bytes of a word added to a sum.
template<class E>
__device__ __forceinline__ int add_word(int sum, unsigned word) {
#if defined(__CUDA_ARCH__)
  // By one instruction.
  if constexpr (static_cast<E>(-1) < E()) return __dp4a(static_cast<int>(word), 0x01010101, sum);
  else return static_cast<int>(__dp4a(word, 0x01010101u, static_cast<unsigned>(sum)));
#else
  E bytes[4];
  memcpy(bytes, &word, sizeof word);
  return sum + bytes[0] + bytes[1] + bytes[2] + bytes[3];
#endif
}

/// N numbers of up to two bytes added up.
template<class E, int N>
__device__ __forceinline__ int sum_of_short(const E (&x)[N]) {
  int sum = 0;
  if constexpr (sizeof(E) == 1 && N % 4 == 0) {
    unsigned words[N / 4];
    memcpy(words, x, N);
#pragma unroll
    for (unsigned word : words) sum = add_word<E>(sum, word);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) sum += x[i];
  }
  return sum;
}

/// The greatest or least of two numbers, NaN if there is one.
template<bool Greatest>
__device__ __forceinline__ float extreme(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  // One instruction. That it takes +0 for greater than -0 does not matter: they are equal when the value is
  // looked for.
  float best;
  if constexpr (Greatest) asm("max.NaN.f32 %0, %1, %2;" : "=f"(best) : "f"(a), "f"(b));
  else asm("min.NaN.f32 %0, %1, %2;" : "=f"(best) : "f"(a), "f"(b));
  return best;
#else
  if (kernel::is_nan(a)) return a;
  return kernel::is_nan(b) || (Greatest ? b > a : b < a) ? b : a;
#endif
}

/// The better of two candidates, the first one if they are equal. Where NaN is no candidate it loses.
template<class R>
__device__ __forceinline__ typename R::value better_of(typename R::value a, typename R::value b) {
  if constexpr (kernel::is_same<typename R::value, float> && !R::skip_nan) {
    return extreme<R::greatest>(a, b);
  } else if constexpr (R::skip_nan) {
    return !kernel::is_nan(b) && (kernel::is_nan(a) || R::better(b, a)) ? b : a;
  } else {
    return R::better(b, a) ? b : a;
  }
}

/// The best of N elements, a power of two.
template<class R, int N>
__device__ __forceinline__ typename R::value best_of(const typename R::element* x) {
  if constexpr (N == 1) return kernel::to_accumulator<typename R::value>(x[0]);
  else return better_of<R>(best_of<R, N / 2>(x), best_of<R, N / 2>(x + N / 2));
}

/// Which element is the first that is as good as the best of all. In the few tiles of a thread that are worth
/// it some thread of a warp mostly asks, so that this is a comparison and a choice for each element.
template<class R, int N>
__device__ __forceinline__ int first_of(const typename R::element (&x)[N], typename R::value best) {
  using value = typename R::value;
  const auto first_that = [&](auto holds) {
    int first = 0;
#pragma unroll
    for (int i = N - 1; i >= 0; --i)
      if (holds(kernel::to_accumulator<value>(x[i]))) first = i;
    return first;
  };
  if constexpr (kernel::is_real<value>) {
    if (best == best) return first_that([&](value candidate) { return candidate == best; });
    return first_that([](value candidate) { return candidate != candidate; });
  } else {
    return first_that([&](value candidate) {
      return !R::better(best, candidate) && !(R::skip_nan && kernel::is_nan(candidate));
    });
  }
}

/// Finds the best value first: which element it is matters only if it is better than what came before, which
/// becomes rare. `index_of` increases, also from one call to the next.
template<class R, int N, class IndexOf>
__device__ __forceinline__ void add_candidates(typename R::state& s, const typename R::element (&x)[N],
                                               IndexOf index_of) {
  using value = typename R::value;
  const value best = best_of<R, N>(x);
  if (R::skip_nan && kernel::is_nan(best)) return;
  if (s.index >= 0 && !R::better(best, s.best)) return;
  s = {best, index_of(first_of<R>(x, best))};
}

/// Takes in N elements of which index_of(i) is the i-th one's number. N is a power of two.
template<class R, int N, int States, class IndexOf>
__device__ __forceinline__ void add_tile(typename R::state (&partial)[States],
                                         const typename R::element (&x)[N], IndexOf index_of) {
  if constexpr (is_plain_moment<R>) {
    merge_moments<R, N>(partial[0], moments_of<R>(x));
  } else if constexpr (adds_floats<R>) {
    // In pairs first, which spares most of the conversions and is as good as NumPy's own pairwise sums.
    partial[0].value += sum_of_pack(x);
  } else if constexpr (adds_short_integers<R>) {
    partial[0].value += sum_of_short(x);
  } else if constexpr (is_arg<R>) {
    add_candidates<R>(partial[0], x, index_of);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) R::add(partial[i % States], x[i], index_of(i));
  }
}

template<class R, int N, class IndexOf>
__device__ __forceinline__ void add_tile(typename R::state& s, const typename R::element (&x)[N],
                                         IndexOf index_of) {
  if constexpr (is_paired<R>) {
    add_tile<typename R::first_reduction>(s.first, x, index_of);
    add_tile<typename R::second_reduction>(s.second, x, index_of);
  } else {
    add_tile<R>(reinterpret_cast<typename R::state(&)[1]>(s), x, index_of);
  }
}

/// What one thread has taken in of the packs that it walks along.
template<class R>
struct pack_states {
  using E = typename R::element;
  static constexpr int n_states = partial_states<R>(reduce_lanes(sizeof(E)));
  typename R::state states[n_states];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int k = 0; k < n_states; ++k) states[k] = R::identity();
  }
  template<int N, class IndexOf>
  __device__ __forceinline__ void add_tile(const E (&x)[N], IndexOf index_of) {
    cuda::add_tile<R>(states, x, index_of);
  }
  /// The first n elements of a pack, whose numbers begin at `index`.
  template<int N>
  __device__ __forceinline__ void add_pack(const E (&x)[N], int n, std::int64_t index) {
    if (adds_tiles<R> && n == N) {
      add_tile(x, [&](int i) { return index + i; });
    } else {
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (k < n) R::add(states[k % n_states], x[k], index + k);
    }
  }
  /// At the end of a chunk, and with Exact at the end of all chunks: rounding errors grow only within one.
  template<bool Exact>
  __device__ __forceinline__ void merge_into(typename R::state& sum) {
    if constexpr (is_exact<R> == Exact) {
#pragma unroll
      for (int k = 1; k < n_states; ++k) R::merge(states[0], states[k]);
      R::merge(sum, states[0]);
      clear();
    }
  }
};

template<class R>
  requires is_paired<R>
struct pack_states<R> {
  pack_states<typename R::first_reduction> first;
  pack_states<typename R::second_reduction> second;

  __device__ __forceinline__ void clear() {
    first.clear();
    second.clear();
  }
  template<int N, class IndexOf>
  __device__ __forceinline__ void add_tile(const typename R::element (&x)[N], IndexOf index_of) {
    first.add_tile(x, index_of);
    second.add_tile(x, index_of);
  }
  template<int N>
  __device__ __forceinline__ void add_pack(const typename R::element (&x)[N], int n, std::int64_t index) {
    first.add_pack(x, n, index);
    second.add_pack(x, n, index);
  }
  template<bool Exact>
  __device__ __forceinline__ void merge_into(typename R::state& sum) {
    first.template merge_into<Exact>(sum.first);
    second.template merge_into<Exact>(sum.second);
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
