// How the host draws: tile by tile, so that words and variates stay in the first-level cache.
#pragma once
#include <algorithm>

#include <host/map/strided_tiles.hpp>
#include <host/random/words.hpp>
#include <host/support/clones.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

inline constexpr std::int64_t random_tile_blocks = 256;

/// Drawing a distribution; null if it belongs to the other of the families.
using random_loop = void (*)(const core::random_plan&);
random_loop find_block_loop(core::distribution op, dtype type);
random_loop find_element_loop(core::distribution op);

inline bool has_array_parameter(const core::random_plan& plan) {
  return std::any_of(std::begin(plan.parameters), std::end(plan.parameters),
                     [](const core::random_parameter& p) { return p.data != nullptr; });
}

template<class Source>
GPARRAY_CLONES void make_variates(const unsigned* words, typename Source::value* z, std::int64_t blocks) {
#pragma omp simd
  for (std::int64_t b = 0; b < blocks; ++b) Source::make(words + 4 * b, z + Source::lanes * b);
}

/// Elements [begin, begin + n) of the plan, of which z has the standard variates.
template<class Row, class Real, class Z, class Out>
GPARRAY_CLONES void finish_variates(const core::random_plan& plan, std::int64_t begin, const Z* z, Out* out,
                                    std::int64_t n) {
  const parameter_values shared(plan, 0);
  kernel::draw_context x = context_of(plan);
  const std::uint64_t first = plan.position + static_cast<std::uint64_t>(begin);
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) {
    x.position = first + static_cast<std::uint64_t>(i);
    out[i] = static_cast<Out>(Row::template call<Real>(z[i], shared.bits, x));
  }
}

template<class Row, class Real, class Z, class Out>
void finish_each(const core::random_plan& plan, std::int64_t begin, const Z* z, Out* out, std::int64_t n) {
  kernel::draw_context x = context_of(plan);
  for (std::int64_t i = 0; i < n; ++i) {
    x.position = plan.position + static_cast<std::uint64_t>(begin + i);
    out[i] = static_cast<Out>(Row::template call<Real>(z[i], parameter_values(plan, begin + i).bits, x));
  }
}

template<class Row, class Real, class Out>
void draw_blocks(const core::random_plan& plan) {
  using source = typename Row::template source<Real>;
  constexpr std::int64_t lanes = source::lanes;
  const std::uint64_t first = plan.position / lanes;
  const auto skipped = static_cast<std::int64_t>(plan.position % lanes);
  const std::int64_t blocks = (skipped + plan.size + lanes - 1) / lanes;
  const std::int64_t tiles = (blocks + random_tile_blocks - 1) / random_tile_blocks;
  const bool each = has_array_parameter(plan);
  const bool streamed = plan.size * static_cast<std::int64_t>(sizeof(Out)) >= streamed_bytes;
  const std::int64_t grain = serial_elements / (random_tile_blocks * lanes);
  parallel_for(tiles, grain, [&](std::int64_t begin_tile, std::int64_t end_tile) {
    alignas(64) unsigned words[4 * random_tile_blocks];
    alignas(64) typename source::value z[lanes * random_tile_blocks];
    alignas(64) Out made[lanes * random_tile_blocks];
    for (std::int64_t t = begin_tile; t < end_tile; ++t) {
      const std::int64_t block = t * random_tile_blocks;
      const std::int64_t n_blocks = std::min(random_tile_blocks, blocks - block);
      fill_random_words(words, first + static_cast<std::uint64_t>(block), n_blocks, source::kind,
                        key_of(plan));
      make_variates<source>(words, z, n_blocks);
      const std::int64_t start = block * lanes - skipped, begin = std::max<std::int64_t>(start, 0);
      const std::int64_t end = std::min(start + n_blocks * lanes, plan.size);
      Out* const target = static_cast<Out*>(plan.out) + begin;
      (each ? finish_each<Row, Real, typename source::value, Out>
            : finish_variates<Row, Real, typename source::value, Out>)(plan, begin, z + (begin - start),
                                                                       streamed ? made : target, end - begin);
      if (streamed) stream_copy(target, made, static_cast<std::size_t>(end - begin) * sizeof(Out));
    }
    if (streamed) stream_fence();
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
