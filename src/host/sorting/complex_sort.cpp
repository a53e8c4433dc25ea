#include <algorithm>

#include <host/sorting/complex_sort.hpp>
#include <host/sorting/order_keys.hpp>
#include <host/support/clones.hpp>
#include <host/support/operations.hpp>
#include <host/support/pooled.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using word = keyed_index::word;

/// A complex64 is one word, a complex128 two, of which the low ones order what has the same high one.
template<class T>
inline constexpr bool has_low_words = sizeof(T) > sizeof(word);

template<class T>
GPARRAY_CLONES void to_words(const T* elements, std::int64_t n, word flip, word* words, word* low) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto key = kernel::tie_key(elements[i]);
    if constexpr (has_low_words<T>) {
      words[i] = key.high ^ flip;
      low[i] = key.low ^ flip;
    } else {
      words[i] = kernel::joined(key) ^ flip;
    }
  }
}

struct same_high_words {
  const word* high;
  std::int64_t number_of(word number) const { return static_cast<std::int64_t>(number); }
  bool ties(word a, word b) const { return high[a] == high[b]; }
};

/// `order` becomes that of some rows of n words, or of both words; or only what belongs at the positions, if
/// there are any, is there: the numbers of what has its high word lie side by side.
void order_rows(const word* high, const word* low, std::int64_t rows, std::int64_t n,
                std::span<const std::int64_t> positions, std::int64_t* order) {
  sort({dtype::uint64, rows, n, high, nullptr, order, positions});
  if (!low) return;
  for (const word* const end = high + rows * n; high < end; high += n, low += n, order += n)
    break_ties(reinterpret_cast<word*>(order), n, same_high_words{high},
               [&](std::int64_t number) { return low[number]; });
}

template<class T>
void sort_typed(const core::sort_plan& plan) {
  const std::int64_t n = plan.n, at_once = std::max<std::int64_t>(1, 4096 / n);
  const word flip = plan.descending ? ~word{0} : 0;
  const bool shares_rows = plan.rows >= num_threads();
  parallel_for(plan.rows, shares_rows ? serial_elements / (8 * n) + 1 : plan.rows,
               [&](std::int64_t begin, std::int64_t end) {
                 const std::int64_t most = std::min(at_once, end - begin) * n;
                 const pooled<word> words(most), low(has_low_words<T> ? most : 0);
                 const pooled<std::int64_t> own(plan.order ? 0 : most);
                 for (std::int64_t row = begin; row < end; row += at_once) {
                   const std::int64_t rows = std::min(at_once, end - row);
                   const T* const in = static_cast<const T*>(plan.in) + row * n;
                   std::int64_t* const order = plan.order ? plan.order + row * n : own.get();
                   parallel_for(rows * n, serial_elements, [&](std::int64_t i, std::int64_t last) {
                     to_words(in + i, last - i, flip, words.get() + i,
                              has_low_words<T> ? low.get() + i : nullptr);
                   });
                   order_rows(words.get(), low.get(), rows, n, plan.positions, order);
                   if (plan.order) continue;
                   T* const out = static_cast<T*>(plan.sorted) + row * n;
                   parallel_for(rows * n, serial_elements, [&](std::int64_t i, std::int64_t last) {
                     std::int64_t of_row = i / n * n;
                     for (; i < last; ++i) {
                       if (i == of_row + n) of_row = i;
                       out[i] = in[of_row + order[i]];
                     }
                   });
                 }
               });
}

}  // namespace

void sort_complex(const core::sort_plan& plan) {
  if (plan.type == dtype::complex64) sort_typed<kernel::complex<float>>(plan);
  else sort_typed<kernel::complex<double>>(plan);
}

}  // namespace host
GPARRAY_END_NAMESPACE
