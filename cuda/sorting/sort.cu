// The tables of the sort's kernels.
#include <cuda/device/elements.cuh>
#include <cuda/sorting/complex_kernels.cuh>
#include <cuda/sorting/radix_kernels.cuh>
#include <cuda/sorting/row_sort.cuh>
#include <cuda/sorting/sort_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class K, bool WithNumbers, bool Few>
pass_kernel pass_kernel_of() {
  using shape = pass_shape<K, WithNumbers, Few>;
  return {reinterpret_cast<const void*>(&sort_pass<K, WithNumbers, shape>), shape::tile};
}

template<class K>
const void* row_kernel_of(bool with_numbers) {
  return with_numbers ? reinterpret_cast<const void*>(&sort_rows<K, true>)
                      : reinterpret_cast<const void*>(&sort_rows<K, false>);
}

}  // namespace

const void* find_digit_kernel(bool keys_are_64_bit) {
  return keys_are_64_bit ? reinterpret_cast<const void*>(&count_digits<std::uint64_t>)
                         : reinterpret_cast<const void*>(&count_digits<std::uint32_t>);
}

pass_kernel find_pass_kernel(bool keys_are_64_bit, bool with_numbers, std::uint32_t size) {
  using key = std::uint32_t;
  using key_64 = std::uint64_t;
  if (keys_are_64_bit)
    return with_numbers ? pass_kernel_of<key_64, true, false>() : pass_kernel_of<key_64, false, false>();
  if (size < few_keys)
    return with_numbers ? pass_kernel_of<key, true, true>() : pass_kernel_of<key, false, true>();
  return with_numbers ? pass_kernel_of<key, true, false>() : pass_kernel_of<key, false, false>();
}

const void* find_row_kernel(bool keys_are_64_bit, bool with_numbers) {
  return keys_are_64_bit ? row_kernel_of<std::uint64_t>(with_numbers)
                         : row_kernel_of<std::uint32_t>(with_numbers);
}

const void* find_complex_key_kernel(dtype type) {
  return type == dtype::complex64 ? reinterpret_cast<const void*>(&complex_keys<kernel_t<dtype::complex64>>)
                                  : reinterpret_cast<const void*>(&complex_keys<kernel_t<dtype::complex128>>);
}
const void* find_complex_pick_kernel(dtype type) {
  return type == dtype::complex64 ? reinterpret_cast<const void*>(&pick_complex<kernel_t<dtype::complex64>>)
                                  : reinterpret_cast<const void*>(&pick_complex<kernel_t<dtype::complex128>>);
}
const void* rows_of_numbers_kernel() { return reinterpret_cast<const void*>(&rows_of_numbers); }
const void* ties_kernel() { return reinterpret_cast<const void*>(&order_ties); }
const void* pick_numbered_kernel() { return reinterpret_cast<const void*>(&pick_numbered); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
