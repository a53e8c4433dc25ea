// Distributions of one standard variate for each element: a thread makes the elements that one block of
// Philox gives.
#include <cuda/device/elements.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/random/random_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// The numbers of one block of Philox. `first` is the element of the first, which may lie before the array.
template<class Row, class Real, class Out, bool Arrays>
__device__ __forceinline__ pack<Out, Row::template source<Real>::lanes> make_block(const random_params& p,
                                                                                   std::uint64_t block,
                                                                                   std::int64_t first) {
  using source = typename Row::template source<Real>;
  constexpr int lanes = source::lanes;
  const auto words = kernel::philox_block(block, 0, source::kind, p.schedule);
  typename source::value z[lanes];
  source::make(words.w, z);
  pack<Out, lanes> made;
  unsigned long bits[max_random_parameters];
#pragma unroll
  for (int k = 0; k < max_random_parameters; ++k) bits[k] = p.parameters[k].bits;
#pragma unroll
  for (int k = 0; k < lanes; ++k) {
    const std::int64_t i = first + k;
    if (Arrays && i >= 0 && i < p.size) load_parameters(p, i, bits);
    made.values[k] = static_cast<Out>(Row::template call<Real>(z[k], bits, context_of(p, i)));
  }
  return made;
}

/// Arrays: parameters may be arrays; else all elements have the same, which are loaded and converted once.
/// The blocks that a thread makes share what is loaded and computed before the first.
template<class Row, class Real, class Out, bool Arrays>
__global__ void __launch_bounds__(random_threads) draw_blocks(const __grid_constant__ random_params p) {
  wait_for_prior_grids();
  constexpr int lanes = Row::template source<Real>::lanes;
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * (random_threads * p.rounds);
  const std::int64_t block = begin + threadIdx.x;
  const std::uint64_t number = p.position / lanes + static_cast<std::uint64_t>(block);
  const std::int64_t first = block * lanes - static_cast<std::int64_t>(p.position % lanes);
  Out* const out = static_cast<Out*>(p.out) + first;
  if (blockIdx.x - p.inner_begin < p.inner_count) {
    // Four copies of long expressions would make the library larger and nothing faster.
    constexpr int copies = !Arrays && Row::result == kernel::draw_result::single ? random_rounds : 1;
#pragma unroll copies
    for (int step = 0; step < random_threads * random_rounds; step += random_threads) {
      const auto made = make_block<Row, Real, Out, Arrays>(p, number + step, first + step * lanes);
      // Repeated here because the compiler forgets the alignment of a pack at offset 0.
      *static_cast<pack<Out, lanes>*>(__builtin_assume_aligned(out + step * lanes, sizeof made)) = made;
    }
    return;
  }
#pragma unroll 1
  for (int step = 0; step < random_threads * p.rounds; step += random_threads) {
    if (block + step >= p.blocks) return;
    const std::int64_t i = first + step * lanes;
    const auto made = make_block<Row, Real, Out, Arrays>(p, number + step, i);
    const bool inside = i >= 0 && i + lanes <= p.size;
#pragma unroll
    for (int k = 0; k < lanes; ++k)
      if (inside || (i + k >= 0 && i + k < p.size)) out[step * lanes + k] = made.values[k];
  }
}

template<bool Arrays, class Row, class Real, class Out>
random_kernel instance() {
  constexpr int lanes = Row::template source<Real>::lanes;
  return {reinterpret_cast<const void*>(draw_blocks<Row, Real, Out, Arrays>), lanes};
}

template<bool Arrays, class Row>
random_kernel integer_kernel(dtype type) {
  switch (itemsize(type)) {
    case 1:
      return instance<Arrays, Row, double, unsigned char>();
    case 2:
      return instance<Arrays, Row, double, unsigned short>();
    case 4:
      return instance<Arrays, Row, double, unsigned>();
    default:
      return instance<Arrays, Row, double, unsigned long>();
  }
}

template<bool Arrays, class Row>
random_kernel kernel_of(dtype type) {
  if constexpr (requires { Row::template source<double>::lanes; }) {
    if constexpr (Row::result == kernel::draw_result::bits) return integer_kernel<Arrays, Row>(type);
    else if constexpr (Row::result == kernel::draw_result::integer)
      return instance<Arrays, Row, double, long>();
    else if constexpr (Row::result == kernel::draw_result::single)
      return type == dtype::float32 ? instance<Arrays, Row, float, float>()
                                    : instance<Arrays, Row, double, double>();
    else
      return type == dtype::float32 ? instance<Arrays, Row, double, float>()
                                    : instance<Arrays, Row, double, double>();
  }
  return {};
}

template<bool Arrays>
random_kernel find(distribution op, dtype type) {
  switch (op) {
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc) \
  case distribution::name:                                                      \
    return kernel_of<Arrays, kernel::name##_row>(type);
#include <gparray/tables/random.def>
    default:
      return {};
  }
}

}  // namespace

random_kernel find_block_kernel(distribution op, dtype type, bool arrays) {
  return arrays ? find<true>(op, type) : find<false>(op, type);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
