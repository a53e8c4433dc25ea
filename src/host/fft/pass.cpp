#include <bit>
#include <cstring>

#include <host/fft/pass.hpp>
#include <host/map/cost.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/support/clones.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

GPARRAY_CLONES void multiply(float* x, std::int64_t n, float factor) {
  for (std::int64_t i = 0; i < n; ++i) x[i] *= factor;
}
GPARRAY_CLONES void multiply(double* x, std::int64_t n, double factor) {
  for (std::int64_t i = 0; i < n; ++i) x[i] *= factor;
}

void multiply(char* x, std::int64_t bytes, dtype real, double factor) {
  if (real == dtype::float32) multiply(reinterpret_cast<float*>(x), bytes / 4, static_cast<float>(factor));
  else multiply(reinterpret_cast<double*>(x), bytes / 8, factor);
}

constexpr auto alignment = static_cast<std::int64_t>(line_transform::alignment);
bool is_aligned(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) % line_transform::alignment == 0;
}

/// Rows of scratch memory begin on cache lines.
std::int64_t row_bytes(const fft_side& side) { return (side.item * side.count + 63) / 64 * 64; }

/// Neighbouring transforms that are fetched together where the elements of one are far apart: lines of the
/// cache hold several, and a page is looked up once for all. As many as the second-level cache holds; for
/// long ones at least two lines full, while scratch memory stays small.
std::int64_t together(const fft_pass& p) {
  constexpr std::int64_t lines = 128, second_level = std::int64_t{1} << 17, most = std::int64_t{1} << 24;
  const std::int64_t row = row_bytes(p.in) + row_bytes(p.out);
  const std::int64_t two_lines = lines / std::min(p.in.item, p.out.item);
  return std::max({std::int64_t{1}, second_level / row, std::min(two_lines, most / row)});
}

/// Neighbours along the innermost dimension.
struct fft_block {
  char *in, *out;
  std::int64_t count;
};

fft_block block_of(const fft_pass& p, std::int64_t block, std::int64_t width) {
  if (p.ndim == 0) return {p.in.data, p.out.data, 1};
  const int inner = p.ndim - 1;
  const std::int64_t blocks = (p.shape[inner] + width - 1) / width, first = block % blocks * width;
  fft_block at{p.in.data + first * p.in.strides[inner], p.out.data + first * p.out.strides[inner],
               std::min(width, p.shape[inner] - first)};
  std::int64_t rest = block / blocks;
  for (int d = inner - 1; d >= 0; --d) {
    at.in += rest % p.shape[d] * p.in.strides[d];
    at.out += rest % p.shape[d] * p.out.strides[d];
    rest /= p.shape[d];
  }
  return at;
}

void run_block(const fft_pass& p, const fft_block& at) {
  struct in_purpose;
  struct out_purpose;
  const std::int64_t in_row = row_bytes(p.in), out_row = row_bytes(p.out);
  const std::int64_t in_step = p.ndim ? p.in.strides[p.ndim - 1] : 0,
                     out_step = p.ndim ? p.out.strides[p.ndim - 1] : 0;
  const bool gathers = p.in.stride != p.in.item, scatters = p.out.stride != p.out.item;
  const bool copies = p.copies_input || !is_aligned(at.in) || in_step % alignment != 0;
  const bool stores = !is_aligned(at.out) || out_step % alignment != 0;
  char *in_scratch = nullptr, *out_scratch = nullptr;
  if (gathers || copies)
    in_scratch = thread_scratch<in_purpose>(static_cast<std::size_t>((gathers ? at.count : 1) * in_row));
  if (scatters || stores)
    out_scratch = thread_scratch<out_purpose>(static_cast<std::size_t>((scatters ? at.count : 1) * out_row));
  if (gathers)
    copy_2d(in_scratch, in_row, p.in.item, at.in, {at.count, p.in.count, in_step, p.in.stride},
            static_cast<std::size_t>(p.in.item));
  const auto in_bytes = static_cast<std::size_t>(p.in.item * p.in.count),
             out_bytes = static_cast<std::size_t>(p.out.item * p.out.count);
  for (std::int64_t i = 0; i < at.count; ++i) {
    char* const target = at.out + i * out_step;
    char* from = gathers ? in_scratch + i * in_row : at.in + i * in_step;
    if (!gathers && copies) from = static_cast<char*>(std::memcpy(in_scratch, from, in_bytes));
    char* const to = scatters ? out_scratch + i * out_row : stores ? out_scratch : target;
    p.transform->execute(from, to);
    if (p.scale != 1) multiply(to, p.out.item * p.out.count, p.real, p.scale);
    if (!scatters && stores) std::memcpy(target, to, out_bytes);
  }
  if (scatters)
    copy_2d(at.out, out_step, p.out.stride, out_scratch, {at.count, p.out.count, out_row, p.out.item},
            static_cast<std::size_t>(p.out.item));
}

}  // namespace

void fft_pass::append(std::int64_t n, std::int64_t in_stride, std::int64_t out_stride) {
  if (n == 1) return;
  // Sorted by distance in the output: neighbours are innermost.
  int at = ndim++;
  for (; at > 0 && out.strides[at - 1] < out_stride; --at) {
    shape[at] = shape[at - 1];
    in.strides[at] = in.strides[at - 1];
    out.strides[at] = out.strides[at - 1];
  }
  shape[at] = n;
  in.strides[at] = in_stride;
  out.strides[at] = out_stride;
}

void fft_pass::run() {
  const std::int64_t width = together(*this);
  std::int64_t blocks = 1;
  for (int d = 0; d < ndim; ++d) blocks *= d == ndim - 1 ? (shape[d] + width - 1) / width : shape[d];
  const std::int64_t n = std::max(in.count, out.count);
  const std::int64_t cost =
      500 * n * (4 + static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n))));
  const std::int64_t neighbours = ndim ? std::min(width, shape[ndim - 1]) : 1;
  parallel_for(blocks, 1 + fewest_elements(cost) / neighbours, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) run_block(*this, block_of(*this, block, width));
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
