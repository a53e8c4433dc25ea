// Arrays in Thrust's algorithms. For .cu files, which nvcc compiles; not part of <gparray/gparray.hpp>.
//
//   gp::ndarray<float> keys = ..., values = ...;
//   thrust::sort_by_key(gp::thrust_policy(), gp::device_pointer(keys), gp::device_pointer(keys) +
//   keys.size(),
//                       gp::device_pointer(values));
//   const gp::ndarray<float> column = m(gp::all, 0);
//   thrust::fill(gp::thrust_policy(), gp::device_begin(column), gp::device_end(column), 1.f);
//
// Iterators keep no array alive. Complex elements are thrust::complex, which has the same bytes.
#pragma once
#if !defined(__CUDACC__)
#error \
    "<gparray/thrust.hpp> is for .cu files that nvcc compiles; in .cpp files include <gparray/gparray.hpp> alone"
#endif
#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <thrust/complex.h>
#include <thrust/device_ptr.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cuda/execution_policy.h>

#include <gparray/array/element_offsets.hpp>
#include <gparray/cub.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

template<class V>
struct thrust_element {
  using type = V;
};
template<class R>
struct thrust_element<std::complex<R>> {
  using type = ::thrust::complex<R>;
};

/// Of elements, in order.
using numbers = ::thrust::counting_iterator<std::int64_t, ::thrust::device_system_tag,
                                            ::thrust::random_access_traversal_tag, std::int64_t>;

inline void check_on_gpu(const any_array& a) {
  if (a.device().is_cpu())
    throw device_error("Thrust's iterators of an array need it on a GPU, and this one is on " +
                       a.device().str() + ": copy it there by to_device(a, gp::device::cuda(0))");
}

/// Temporary memory of Thrust's algorithms: from the pool that arrays come from, in the order of one stream.
class thrust_memory {
 public:
  using value_type = unsigned char;

  explicit thrust_memory(const stream_view& stream) : state_(std::make_shared<state>(stream)) {}
  // Written out, for nvcc would make functions of the GPU, too, of those that the compiler makes.
  thrust_memory(const thrust_memory& other) : state_(other.state_) {}
  thrust_memory& operator=(const thrust_memory& other) {
    state_ = other.state_;
    return *this;
  }
  ~thrust_memory() {}

  value_type* allocate(std::ptrdiff_t bytes) {
    const stream_guard guard(state_->stream);
    const any_array memory =
        detail::empty(dims{static_cast<std::int64_t>(std::max<std::ptrdiff_t>(bytes, 1))}, dtype::uint8,
                      order::C, memory_space::device, state_->stream.device());
    auto* const pointer = static_cast<value_type*>(memory.raw_data());
    const std::lock_guard lock(state_->mutex);
    state_->held.emplace_back(pointer, memory);
    return pointer;
  }
  void deallocate(value_type* pointer, std::size_t) noexcept {
    const std::lock_guard lock(state_->mutex);
    std::erase_if(state_->held, [&](const auto& each) { return each.first == pointer; });
  }

 private:
  struct state {
    explicit state(const stream_view& s) : stream(s) {}
    stream_view stream;
    std::mutex mutex;
    std::vector<std::pair<value_type*, any_array>> held;
  };
  std::shared_ptr<state> state_;  // an allocator's copies must be able to free what it allocated
};

}  // namespace detail

/// Thrust's iterator over the elements of an array in C order, through any strides.
template<element V>
using device_iterator =
    ::thrust::permutation_iterator<::thrust::device_ptr<typename detail::thrust_element<V>::type>,
                                   ::thrust::transform_iterator<detail::element_offsets, detail::numbers>>;

/// The first element of an array on a GPU whose elements lie side by side in C order; as an iterator it lets
/// Thrust take its quickest ways. Computes what is pending. Throws value_error for other layouts, which
/// device_begin takes, and device_error for an array on the CPU.
template<element V>
[[nodiscard]] auto device_pointer(const ndarray<V>& a) {
  using T = typename detail::thrust_element<V>::type;
  detail::check_on_gpu(a);
  if (!detail::element_offsets(a).side_by_side())
    throw value_error(
        "device_pointer: the elements do not lie side by side; use device_begin(a), or a copy()");
  return ::thrust::device_pointer_cast(reinterpret_cast<T*>(a.data()));
}
/// What is computed for this line alone is gone behind it.
template<element V>
void device_pointer(expr<V>&&) = delete;

/// Iterators over the elements of an array on a GPU in C order, through any strides; they write through to
/// it. Computes what is pending. Throws device_error for an array on the CPU, and value_error for more than
/// eight axes that cannot be merged.
template<element V>
[[nodiscard]] device_iterator<V> device_begin(const ndarray<V>& a) {
  using T = typename detail::thrust_element<V>::type;
  detail::check_on_gpu(a);
  const detail::element_offsets offsets(a);
  using offset_iterator = ::thrust::transform_iterator<detail::element_offsets, detail::numbers>;
  return device_iterator<V>(::thrust::device_pointer_cast(reinterpret_cast<T*>(a.data())),
                            offset_iterator(detail::numbers(0), offsets));
}
template<element V>
void device_begin(expr<V>&&) = delete;
/// The end of the elements of an array on a GPU, for device_begin.
template<element V>
[[nodiscard]] device_iterator<V> device_end(const ndarray<V>& a) {
  return device_begin(a) + a.size();
}
template<element V>
void device_end(expr<V>&&) = delete;

/// Where Thrust's algorithms run: on the stream that is current now on the device, with temporary memory from
/// its pool. Algorithms do not wait, except those that return a value; read results through gparray, or
/// synchronize(). A policy may be kept as long as its stream. Throws device_error for the CPU.
[[nodiscard]] inline auto thrust_policy(device where = default_device()) {
  const stream_view stream = current_stream(where);
  const cudaStream_t handle = detail::stream_for_cuda(stream, "thrust_policy");
  return ::thrust::cuda::par_nosync(detail::thrust_memory(stream)).on(handle);
}

GPARRAY_END_NAMESPACE
