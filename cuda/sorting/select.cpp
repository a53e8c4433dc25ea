// Selection of elements by their place in the order: a launch for each digit of the keys, for all rows that
// there is memory for.
#include <algorithm>
#include <bit>

#include <cuda/indexing/compact.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <cuda/sorting/radix_sorter.hpp>
#include <cuda/sorting/select_params.hpp>
#include <cuda/sorting/sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "a selection by order";
// About as many blocks as a GPU runs at once; and what is worth a block that adds its counts to those of all.
constexpr std::int64_t most_blocks = 1024, keys_worth_a_block = 4096;
// Bytes of counts for the rows that are worked on together.
constexpr std::int64_t most_count_bytes = 64 << 20;

/// Rows that are worked on together, and what is known of them.
class selection {
 public:
  selection(dtype type, const void* in, std::int64_t rows, std::int64_t n,
            std::span<const std::int64_t> positions, queue q, memory_pool& pool)
      : q_(q), rows_(rows), keys_are_64_bit_(itemsize(type) == 8) {
    p_ = {};
    p_.source.items = in;
    p_.source.item_bytes = static_cast<int>(itemsize(type));
    p_.source.element_bits = 8 * p_.source.item_bytes;
    p_.source.encodes = true;
    p_.source.rule = rule_of(type);
    p_.n = static_cast<std::uint32_t>(n);
    const std::int64_t wanted =
        std::clamp<std::int64_t>(most_blocks / rows, 1, ceil_div(n, keys_worth_a_block));
    p_.per_block = static_cast<std::uint32_t>(ceil_div(n, wanted));
    p_.blocks_per_row = static_cast<std::uint32_t>(ceil_div(n, p_.per_block));
    p_.n_positions = static_cast<int>(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
      p_.positions[i] = static_cast<std::uint32_t>(positions[i]);

    const auto count = static_cast<std::size_t>(rows);
    const std::size_t words = count * (positions.size() * n_digits + 1);
    states_ = scratch(pool, count * sizeof(selection_state), q.stream);
    counts_ = scratch(pool, words * sizeof(std::uint32_t), q.stream);
    call<&rt::cudaMemsetAsync>(operation, counts_.data(), 0, words * sizeof(std::uint32_t),
                               stream_of(q.stream));
    p_.states = static_cast<selection_state*>(states_.data());
    p_.counts = static_cast<std::uint32_t*>(counts_.data());
    p_.counters = p_.counts + count * positions.size() * n_digits;
    if (p_.source.item_bytes == 1) return;  // one digit tells all
    const std::size_t key = keys_are_64_bit_ ? 8 : 4;
    kept_ = scratch(pool, static_cast<std::size_t>(blocks()) * p_.per_block * key, q.stream);
    n_kept_ = scratch(pool, static_cast<std::size_t>(blocks()) * sizeof(std::uint32_t), q.stream);
    p_.kept = kept_.data();
    p_.n_kept = static_cast<std::uint32_t*>(n_kept_.data());
  }

  void find_elements(void* out) {
    count_keys([&](int shift) { p_.out = shift == 0 ? out : nullptr; });
  }

  void mark_top(bool descending, bool* marks) {
    p_.is_top = true;
    p_.source.stable = true;
    p_.source.flip = descending ? p_.source.rule.all : 0;
    count_keys([](int) {});
    // For where more have the last key than there is room for; blocks of other rows have nothing to do.
    p_.by_number = true;
    for (int shift = (std::bit_width(p_.n - 1) - 1) / digit_bits * digit_bits; shift >= 0;
         shift -= digit_bits)
      count(shift);
    const mark_params m{p_.source, p_.states, marks, p_.n, p_.per_block, p_.blocks_per_row};
    launch(operation, find_mark_kernel(keys_are_64_bit_), blocks(), select_threads, m, q_);
  }

 private:
  std::int64_t blocks() const { return rows_ * p_.blocks_per_row; }
  void count(int shift) {
    p_.shift = shift;
    launch(operation, find_select_kernel(keys_are_64_bit_), blocks(), select_threads, p_, q_);
  }
  template<class Prepare>
  void count_keys(Prepare prepare) {
    for (int shift = p_.source.element_bits - digit_bits; shift >= 0; shift -= digit_bits) {
      p_.is_first = shift == p_.source.element_bits - digit_bits;
      prepare(shift);
      count(shift);
    }
    p_.is_first = false;
  }

  queue q_;
  std::int64_t rows_;
  bool keys_are_64_bit_;
  select_params p_;
  scratch states_, counts_, kept_, n_kept_;
};

/// Calls f(first, rows) for as many rows at once as their counts have room.
template<class F>
void for_rows(std::int64_t rows, int n_positions, F f) {
  const std::int64_t at_once =
      most_count_bytes / (n_positions * n_digits * std::int64_t{sizeof(std::uint32_t)});
  for (std::int64_t first = 0; first < rows; first += at_once) f(first, std::min(at_once, rows - first));
}

}  // namespace

void run_select(const selection_plan& plan, queue q, memory_pool& pool) {
  check_sort_size(plan.n);
  const auto item = static_cast<std::int64_t>(itemsize(plan.type));
  for_rows(plan.rows, plan.n_positions, [&](std::int64_t first, std::int64_t rows) {
    const char* const in = static_cast<const char*>(plan.in) + first * plan.n * item;
    selection s(plan.type, in, rows, plan.n, {plan.positions, static_cast<std::size_t>(plan.n_positions)}, q,
                pool);
    s.find_elements(static_cast<char*>(plan.out) + first * plan.n_positions * item);
  });
}

void run_top(const top_plan& plan, queue q, memory_pool& pool) {
  check_sort_size(plan.n);
  const auto item = static_cast<std::int64_t>(itemsize(plan.type));
  const scratch marks(pool, static_cast<std::size_t>(plan.rows * plan.n), q.stream);
  const std::int64_t last = plan.k - 1;
  for_rows(plan.rows, 1, [&](std::int64_t first, std::int64_t rows) {
    const char* const in = static_cast<const char*>(plan.in) + first * plan.n * item;
    selection s(plan.type, in, rows, plan.n, {&last, 1}, q, pool);
    s.mark_top(plan.descending, static_cast<bool*>(marks.data()) + first * plan.n);
  });
  compact_plan numbers;
  numbers.ndim = 1;
  numbers.size = numbers.shape[0] = plan.rows * plan.n;
  numbers.mask = marks.data();
  numbers.mask_strides[0] = 1;
  numbers.item_bytes = sizeof(std::int64_t);
  numbers.in.kind = input_kind::iota;
  numbers.in.type = dtype::int64;
  numbers.in.first = 0;
  numbers.in.strides[0] = 1;
  numbers.out = plan.numbers;
  run_compact(numbers, q, pool);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
