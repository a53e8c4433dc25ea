// The tables of the sort's kernels.
#include "radix_kernels.cuh"
#include "row_sort.cuh"
#include "sort_kernels.cuh"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class K>
const void* pass_kernel_of(bool with_numbers) {
  return with_numbers ? reinterpret_cast<const void*>(&sort_pass<K, true>)
                      : reinterpret_cast<const void*>(&sort_pass<K, false>);
}

template<class K>
const void* row_kernel_of(bool with_numbers) {
  return with_numbers ? reinterpret_cast<const void*>(&sort_rows<K, true>)
                      : reinterpret_cast<const void*>(&sort_rows<K, false>);
}

}  // namespace

const void* find_digit_kernel(bool wide) {
  return wide ? reinterpret_cast<const void*>(&count_digits<std::uint64_t>)
              : reinterpret_cast<const void*>(&count_digits<std::uint32_t>);
}

const void* find_pass_kernel(bool wide, bool with_numbers) {
  return wide ? pass_kernel_of<std::uint64_t>(with_numbers) : pass_kernel_of<std::uint32_t>(with_numbers);
}

const void* find_row_kernel(bool wide, bool with_numbers) {
  return wide ? row_kernel_of<std::uint64_t>(with_numbers) : row_kernel_of<std::uint32_t>(with_numbers);
}

int pass_tile(bool wide, bool with_numbers) {
  if (wide)
    return with_numbers ? pass_shape<std::uint64_t, true>::tile : pass_shape<std::uint64_t, false>::tile;
  return with_numbers ? pass_shape<std::uint32_t, true>::tile : pass_shape<std::uint32_t, false>::tile;
}

const void* rows_of_numbers_kernel() { return reinterpret_cast<const void*>(&rows_of_numbers); }
const void* pick_numbered_kernel() { return reinterpret_cast<const void*>(&pick_numbered); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
