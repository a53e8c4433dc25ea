// Goto's algorithm (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008): a
// block of b is packed once for all threads, blocks of a by the thread that multiplies them.
#include <algorithm>

#include <host/map/strided_tiles.hpp>
#include <host/products/matmul_real.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// A block of a stays in the second-level cache, one of b in the third. The depth is part of the result: it
// fixes the order of additions.
constexpr std::int64_t block_depth = 256, block_rows = 224, block_columns = 3072;
constexpr std::int64_t most_rows = 8, most_columns = 48;

template<class T>
class blocked_product {
 public:
  blocked_product(const product& p, const matmul_kernel<T>& kernel)
      : p_(p),
        kernel_(kernel),
        panel_(3 * kernel.width),
        threads_(num_threads()),
        symmetric_(is_with_own_transpose(p) && p.n > panel_) {}

  void run() {
    struct purpose;
    for (std::int64_t column = 0; column < p_.n; column += block_columns) {
      const std::int64_t columns = std::min(block_columns, p_.n - column);
      const std::int64_t depth_at_most = std::min(block_depth, p_.k);
      T* const b = reinterpret_cast<T*>(
          thread_scratch<purpose>(static_cast<std::size_t>(padded(columns) * depth_at_most) * sizeof(T)));
      for (std::int64_t first = 0; first < p_.k; first += block_depth) {
        const std::int64_t depth = std::min(block_depth, p_.k - first);
        parallel_for((columns + panel_ - 1) / panel_, 2, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t panel = begin; panel < end; ++panel)
            pack_b(b + panel * panel_ * depth, first, depth, column + panel * panel_,
                   std::min(panel_, columns - panel * panel_));
        });
        multiply(b, first, depth, column, columns);
      }
    }
    if (symmetric_) mirror();
  }

 private:
  /// A matrix times its transpose: element (j, i) is a sum of the same products in the same order as (i, j).
  static bool is_with_own_transpose(const product& p) {
    return p.a.data == p.b.data && p.m == p.n && p.a.row_stride == p.b.column_stride &&
           p.a.column_stride == p.b.row_stride;
  }

  /// Completes c, of which the tiles that have elements on the diagonal or below it are computed.
  void mirror() const {
    constexpr std::int64_t square = 32;
    T* const c = reinterpret_cast<T*>(p_.c);
    parallel_for((p_.n + square - 1) / square, 8, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin * square; row < std::min(end * square, p_.n); row += square)
        for (std::int64_t column = row; column < p_.n; column += square)
          for (std::int64_t i = row; i < std::min(row + square, p_.n); ++i)
            for (std::int64_t j = std::max(column, i + 1); j < std::min(column + square, p_.n); ++j)
              c[i * p_.n + j] = c[j * p_.n + i];
    });
  }

  static std::int64_t round_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }
  std::int64_t padded(std::int64_t columns) const { return round_up(columns, kernel_.width); }

  /// Step by step `columns` elements of b, zeros up to a whole vector.
  void pack_b(T* to, std::int64_t first, std::int64_t depth, std::int64_t column,
              std::int64_t columns) const {
    const std::int64_t pitch = padded(columns);
    const char* const from = p_.b.data + first * p_.b.row_stride + column * p_.b.column_stride;
    copy_2d(to, pitch * size, size, from, {depth, columns, p_.b.row_stride, p_.b.column_stride}, sizeof(T));
    if (pitch == columns) return;
    for (std::int64_t d = 0; d < depth; ++d) std::fill(to + d * pitch + columns, to + (d + 1) * pitch, T(0));
  }

  /// Step by step `rows` elements of a, zeros up to a whole panel.
  void pack_a(T* to, std::int64_t row, std::int64_t rows, std::int64_t first, std::int64_t depth) const {
    const std::int64_t height = kernel_.rows;
    for (std::int64_t r = 0; r < rows; r += height, to += height * depth) {
      const std::int64_t n = std::min(height, rows - r);
      const char* const from = p_.a.data + (row + r) * p_.a.row_stride + first * p_.a.column_stride;
      copy_2d(to, height * size, size, from, {depth, n, p_.a.column_stride, p_.a.row_stride}, sizeof(T));
      if (n == height) continue;
      for (std::int64_t d = 0; d < depth; ++d) std::fill(to + d * height + n, to + (d + 1) * height, T(0));
    }
  }

  /// c[:, column..] += a[:, first..] b, the latter packed.
  void multiply(const T* b, std::int64_t first, std::int64_t depth, std::int64_t column,
                std::int64_t columns) const {
    // Units of rows, and of columns too where rows are few, so that every thread gets some.
    std::int64_t across = 1;
    while (p_.m * across < 64 * threads_ && columns / across > 4 * panel_) across *= 2;
    const std::int64_t unit_columns = round_up((columns + across - 1) / across, panel_);
    across = (columns + unit_columns - 1) / unit_columns;
    const std::int64_t rounds = (p_.m + block_rows * threads_ - 1) / (block_rows * threads_);
    const std::int64_t unit_rows =
        std::min(block_rows, round_up((p_.m + rounds * threads_ - 1) / (rounds * threads_), kernel_.rows));
    const std::int64_t down = (p_.m + unit_rows - 1) / unit_rows;
    parallel_for(down * across, 1, [&](std::int64_t begin, std::int64_t end) {
      struct purpose;
      T* const a = reinterpret_cast<T*>(thread_scratch<purpose>(
          static_cast<std::size_t>((block_rows + kernel_.rows) * block_depth) * sizeof(T)));
      std::int64_t packed = -1;
      for (std::int64_t unit = begin; unit < end; ++unit) {
        const std::int64_t row = unit / across * unit_rows, rows = std::min(unit_rows, p_.m - row);
        if (packed != row) pack_a(a, row, rows, first, depth);
        packed = row;
        const std::int64_t from = unit % across * unit_columns, to = std::min(from + unit_columns, columns);
        for (std::int64_t j = from; j < to; j += panel_)
          // From the first panel of rows on that has an element on the diagonal or below it.
          for (std::int64_t i = symmetric_ ? first_panel(column + j - row) : 0; i < rows; i += kernel_.rows)
            tile(depth, a + i * depth, b + j * depth, row + i, column + j, std::min(kernel_.rows, rows - i),
                 std::min(panel_, to - j), first > 0);
      }
    });
  }

  /// The first row of the panel of rows that row `n` of a unit is in; 0 above it.
  std::int64_t first_panel(std::int64_t n) const { return n > 0 ? n / kernel_.rows * kernel_.rows : 0; }

  void tile(std::int64_t depth, const T* a, const T* b, std::int64_t row, std::int64_t column,
            std::int64_t rows, std::int64_t columns, bool add) const {
    T* const c = reinterpret_cast<T*>(p_.c) + row * p_.n + column;
    const std::int64_t pitch = padded(columns);
    const auto kernel = kernel_.multiply[pitch / kernel_.width - 1];
    if (rows == kernel_.rows && columns == pitch) return kernel(depth, a, b, c, p_.n, add);
    alignas(64) T whole[most_rows * most_columns];
    kernel(depth, a, b, whole, pitch, false);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        c[i * p_.n + j] = add ? c[i * p_.n + j] + whole[i * pitch + j] : whole[i * pitch + j];
  }

  static constexpr std::int64_t size = sizeof(T);
  const product& p_;
  const matmul_kernel<T>& kernel_;
  std::int64_t panel_, threads_;
  bool symmetric_;
};

}  // namespace

template<class T>
bool real_product(const product& p) {
  const matmul_kernel<T>* const kernel = find_matmul_kernel<T>();
  if (!kernel) return false;
  blocked_product<T>(p, *kernel).run();
  return true;
}

template bool real_product<float>(const product&);
template bool real_product<double>(const product&);

}  // namespace host
GPARRAY_END_NAMESPACE
