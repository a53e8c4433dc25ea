#include <algorithm>

#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <cuda/sorting/radix_sorter.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// Blocks that count digits: about as many as a GPU runs at once, each of which adds its counts to those of
// all.
constexpr std::int64_t most_count_blocks = 1024, keys_worth_a_block = 2048;
constexpr std::size_t counter_words = 32;

/// What passes hand to each other, alternately.
struct key_buffer {
  scratch own_keys, own_numbers;
  void* keys = nullptr;
  std::uint32_t* numbers = nullptr;
};

class radix_run {
 public:
  radix_run(const radix_task& task, queue q, memory_pool& pool)
      : task_(task),
        q_(q),
        pool_(pool),
        last_(n_passes(task.bits) - 1),
        kernel_(find_pass_kernel(task.keys_are_64_bit, task.with_numbers, task.size)),
        n_tiles_(static_cast<std::uint32_t>(ceil_div(task.size, kernel_.tile))) {
    const std::size_t passes = static_cast<std::size_t>(last_) + 1, status = std::size_t{n_tiles_} * n_digits,
                      zeroed = counter_words + passes * n_digits + status;
    words_ = scratch(pool, (zeroed + status) * sizeof(std::uint32_t), q.stream);
    call<&rt::cudaMemsetAsync>(task.operation, words_.data(), 0, zeroed * sizeof(std::uint32_t),
                               stream_of(q.stream));
    counters_ = static_cast<unsigned*>(words_.data());
    begins_ = counters_ + counter_words;
    status_[0] = begins_ + passes * n_digits;
    status_[1] = status_[0] + status;
    for (int i = 0; i < std::min(last_, 2); ++i) make_buffer(i);
  }

  void count() const {
    digit_params p{};
    p.source = task_.source;
    p.begins = begins_;
    p.counter = counters_;
    p.size = task_.size;
    p.bits = std::max(task_.bits, 1);
    const std::int64_t wanted = std::min(most_count_blocks, ceil_div(task_.size, keys_worth_a_block));
    p.per_block = static_cast<std::uint32_t>(ceil_div(task_.size, wanted));
    launch(task_.operation, find_digit_kernel(task_.keys_are_64_bit), ceil_div(task_.size, p.per_block),
           n_digits, p, q_);
  }

  void pass(int k) const {
    pass_params p{};
    p.source = task_.source;
    p.result = task_.result;
    p.numbers = task_.numbers;
    if (k > 0) {
      const key_buffer& from = buffers_[(last_ - k) % 2];
      p.source.items = from.keys;
      p.source.item_bytes = key_bytes();
      p.source.encodes = false;
      p.numbers = from.numbers;
    }
    if (k < last_) {
      const key_buffer& to = buffers_[(last_ - k - 1) % 2];
      p.result = {};
      p.result.items = to.keys;
      p.result.item_bytes = key_bytes();
      p.result.numbers = to.numbers;
    }
    p.begins = begins_ + k * n_digits;
    p.status = status_[k % 2];
    p.next_status = status_[1 - k % 2];
    p.counter = counters_ + 1 + k;
    p.size = task_.size;
    p.shift = k * digit_bits;
    launch(task_.operation, kernel_.address, n_tiles_, pass_threads, p, q_);
  }

  int last() const { return last_; }

 private:
  int key_bytes() const { return task_.keys_are_64_bit ? 8 : 4; }

  void make_buffer(int i) {
    key_buffer& b = buffers_[i];
    // The second one is read by the last pass but one, so it may be where the result will be; and the first
    // pass, which reads the source, does not write it.
    if (i == 1 && last_ % 2 == 1 && task_.result.items && task_.result.item_bytes == key_bytes()) {
      b.keys = task_.result.items;
    } else {
      b.own_keys = scratch(pool_, std::size_t{task_.size} * static_cast<std::size_t>(key_bytes()), q_.stream);
      b.keys = b.own_keys.data();
    }
    if (!task_.with_numbers) return;
    b.own_numbers = scratch(pool_, std::size_t{task_.size} * sizeof(std::uint32_t), q_.stream);
    b.numbers = static_cast<std::uint32_t*>(b.own_numbers.data());
  }

  const radix_task& task_;
  queue q_;
  memory_pool& pool_;
  int last_;
  pass_kernel kernel_;
  std::uint32_t n_tiles_;
  scratch words_;
  unsigned* counters_;
  std::uint32_t *begins_, *status_[2];
  key_buffer buffers_[2];
};

}  // namespace

kernel::sort_rule rule_of(dtype type) {
  switch (type) {
#define GPARRAY_DTYPE(name, user_type, kernel_type, code, kind)                                 \
  case dtype::name:                                                                             \
    if constexpr (!kernel::is_complex<kernel_type>) return kernel::sort_rule_of<kernel_type>(); \
    else break;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return {};
}

void check_sort_size(std::int64_t size) {
  if (size > largest_sort) throw value_error("sorting more than 2^31 elements is not supported on a GPU");
}

void radix_sort(const radix_task& task, queue q, memory_pool& pool) {
  const radix_run run(task, q, pool);
  run.count();
  for (int k = 0; k <= run.last(); ++k) run.pass(k);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
