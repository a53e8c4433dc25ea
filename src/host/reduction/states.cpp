// States of parts of a reduction, for those who put them together.
#include <algorithm>
#include <cstring>
#include <vector>

#include <gparray/reduction/states.hpp>
#include <host/reduction/reduce_tree.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

static_assert(gparray::detail::reduction_block == reduce_block);

/// The part of the tree that columns [begin, begin + count) of some rows make.
class part_of_tree {
 public:
  part_of_tree(const reduce_kernel& kernel, std::size_t item, const void* rows, std::int64_t columns)
      : kernel_(kernel),
        rows_(static_cast<const char*>(rows)),
        row_size_(columns * static_cast<std::int64_t>(item)),
        item_(static_cast<std::int64_t>(item)),
        whole_(columns == 1) {}

  /// Writes the states of rows [from, to), numbered from `first` on.
  void reduce(std::int64_t begin, std::int64_t count, std::int64_t from, std::int64_t to, std::int64_t first,
              char* states) const {
    const std::size_t size = static_cast<std::size_t>(count) * kernel_.state_size;
    const std::int64_t leaves = core::ceil_quotient(to - from, reduce_block);
    const std::size_t bytes = static_cast<std::size_t>(merge_tree::depth(leaves)) * size;
    const std::unique_ptr<std::max_align_t[]> levels(
        new std::max_align_t[bytes / sizeof(std::max_align_t) + 1]);
    merge_tree tree(kernel_, reinterpret_cast<char*>(levels.get()), count);
    for (; from < to; from += reduce_block) {
      leaf(begin, count, from, std::min(reduce_block, to - from), first + from, tree.next());
      tree.push();
    }
    std::memcpy(states, tree.root(), size);
  }

 private:
  void leaf(std::int64_t begin, std::int64_t count, std::int64_t from, std::int64_t n, std::int64_t first,
            char* states) const {
    const char* const at = rows_ + from * row_size_ + begin * item_;
    if (whole_) {
      if (kernel_.running) kernel_.identity(states, 1);
      return kernel_.block(states, at, n, first);
    }
    const void* rows[reduce_block];
    for (std::int64_t i = 0; i < n; ++i) rows[i] = at + i * row_size_;
    kernel_.columns(states, rows, n, count, first);
  }

  const reduce_kernel& kernel_;
  const char* rows_;
  std::int64_t row_size_, item_;
  bool whole_;
};

}  // namespace
}  // namespace host

namespace detail {

using namespace host;

std::size_t state_size(reduction r, dtype element) { return find_reduction(r, element).state_size; }

void reduce_to_states(reduction r, dtype element, const void* rows, std::int64_t n, std::int64_t columns,
                      std::int64_t first, void* states) {
  const reduce_kernel& kernel = find_reduction(r, element);
  const part_of_tree tree(kernel, itemsize(element), rows, columns);
  // A chunk of rows and some columns at a time, all of which threads share out.
  const std::int64_t width = std::min<std::int64_t>(columns, 512),
                     pieces = core::ceil_quotient(columns, width),
                     chunks = core::ceil_quotient(n, reduce_chunk);
  const std::size_t size = static_cast<std::size_t>(columns) * kernel.state_size;
  const std::unique_ptr<std::max_align_t[]> partial(
      new std::max_align_t[(static_cast<std::size_t>(chunks) * size + sizeof(std::max_align_t)) /
                           sizeof(std::max_align_t)]);
  char* const all = reinterpret_cast<char*>(partial.get());
  parallel_for(chunks * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t chunk = task / pieces, column = task % pieces * width;
      tree.reduce(column, std::min(width, columns - column), chunk * reduce_chunk,
                  std::min(n, (chunk + 1) * reduce_chunk), first,
                  all + static_cast<std::size_t>(chunk) * size +
                      static_cast<std::size_t>(column) * kernel.state_size);
    }
  });
  std::vector<std::max_align_t> levels(
      static_cast<std::size_t>(merge_tree::depth(chunks)) * size / sizeof(std::max_align_t) + 1);
  merge_tree merged(kernel, reinterpret_cast<char*>(levels.data()), columns);
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    std::memcpy(merged.next(), all + static_cast<std::size_t>(chunk) * size, size);
    merged.push();
  }
  std::memcpy(states, merged.root(), size);
}

void merge_states(reduction r, dtype element, void* states, const void* others, std::int64_t count) {
  find_reduction(r, element).merge(states, others, count);
}

void finish_states(reduction r, dtype element, const void* states, std::int64_t count, std::int64_t n,
                   double ddof, void* results) {
  const std::size_t size = itemsize(result_dtype(r, element));
  find_reduction(r, element).finish(states, count, n, ddof, results, static_cast<std::int64_t>(size));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
