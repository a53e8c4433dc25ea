// Inclusive scans in one pass over memory. Sums are combined in an order that depends on sizes alone.
#pragma once
#include <cuda/device/block_order.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/device/scan_params.hpp>
#include <cuda/reduction/reduce_state.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A core of kernel/reduce_states.hpp as merge_block wants it.
template<class Core>
struct scan_state : kernel::single_state<Core> {};

struct scan_row {
  const char* in;
  char* out;
};

__device__ __forceinline__ scan_row row_of(const scan_params& p, std::uint32_t row) {
  std::int64_t in = 0, out = 0;
  for (int d = p.rows.ndim - 1; d >= 0; --d) {
    std::uint32_t along = row;
    row = p.rows.shape[d].split(along);
    in += along * p.rows.strides[d];
    out += along * p.out_strides[d];
  }
  return {p.in + in, p.out + out};
}

/// Elements [at, at + N) of a tile of n, where `at` is below n or not; those outside are zero.
template<class T, int N>
__device__ __forceinline__ void load_elements(T (&values)[N], const char* tile, int at, int n,
                                              const scan_params& p) {
  if (p.side_by_side) {
    load_pack(values, tile, at, n);
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k)
      values[k] = at + k < n ? *reinterpret_cast<const T*>(tile + (at + k) * p.in_stride) : T();
  }
}

/// The elements of a row. Params: scan_params, or a block derived from it that knows how to compute them
/// (computed_scans.cuh).
template<class Params>
struct scanned_elements {
  static constexpr bool are_stored = true;
  const char* in;

  __device__ __forceinline__ scanned_elements(const Params&, std::uint32_t, const scan_row& row)
      : in(row.in) {}
  /// Elements [at, at + N) of the n from `begin` on, where `at` is below n or not.
  template<class T, int N>
  __device__ __forceinline__ void load(T (&values)[N], std::int64_t begin, int at, int n,
                                       const Params& p) const {
    load_elements(values, in + begin * p.in_stride, at, n, p);
  }
  /// Of a tile of n elements from `begin` on, the thread's N neighbours in sub-tiles first, first + 1, ...
  template<class T, int N, int U>
  __device__ __forceinline__ void load_packs(pack<T, N> (&values)[U], std::int64_t begin, int first, int n,
                                             const Params& p) const {
    constexpr int sub_tile = scan_threads * N;
    const char* const from = in + begin * p.in_stride;
    if ((first + U) * sub_tile <= n && p.side_by_side && is_aligned<pack<T, N>>(from)) {
#pragma unroll
      for (int u = 0; u < U; ++u)
        values[u] = reinterpret_cast<const pack<T, N>*>(from)[(first + u) * scan_threads + threadIdx.x];
    } else {
#pragma unroll
      for (int u = 0; u < U; ++u)
        if ((first + u) * sub_tile < n)
          load(values[u].values, begin, (first + u) * sub_tile + static_cast<int>(threadIdx.x) * N, n, p);
    }
  }
  /// The same of a line whose neighbours are beside it.
  template<class T, int N>
  __device__ __forceinline__ void load_line(T (&values)[N], std::int64_t begin, int n,
                                            const Params& p) const {
    const char* const from = in + begin * p.in_stride;
#pragma unroll
    for (int k = 0; k < N; ++k)
      if (k < n) values[k] = *reinterpret_cast<const T*>(from + k * p.in_stride);
  }
};

/// The merge of the states of the lanes up to this one, within the warp or a group of so many lanes.
template<class R>
__device__ __forceinline__ typename R::state scan_lanes_of_warp(typename R::state mine, unsigned group = 32) {
  const unsigned lane = threadIdx.x % group;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    if (step >= group) break;
    typename R::state left = shuffle_up(mine, step);
    R::merge(left, mine);
    if (lane >= step) mine = left;
  }
  return mine;
}

/// A value that one block hands to others of the same launch: each 4 bytes of it beside a mark that says that
/// they are there, in one access, so that no fence is needed. Zero before.
template<class State>
inline constexpr int published_words = (sizeof(State) + 3) / 4;

/// The words lie `apart` of each other.
template<class State>
__device__ __forceinline__ void publish(std::uint64_t* to, const State& value, unsigned apart = 1) {
  unsigned words[published_words<State>] = {};
  memcpy(words, &value, sizeof(State));
#pragma unroll
  for (int i = 0; i < published_words<State>; ++i)
    store_shared_word(to + i * apart, std::uint64_t{1} << 32 | words[i]);
}
template<class State>
__device__ __forceinline__ State wait_for(const std::uint64_t* from, unsigned apart = 1) {
  unsigned words[published_words<State>];
  for (bool ready = false; !ready;) {
    ready = true;
#pragma unroll
    for (int i = 0; i < published_words<State>; ++i) {
      const std::uint64_t word = load_shared_word(from + i * apart);
      words[i] = static_cast<unsigned>(word);
      ready = ready && word >> 32 != 0;
    }
    // Leaves the SM and the memory to those it waits for.
    if (!ready) __nanosleep(20);
  }
  State value;
  memcpy(&value, words, sizeof(State));
  return value;
}

