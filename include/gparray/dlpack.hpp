// Arrays handed to and taken from other libraries without a copy, by DLPack: the versioned tensors of 1.x and
// the unversioned ones before. The structs here and those of a <dlpack/dlpack.h> are taken alike.
#pragma once
#include <cstddef>
#include <optional>

#include <gparray/manipulation.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE

/// DLPack's binary interface, with the names of its members.
namespace dlpack {

/// The version of a versioned tensor.
struct version {
  std::uint32_t major;  ///< tensors of another major version cannot be read
  std::uint32_t minor;  ///< tensors of every minor version can be read
};
/// The version of the tensors that to_dlpack makes; from_dlpack reads those of every 1.x.
inline constexpr version this_version{1, 1};

/// Where the elements of a tensor are.
struct device {
  std::int32_t device_type;  ///< 1: the CPU, 2: a CUDA GPU, 3: pinned memory, 13: managed memory
  std::int32_t device_id;    ///< the number of the GPU
};
/// The element type of a tensor.
struct data_type {
  std::uint8_t code;    ///< 0: signed, 1: unsigned, 2: floating, 4: bfloat, 5: complex, 6: bool
  std::uint8_t bits;    ///< of one element
  std::uint16_t lanes;  ///< 1, for there are no vectors
};
/// DLPack's DLTensor: elements in memory, and how they lie.
struct tensor {
  void* data;                 ///< the address of the memory
  dlpack::device device;      ///< where it is
  std::int32_t ndim;          ///< the number of axes
  data_type dtype;            ///< the element type
  std::int64_t* shape;        ///< the sizes of the axes
  std::int64_t* strides;      ///< in elements; null for C order
  std::uint64_t byte_offset;  ///< of the first element behind data
};

/// DLPack's DLManagedTensor, the unversioned tensor of DLPack before 1.0.
struct managed_tensor {
  tensor dl_tensor;                       ///< the elements
  void* manager_ctx;                      ///< what the producer keeps for its deleter
  void (*deleter)(managed_tensor* self);  ///< gives the tensor back
};
/// DLPack's DLManagedTensorVersioned, the tensor of DLPack 1.x.
struct managed_tensor_versioned {
  dlpack::version version;                          ///< of DLPack
  void* manager_ctx;                                ///< what the producer keeps for its deleter
  void (*deleter)(managed_tensor_versioned* self);  ///< gives the tensor back
  std::uint64_t flags;                              ///< flag_read_only and the others
  tensor dl_tensor;                                 ///< the elements
};

/// A flag of versioned tensors: the elements must not be written to.
inline constexpr std::uint64_t flag_read_only = 1;
/// A flag of versioned tensors: the producer made a copy.
inline constexpr std::uint64_t flag_is_copied = 2;
/// A flag of versioned tensors: elements of less than a byte have a byte each.
inline constexpr std::uint64_t flag_is_subbyte_type_padded = 4;

}  // namespace dlpack

/// A struct laid out as DLPack's DLManagedTensorVersioned, recognised by its members.
template<class T>
concept dlpack_versioned = std::is_standard_layout_v<T> && requires(T& t) {
  t.version.major;
  t.version.minor;
  t.manager_ctx;
  t.deleter(&t);
  t.flags;
  t.dl_tensor.byte_offset;
};
/// A struct laid out as DLPack's DLManagedTensor, recognised by its members.
template<class T>
concept dlpack_unversioned = std::is_standard_layout_v<T> && !dlpack_versioned<T> && requires(T& t) {
  t.dl_tensor.byte_offset;
  t.manager_ctx;
  t.deleter(&t);
};
/// A struct laid out as one of DLPack's managed tensors, versioned or not.
template<class T>
concept dlpack_managed = dlpack_versioned<T> || dlpack_unversioned<T>;

/// Keyword arguments of from_dlpack, as in the array API.
struct from_dlpack_options {
  /// Where the array shall be; elsewhere than the tensor it is a copy.
  std::optional<gparray::device> device = {};
  /// true: always a copy, false: never (buffer_error), none: if it must be.
  std::optional<bool> copy = {};
};

