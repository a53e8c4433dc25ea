#include <algorithm>
#include <cstring>

#include <host/map/strided_tiles.hpp>
#include <host/map/transpose.hpp>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace host {

#if defined(__x86_64__)
namespace {

#define GPARRAY_AVX2 __attribute__((target("avx2")))

/// Squares that fit in registers, by element: to[r][c] = from[c][r].
template<class Element>
struct square;

template<>
struct square<std::uint32_t> {
  static constexpr std::int64_t edge = 8;

  // Rows c and c + 4 of the input share a register from the start, which saves a third of the shuffles.
  GPARRAY_AVX2 static __m256 two_quarters(const char* from, std::int64_t far) {
    const __m128 low = _mm_loadu_ps(reinterpret_cast<const float*>(from));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low),
                                _mm_loadu_ps(reinterpret_cast<const float*>(from + far)), 1);
  }
  GPARRAY_AVX2 static void half(char* to, std::int64_t to_row, const char* from, std::int64_t column) {
    const __m256 a = two_quarters(from, 4 * column), b = two_quarters(from + column, 4 * column);
    const __m256 c = two_quarters(from + 2 * column, 4 * column),
                 d = two_quarters(from + 3 * column, 4 * column);
    const __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    const __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    const auto store = [&](int row, __m256 x)
                           GPARRAY_AVX2 { _mm256_storeu_ps(reinterpret_cast<float*>(to + row * to_row), x); };
    store(0, _mm256_shuffle_ps(ab_low, cd_low, 0x44));
    store(1, _mm256_shuffle_ps(ab_low, cd_low, 0xee));
    store(2, _mm256_shuffle_ps(ab_high, cd_high, 0x44));
    store(3, _mm256_shuffle_ps(ab_high, cd_high, 0xee));
  }
  GPARRAY_AVX2 static void copy(char* to, std::int64_t to_row, const char* from, std::int64_t column) {
    half(to, to_row, from, column);
    half(to + 4 * to_row, to_row, from + 16, column);
  }
};

template<>
struct square<std::uint64_t> {
  static constexpr std::int64_t edge = 4;

  GPARRAY_AVX2 static __m256d two_halves(const char* from, std::int64_t far) {
    const __m128d low = _mm_loadu_pd(reinterpret_cast<const double*>(from));
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(low),
                                _mm_loadu_pd(reinterpret_cast<const double*>(from + far)), 1);
  }
  GPARRAY_AVX2 static void half(char* to, std::int64_t to_row, const char* from, std::int64_t column) {
    const __m256d a = two_halves(from, 2 * column), b = two_halves(from + column, 2 * column);
    _mm256_storeu_pd(reinterpret_cast<double*>(to), _mm256_unpacklo_pd(a, b));
    _mm256_storeu_pd(reinterpret_cast<double*>(to + to_row), _mm256_unpackhi_pd(a, b));
  }
  GPARRAY_AVX2 static void copy(char* to, std::int64_t to_row, const char* from, std::int64_t column) {
    half(to, to_row, from, column);
    half(to + 2 * to_row, to_row, from + 16, column);
  }
};

template<class Element>
void copy_singly(char* to, std::int64_t to_row, const char* from, std::int64_t from_column, std::int64_t rows,
                 std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c)
      std::memcpy(to + r * to_row + c * static_cast<std::int64_t>(sizeof(Element)),
                  from + r * static_cast<std::int64_t>(sizeof(Element)) + c * from_column, sizeof(Element));
}

template<class Element>
GPARRAY_AVX2 void by_squares(char* to, std::int64_t to_row, const char* from, std::int64_t from_column,
                             std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t size = sizeof(Element), edge = square<Element>::edge;
  const std::int64_t whole_rows = rows / edge * edge, whole_columns = columns / edge * edge;
  for (std::int64_t r = 0; r < whole_rows; r += edge)
    for (std::int64_t c = 0; c < whole_columns; c += edge)
      square<Element>::copy(to + r * to_row + c * size, to_row, from + r * size + c * from_column,
                            from_column);
  copy_singly<Element>(to + whole_columns * size, to_row, from + whole_columns * from_column, from_column,
                       whole_rows, columns - whole_columns);
  copy_singly<Element>(to + whole_rows * to_row, to_row, from + whole_rows * size, from_column,
                       rows - whole_rows, columns);
}

template<class Element>
void run(char* to, std::int64_t to_row, const char* from, std::int64_t from_column, std::int64_t rows,
         std::int64_t columns, bool streamed) {
  constexpr std::int64_t size = sizeof(Element);
  // A cache line of each input row at a time; long pieces of output rows where those go past the caches.
  constexpr std::int64_t height = 64 / size, width = 1024 / size;
  const std::int64_t at_once = streamed ? height : 4 * height, across = streamed ? width : width / 4;
  alignas(64) char made[height * width * size];
  for (std::int64_t c = 0; c < columns; c += across)
    for (std::int64_t r = 0; r < rows; r += at_once) {
      const std::int64_t n = std::min(at_once, rows - r), m = std::min(across, columns - c);
      const char* const source = from + r * size + c * from_column;
      char* const target = to + r * to_row + c * size;
      if (!streamed) {
        by_squares<Element>(target, to_row, source, from_column, n, m);
        continue;
      }
      by_squares<Element>(made, width * size, source, from_column, n, m);
      for (std::int64_t i = 0; i < n; ++i)
        stream_copy(target + i * to_row, made + i * width * size, static_cast<std::size_t>(m * size));
    }
  if (streamed) stream_fence();
}

}  // namespace

bool transpose(char* to, std::int64_t to_row, const char* from, std::int64_t from_column, std::int64_t rows,
               std::int64_t columns, std::size_t itemsize, bool streamed) {
  static const bool available = __builtin_cpu_supports("avx2");
  if (!available || (itemsize != 4 && itemsize != 8)) return false;
  if (itemsize == 4) run<std::uint32_t>(to, to_row, from, from_column, rows, columns, streamed);
  else run<std::uint64_t>(to, to_row, from, from_column, rows, columns, streamed);
  return true;
}

#else
bool transpose(char*, std::int64_t, const char*, std::int64_t, std::int64_t, std::int64_t, std::size_t,
               bool) {
  return false;
}
#endif

}  // namespace host
GPARRAY_END_NAMESPACE