/// The merge of published values first, first + 1, ... below `end`, for all threads.
template<class R>
__device__ __forceinline__ typename R::state merge_published(const std::uint64_t* values, std::uint32_t first,
                                                             std::uint32_t end) {
  using state = typename R::state;
  __shared__ state result;
  if (first == end) return R::identity();
  state mine = R::identity();
  // Neighbours for each thread, so that what is merged keeps its order: the first of equal ones is taken.
  const std::uint32_t per_thread = (end - first + scan_threads - 1) / scan_threads,
                      begin = min(first + threadIdx.x * per_thread, end), stop = min(begin + per_thread, end);
  for (std::uint32_t i = begin; i < stop; ++i)
    R::merge(mine, wait_for<state>(values + i * published_words<state>));
  merge_block<R>(mine);
  if (threadIdx.x == 0) result = mine;
  __syncthreads();
  return result;
}

/// What comes before a tile: the tiles before it in its group, and the groups before that. The totals of
/// tiles depend on no others and those of groups on their tiles alone, so nothing is added in an order that
/// depends on which block is first, as it does in a look-back that takes the nearest prefix there is. A block
/// waits only for blocks that have started before it.
template<class R>
__device__ __forceinline__ typename R::state state_before(const scan_params& p, std::uint32_t row,
                                                          std::uint32_t tile,
                                                          const typename R::state& total) {
  using state = typename R::state;
  constexpr std::size_t words = published_words<state>;
  std::uint64_t* const tiles = p.published + static_cast<std::size_t>(row) * (p.n_tiles + p.n_groups) * words;
  std::uint64_t* const groups = tiles + p.n_tiles * words;
  const std::uint32_t group = tile / p.tiles_per_group, first = group * p.tiles_per_group;
  if (threadIdx.x == 0) publish(tiles + tile * words, total);
  const state in_group = merge_published<R>(tiles, first, tile);
  if (threadIdx.x == 0 && tile == first + p.tiles_per_group - 1) {
    state of_group = in_group;
    R::merge(of_group, total);
    publish(groups + group * words, of_group);
  }
  state before = merge_published<R>(groups, 0, group);
  R::merge(before, in_group);
  return before;
}

/// The first warp of the last block that has read what it waits for leaves zeros for the next launch.
__device__ __forceinline__ void clear_published(const scan_params& p) {
  if (!p.clears || threadIdx.x >= 32) return;
  const unsigned last = threadIdx.x == 0 && arrives_last(p.counters + 1) ? 1u : 0u;
  if (__shfl_sync(0xffffffffu, last, 0) == 0) return;
  for (std::uint32_t i = threadIdx.x; i < p.n_words; i += 32) p.published[i] = 0;
}

/// Elements [at, at + N) of a tile of n, where `at` is below n or not.
template<class T, int N>
__device__ __forceinline__ void store_elements(char* tile, int at, int n, const T (&values)[N],
                                               const scan_params& p) {
#pragma unroll
  for (int k = 0; k < N; ++k)
    if (at + k < n) *reinterpret_cast<T*>(tile + (at + k) * p.out_stride) = values[k];
}

/// What the elements of each lane make of the lanes before it in groups of `group` neighbours: `mine` begins
/// with the lane's own elements. Returns the merge of all lanes up to this one.
template<class R, int N>
__device__ __forceinline__ typename R::state scan_group(typename R::state (&mine)[N], unsigned group = 32) {
  const typename R::state inclusive = scan_lanes_of_warp<R>(mine[N - 1], group),
                          left = shuffle_up(inclusive, 1);
#pragma unroll
  for (int k = 0; k < N; ++k) {
    typename R::state with_left = left;
    R::merge(with_left, mine[k]);
    if (threadIdx.x % group > 0) mine[k] = with_left;
  }
  return inclusive;
}

/// The states of the first, the first two, ... of N elements that begin at number `at` of n.
template<class R, class T, int N>
__device__ __forceinline__ void scan_pack(typename R::state (&mine)[N], const T (&values)[N], int at, int n) {
  typename R::state sum = R::identity();
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (at + k < n) R::add(sum, values[k], 0);
    mine[k] = sum;
  }
}

/// Writes what the elements make with all before them.
template<class R, class T, int N>
__device__ __forceinline__ void store_scanned(char* row, int at, int n, const typename R::state& before,
                                              const typename R::state (&mine)[N], const scan_params& p) {
  pack<T, N> results;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    typename R::state result = before;
    R::merge(result, mine[k]);
    results.values[k] = kernel::narrow<T>(result.value);
  }
  char* const to = row + at * p.out_stride;
  if (p.side_by_side && at + N <= n && is_aligned<pack<T, N>>(to))
    *reinterpret_cast<pack<T, N>*>(to) = results;
  else store_elements(row, at, n, results.values, p);
}

/// A number that is known where a kernel is compiled, in the place of an int.
template<int N>
struct known_size {
  GPARRAY_KERNEL_FN constexpr operator int() const { return N; }
};

// Whether an SM has room in its shared memory for the sums of four or five blocks. With those in registers it
// has room for three blocks, and a block mostly waits: for its elements, and for the tiles before it.
#if defined(__CUDA_ARCH__)
inline constexpr bool sums_are_shared =
    __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 870 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200);