/// Keyword arguments of to_dlpack, as of the array API's __dlpack__.
struct to_dlpack_options {
  /// The consumer's stream, whose work from now on comes after what has been enqueued for the array. Without
  /// it the consumer uses the current stream.
  std::optional<stream_view> stream = {};
  /// The newest version that the consumer reads: asking for a versioned tensor below {1, 0} throws.
  std::optional<dlpack::version> max_version = {};
  /// Where the consumer wants the elements; elsewhere than the array it is a copy.
  std::optional<gparray::device> dl_device = {};
  /// true: always a copy, false: never (buffer_error), none: if it must be.
  std::optional<bool> copy = {};
};

namespace detail {

template<class T>
using dlpack_struct =
    std::conditional_t<dlpack_versioned<T>, dlpack::managed_tensor_versioned, dlpack::managed_tensor>;

/// A program's own struct as the one above. That its members lie alike is checked at compile time.
template<dlpack_managed T>
dlpack_struct<T>* as_dlpack(T* tensor) {
  using ours = dlpack_struct<T>;
  using inner = decltype(T::dl_tensor);
  static_assert(sizeof(T) == sizeof(ours) && offsetof(T, dl_tensor) == offsetof(ours, dl_tensor) &&
                offsetof(T, manager_ctx) == offsetof(ours, manager_ctx) &&
                offsetof(T, deleter) == offsetof(ours, deleter));
  static_assert(sizeof(inner) == sizeof(dlpack::tensor) &&
                offsetof(inner, shape) == offsetof(dlpack::tensor, shape) &&
                offsetof(inner, byte_offset) == offsetof(dlpack::tensor, byte_offset));
  return reinterpret_cast<ours*>(tensor);
}

/// wanted: the dtype that the tensor must have, if any.
GPARRAY_API any_array import_dlpack(dlpack::managed_tensor* tensor, std::optional<dtype> wanted,
                                    const from_dlpack_options& options);
GPARRAY_API any_array import_dlpack(dlpack::managed_tensor_versioned* tensor, std::optional<dtype> wanted,
                                    const from_dlpack_options& options);
GPARRAY_API void export_dlpack(const any_array& a, const to_dlpack_options& options,
                               dlpack::managed_tensor** result);
GPARRAY_API void export_dlpack(const any_array& a, const to_dlpack_options& options,
                               dlpack::managed_tensor_versioned** result);

}  // namespace detail

/// The array of a managed tensor, which is given back through its deleter when the last view is gone; it is
/// read-only if the tensor says so (an unversioned one cannot). Nothing waits: work on the tensor must have
/// been enqueued on the current stream, or be done.
/// Throws value_error for a null pointer, shape or data and for negative sizes, overflow_error for sizes and
/// strides that do not fit into 64 bits, type_error for an element type that gparray does not have,
/// device_error for another kind of device, or a GPU that is not there; then the tensor is still the
/// caller's. A tensor of a major version other than 1 is given back, and buffer_error thrown.
template<dlpack_managed T>
[[nodiscard]] any_array from_dlpack(T* tensor, const from_dlpack_options& options = {}) {
  return detail::import_dlpack(detail::as_dlpack(tensor), {}, options);
}
/// from_dlpack<float>(tensor). Throws type_error if the tensor has other elements; then it is still the
/// caller's.
template<element V, dlpack_managed T>
[[nodiscard]] ndarray<V> from_dlpack(T* tensor, const from_dlpack_options& options = {}) {
  return detail::typed<V>(detail::import_dlpack(detail::as_dlpack(tensor), dtype_of<V>, options));
}
/// An address alone does not say which of the two structs it is of; its capsule's name does: "dltensor" or
/// "dltensor_versioned".
any_array from_dlpack(void* tensor, const from_dlpack_options& options = {}) = delete;

/// A new managed tensor that keeps the array alive until its deleter is called: of 0.8, which every library
/// reads, or to_dlpack<gp::dlpack::managed_tensor_versioned>(a), to_dlpack<DLManagedTensorVersioned>(a).
/// Computes what is pending and does not wait for it.
/// Throws buffer_error for a read-only array, unless the tensor is versioned, or a copy; for strides that are
/// no multiples of the element; for a copy that is needed and not allowed; device_error if the stream is of
/// another device.
template<dlpack_managed T = dlpack::managed_tensor>
T* to_dlpack(const any_array& a, const to_dlpack_options& options = {}) {
  detail::dlpack_struct<T>* tensor = nullptr;
  detail::export_dlpack(a, options, &tensor);
  static_assert(sizeof(T) == sizeof *tensor);
  return reinterpret_cast<T*>(tensor);
}

GPARRAY_END_NAMESPACE
