// Complex numbers are sorted by words: a complex64 is one of 64 bits, a complex128 two, of which the low ones
// are sorted first.
#include <cuda/cub/cub_calls.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <cuda/sorting/order_params.hpp>
#include <cuda/sorting/radix_params.hpp>
#include <cuda/sorting/sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "sort";
// One row is merged by CUB if no block holds it, up to where the launches of a radix sort, one a digit, are
// no longer most of its time.
constexpr std::int64_t longest_merged = 1 << 16;

class complex_sorter {
 public:
  complex_sorter(const sort_plan& plan, queue q, memory_pool& pool) : plan_(plan), q_(q), pool_(pool) {}

  void merge() const {
    const cudaStream_t stream = stream_of(q_.stream);
    if (plan_.sorted)
      return run_cub("cub::DeviceMergeSort", operation, q_, pool_, [&](cub_storage& storage) {
        return cub_sort_complex(storage, plan_.type, plan_.in, plan_.sorted, plan_.n, plan_.descending,
                                stream);
      });
    const scratch keys(pool_, size() * itemsize(plan_.type), q_.stream);
    make_keys(keys, true, nullptr, plan_.order);
    run_cub("cub::DeviceMergeSort", operation, q_, pool_, [&](cub_storage& storage) {
      return cub_sort_complex_keys(storage, plan_.type, keys.data(), plan_.order, plan_.n, plan_.descending,
                                   stream);
    });
  }

  void sort_by_words() const {
    const scratch keys(pool_, size() * sizeof(std::uint64_t), q_.stream);
    if (plan_.type == dtype::complex64) {
      make_keys(keys, true);
      if (plan_.order) return order_words(keys, plan_.order);
      const scratch order = numbers();
      order_words(keys, numbers_of(order));
      return pick(numbers_of(order), nullptr);
    }
    const scratch by_low = numbers(), by_high = numbers();
    make_keys(keys, false);
    order_words(keys, numbers_of(by_low));
    make_keys(keys, true, numbers_of(by_low));
    order_words(keys, numbers_of(by_high));
    pick(numbers_of(by_low), numbers_of(by_high));
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(plan_.rows * plan_.n); }
  scratch numbers() const { return scratch(pool_, size() * sizeof(std::int64_t), q_.stream); }
  static std::int64_t* numbers_of(const scratch& memory) { return static_cast<std::int64_t*>(memory.data()); }

  template<class Params>
  void for_each(const void* kernel, Params p) const {
    p.elements = plan_.in;
    p.size = static_cast<std::uint32_t>(size());
    p.n = fast_divisor(static_cast<std::uint32_t>(plan_.n));
    launch(operation, kernel, ceil_div(p.size, order_threads), order_threads, p, q_);
  }

  void make_keys(const scratch& keys, bool high, const std::int64_t* order = nullptr,
                 std::int64_t* numbers = nullptr) const {
    complex_key_params p{};
    p.keys = static_cast<std::uint64_t*>(keys.data());
    p.high = high;
    p.order = order;
    p.numbers = numbers;
    for_each(find_complex_key_kernel(plan_.type), p);
  }

  void order_words(const scratch& keys, std::int64_t* order) const {
    sort_plan plan{dtype::uint64, plan_.rows, plan_.n, keys.data(), nullptr, order};
    plan.descending = plan_.descending;
    run_sort(plan, q_, pool_);
  }

  void pick(const std::int64_t* first, const std::int64_t* second) const {
    complex_pick_params p{};
    p.first = first;
    p.second = second;
    p.sorted = plan_.sorted;
    p.order = plan_.order;
    for_each(find_complex_pick_kernel(plan_.type), p);
  }

  const sort_plan& plan_;
  queue q_;
  memory_pool& pool_;
};

}  // namespace

void run_complex_sort(const sort_plan& plan, queue q, memory_pool& pool) {
  const complex_sorter sorter(plan, q, pool);
  if (has_cub() && plan.rows == 1 && plan.n > row_shape::tile && plan.n <= longest_merged)
    return sorter.merge();
  sorter.sort_by_words();
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