#else
inline constexpr bool sums_are_shared = true;
#endif
/// Expressions have registers of their own.
template<class Params>
inline constexpr int scan_blocks = !sums_are_shared                       ? 3
                                   : scanned_elements<Params>::are_stored ? 5
                                                                          : 4;

/// Scans tiles one after another: the whole row if it is short or there are many rows, else one tile. Each
/// thread has `lanes` neighbours in each of several sub-tiles, each warp those of its threads.
template<class Core, class Params = scan_params>
__global__ void __launch_bounds__(scan_threads, scan_blocks<Params>)
    scan_tiles(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using R = scan_state<Core>;
  using state = typename R::state;
  constexpr int lanes = scan_lanes(sizeof(T)), unroll = scan_unroll(sizeof(T)), n_warps = scan_threads / 32,
                sub_tile = scan_threads * lanes, tile_size = scan_tile(sizeof(T)),
                totals_per_lane = scan_totals_per_lane(sizeof(T)), at_once = sums_are_shared ? 2 : unroll;
  __shared__ state totals[2][unroll * n_warps];
  // Of each sub-tile, from the warp's first element on. What is shared is the thread's own all the same.
  struct alignas(sizeof(state) * lanes) pack_sums {
    state of[lanes];
  };
  __shared__ pack_sums in_shared[sums_are_shared ? unroll : 1][scan_threads];
  pack_sums in_registers[sums_are_shared ? 1 : unroll];
  const auto sums = [&](int u) -> pack_sums& {
    if constexpr (sums_are_shared) return in_shared[u][threadIdx.x];
    else return in_registers[u];
  };

  const bool shared = p.n_groups > 0;
  const std::uint32_t number = shared ? start_number(p.counters) : blockIdx.x;
  const std::uint32_t row = shared ? number / p.n_tiles : number;
  const std::uint32_t tile_of_row = shared ? number % p.n_tiles : 0;
  const std::int64_t begin = static_cast<std::int64_t>(tile_of_row) * tile_size,
                     end = shared ? min(begin + tile_size, p.n) : p.n;
  const scan_row at_row = row_of(p, row);
  const scanned_elements<Params> elements(p, row, at_row);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  state before = R::identity();

  int turn = 0;
  for (std::int64_t tile = begin; tile < end; tile += tile_size, turn ^= 1) {
    const auto add_up = [&](const auto n) {
#pragma unroll(unroll / at_once == 1 ? unroll : 1)
      for (int first = 0; first < unroll; first += at_once) {
        pack<T, lanes> values[at_once];
        elements.load_packs(values, tile, first, n, p);
#pragma unroll
        for (int u = first; u < first + at_once; ++u) {
          if (u * sub_tile >= n) {
            if (lane == 31) totals[turn][u * n_warps + warp] = R::identity();
            continue;
          }
          state mine[lanes];
          scan_pack<R>(mine, values[u - first].values, u * sub_tile + static_cast<int>(threadIdx.x) * lanes,
                       n);
          const state inclusive = scan_group<R>(mine);
          if (lane == 31) totals[turn][u * n_warps + warp] = inclusive;
#pragma unroll
          for (int k = 0; k < lanes; ++k) sums(u).of[k] = mine[k];
        }
      }
    };
    // Nothing is asked of single elements of a whole tile: that was a tenth of the instructions.
    const int n_left = static_cast<int>(min(end - tile, static_cast<std::int64_t>(tile_size)));
    const bool whole = n_left == tile_size;
    if (whole) add_up(known_size<tile_size>());
    else add_up(n_left);
    __syncthreads();
    // The totals in order of position: sub-tile by sub-tile, warp by warp. Two buffers spare a second
    // barrier.
    state up_to = totals[turn][lane * totals_per_lane];
#pragma unroll
    for (int i = 1; i < totals_per_lane; ++i) R::merge(up_to, totals[turn][lane * totals_per_lane + i]);
    up_to = scan_lanes_of_warp<R>(up_to);
    const state total = shuffle_from(up_to, 31);
    if (shared) {
      before = state_before<R>(p, row, tile_of_row, total);
      clear_published(p);
    }
    char* const out = at_row.out + tile * p.out_stride;
    const auto store = [&](const auto n) {
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        if (u * sub_tile >= n) break;
        state prefix = before;
        const unsigned slot = u * n_warps + warp, first = slot / totals_per_lane;
        const state of_lanes = shuffle_from(up_to, first > 0 ? first - 1 : 0);
        if (first > 0) R::merge(prefix, of_lanes);
#pragma unroll
        for (unsigned i = 0; i + 1 < totals_per_lane; ++i)
          if (i < slot % totals_per_lane) R::merge(prefix, totals[turn][first * totals_per_lane + i]);
        const pack_sums mine = sums(u);
        store_scanned<R, T>(out, u * sub_tile + static_cast<int>(threadIdx.x) * lanes, n, prefix, mine.of, p);
      }
    };
    if (whole) store(known_size<tile_size>());
    else store(n_left);
    R::merge(before, total);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
