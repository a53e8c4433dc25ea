// Copies: contiguous, strided, and transposed by squares that stay in the cache.
#include <cstdlib>
#include <cstring>

#include <host/map/rows.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// What one thread copies at least: half a megabyte is best left in the cache of one core.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 19;

// The dimension, other than the last, along which the input's elements are closest: with the last one it
// makes the plane that is copied square by square. The second to last if the last is close enough itself.
int plane_dimension(const core::map_plan& plan, std::size_t itemsize) {
  const int last = plan.ndim - 1;
  int best = last - 1;
  const auto distance = [&](int d) { return std::abs(plan.inputs[0].strides[d]); };
  if (distance(last) <= static_cast<std::int64_t>(8 * itemsize)) return best;
  for (int d = 0; d < last; ++d)
    if (plan.shape[d] > 1 && distance(d) > 0 && (distance(d) < distance(best) || plan.shape[best] == 1))
      best = d;
  return best;
}

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  const auto count = static_cast<std::int64_t>(bytes);
  parallel_for(count, piece_bytes, [&](std::int64_t begin, std::int64_t end) {
    char* const target = static_cast<char*>(to) + begin;
    const char* const source = static_cast<const char*>(from) + begin;
    const auto part = static_cast<std::size_t>(end - begin);
    if (count < streamed_bytes) {
      std::memcpy(target, source, part);
      return;
    }
    stream_copy(target, source, part);
    stream_fence();
  });
}

void fill_zero(void* to, std::size_t bytes) {
  parallel_for(static_cast<std::int64_t>(bytes), piece_bytes, [&](std::int64_t begin, std::int64_t end) {
    std::memset(static_cast<char*>(to) + begin, 0, static_cast<std::size_t>(end - begin));
  });
}

void copy(const core::map_plan& plan) {
  const core::input& in = plan.inputs[0];
  const std::size_t size = itemsize(in.type);
  char* const out = static_cast<char*>(plan.out.data);
  const char* const data = static_cast<const char*>(in.data);
  const row_space whole(plan.shape, plan.ndim);
  const auto bytes = static_cast<std::int64_t>(size);
  if (whole.dense(in.strides, bytes) && whole.dense(plan.out.strides, bytes))
    return copy_bytes(out, data, static_cast<std::size_t>(plan.size * bytes));

  // Planes of two dimensions; those left are walked.
  const int last = plan.ndim - 1, second = plan.ndim > 1 ? plane_dimension(plan, size) : -1;
  const std::int64_t columns = plan.shape[last], rows = second < 0 ? 1 : plan.shape[second];
  const std::int64_t in_row = second < 0 ? 0 : in.strides[second],
                     out_row = second < 0 ? 0 : plan.out.strides[second];
  const std::int64_t in_column = in.strides[last], out_column = plan.out.strides[last];
  int walked[core::max_ndim], n_walked = 0;
  std::int64_t planes = 1;
  for (int d = 0; d < last; ++d) {
    if (d == second) continue;
    walked[n_walked++] = d;
    planes *= plan.shape[d];
  }
  // Bands of a plane are the units of work: of rows, or of columns where there are few rows.
  const bool streamed = plan.size * bytes >= streamed_bytes;
  constexpr std::int64_t edge = 64;
  const bool by_rows = rows >= columns || rows >= 8 * edge;
  const std::int64_t length = by_rows ? rows : columns, across = by_rows ? columns : rows;
  const std::int64_t band = std::max<std::int64_t>(edge, 65536 / across / edge * edge);
  const std::int64_t bands = (length + band - 1) / band;
  const std::int64_t grain = serial_elements / std::min(band * across, serial_elements);
  parallel_for(planes * bands, plan.size < serial_elements ? planes * bands : grain,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t unit = begin; unit < end; ++unit) {
                   const char* source = data;
                   char* target = out;
                   std::int64_t plane = unit / bands;
                   for (int w = n_walked - 1; w >= 0; --w) {
                     const int d = walked[w];
                     source += plane % plan.shape[d] * in.strides[d];
                     target += plane % plan.shape[d] * plan.out.strides[d];
                     plane /= plan.shape[d];
                   }
                   const std::int64_t first = unit % bands * band, count = std::min(band, length - first);
                   const block_2d piece{by_rows ? count : rows, by_rows ? columns : count, in_row, in_column};
                   source += first * (by_rows ? in_row : in_column);
                   target += first * (by_rows ? out_row : out_column);
                   const bool squares = std::abs(in_column) > 8 * bytes || std::abs(out_column) > 8 * bytes;
                   const bool lines = in_column == bytes && out_column == bytes && piece.columns > edge;
                   if (lines || (squares && piece.rows > 1)) {
                     copy_2d(target, out_row, out_column, source, piece, size, streamed);
                   } else if (out_column == bytes && (piece.rows == 1 || out_row == bytes * piece.columns)) {
                     if (streamed) gather_streamed(target, source, piece, size);
                     else gather(target, source, piece, size);
                   } else {
                     copy_2d(target, out_row, out_column, source, piece, size);
                   }
                 }
               });
}

}  // namespace host
GPARRAY_END_NAMESPACE
