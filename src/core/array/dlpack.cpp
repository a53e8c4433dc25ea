// DLPack: arrays from the tensors of other libraries, and tensors of arrays.
#include <memory>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/dlpack.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

enum dl_device_type : std::int32_t { dl_cpu = 1, dl_cuda = 2, dl_cuda_host = 3, dl_cuda_managed = 13 };
enum dl_code : std::uint8_t {
  dl_int = 0,
  dl_uint = 1,
  dl_float = 2,
  dl_bfloat = 4,
  dl_complex = 5,
  dl_bool = 6
};

dlpack::data_type type_of(dtype d) {
  const auto bits = static_cast<std::uint8_t>(8 * itemsize(d));
  switch (kind(d)) {
    case 'b':
      return {dl_bool, bits, 1};
    case 'i':
      return {dl_int, bits, 1};
    case 'u':
      return {dl_uint, bits, 1};
    case 'c':
      return {dl_complex, bits, 1};
    default:
      return {d == dtype::bfloat16 ? dl_bfloat : dl_float, bits, 1};
  }
}

dtype dtype_of_tensor(const dlpack::data_type& t) {
  for (int i = 0; i < dtype_count; ++i) {
    const dlpack::data_type mine = type_of(static_cast<dtype>(i));
    if (mine.code == t.code && mine.bits == t.bits && t.lanes == 1) return static_cast<dtype>(i);
  }
  fail<type_error>("from_dlpack: no element type has code {}, {} bits and {} lanes", t.code, t.bits, t.lanes);
}

struct memory_location {
  device where;
  memory_space space;
};

memory_location location_of_tensor(const dlpack::device& d) {
  switch (d.device_type) {
    case dl_cpu:
      return {device::cpu(), memory_space::host};
    case dl_cuda_host:
      return {device::cpu(), memory_space::pinned};
    case dl_cuda:
    case dl_cuda_managed: {
      if (d.device_id < 0 || d.device_id >= device_count())
        fail<device_error>("from_dlpack: the tensor is on cuda:{}, and there are {} GPUs", d.device_id,
                           device_count());
      const auto space = d.device_type == dl_cuda ? memory_space::device : memory_space::managed;
      return {device::cuda(d.device_id), space};
    }
    default:
      fail<device_error>("from_dlpack: devices of type {} are not supported; copy the tensor to the CPU",
                         d.device_type);
  }
}

dims shape_of_tensor(const dlpack::tensor& t) {
  if (t.ndim < 0) fail<value_error>("from_dlpack: the tensor has {} axes", t.ndim);
  if (t.ndim > 0 && !t.shape) fail<value_error>("from_dlpack: {} axes, and the shape is null", t.ndim);
  if (t.ndim > max_ndim) detail::throw_too_many_dims(static_cast<std::size_t>(t.ndim));
  return dims(std::span<const std::int64_t>(t.shape, static_cast<std::size_t>(t.ndim)));
}

/// In bytes. The shape's own bytes are known to fit.
dims strides_of_tensor(const dlpack::tensor& t, const dims& shape, std::int64_t size, dtype type) {
  if (!t.strides || size == 0) return c_strides(shape, itemsize(type));
  dims strides;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto bytes = shape[d] == 1
                           ? std::optional<std::int64_t>(0)
                           : product_if_fits(t.strides[d], static_cast<std::int64_t>(itemsize(type)));
    if (!bytes)
      fail<overflow_error>("from_dlpack: the bytes of stride {} of axis {} do not fit into 64 bits",
                           t.strides[d], d);
    strides.push_back(*bytes);
  }
  return strides;
}

template<class Managed>
any_array import_tensor(Managed* managed, std::optional<dtype> wanted, bool constant,
                        const from_dlpack_options& options) {
  const dlpack::tensor& t = managed->dl_tensor;
  const dtype type = dtype_of_tensor(t.dtype);
  if (wanted && type != *wanted)
    fail<type_error>("from_dlpack: the tensor holds {}, not {}; ndarray's astype converts", name(type),
                     name(*wanted));
  const auto [where, space] = location_of_tensor(t.device);
  const dims shape = shape_of_tensor(t);
  const std::int64_t size = checked_size(shape, itemsize(type));
  if (size > 0 && !t.data) fail<value_error>("from_dlpack: the data of shape {} is null", text(shape));
  const auto begin = reinterpret_cast<std::uintptr_t>(t.data);
  if (t.byte_offset > static_cast<std::uint64_t>(greatest_int64) || begin + t.byte_offset < begin)
    fail<overflow_error>("from_dlpack: an offset of {} bytes", t.byte_offset);
  const bool moves = options.device && *options.device != where;
  if (moves && options.copy == false)
    fail<buffer_error>("from_dlpack: a tensor on {} gets to {} by a copy, and copy is false", where.str(),
                       options.device->str());
  if (moves) backend_of(*options.device);  // throws if there is none
  auto* const data = t.data ? static_cast<std::byte*>(t.data) + t.byte_offset : nullptr;
  // One that only a copy is made of stays the caller's until the copy is there.
  const auto owned = std::make_shared<bool>(false);
  const any_array borrowed = detail::borrow(
      data, shape, strides_of_tensor(t, shape, size, type), type, space, where,
      [managed, owned] {
        if (*owned && managed->deleter) managed->deleter(managed);
      },
      constant);
  any_array result = borrowed;
  if (moves)
    result = where.is_cpu() || options.device->is_cuda()
                 ? detail::to_device(borrowed, *options.device, nullptr)
                 : detail::to_host(borrowed, nullptr, {});
  else if (options.copy == true) result = detail::copy(borrowed, order::K);
  // The tensor's memory goes with it, and a GPU may still be reading it.
  if (result.rep() != borrowed.rep())
    for (const device d : {where, result.device()})
      if (d.is_cuda()) backend_of(d).synchronize_stream(current_queue(d));
  *owned = true;
  return result;
}

/// What a tensor that was handed out keeps.
template<class Managed>
struct exported {
  Managed managed{};
  any_array array;
  dims shape, strides;
};

/// The array that is handed out: this one, or a copy.
any_array exported_array(const any_array& a, const to_dlpack_options& options) {
  const device where = a.device(), wanted = options.dl_device.value_or(where);
  if (wanted == where) return options.copy == true ? detail::copy(a, order::K) : a;
  if (options.copy == false)
    fail<buffer_error>("to_dlpack: an array on {} gets to {} by a copy, and copy is false", where.str(),
                       wanted.str());
  return wanted.is_cpu() ? detail::to_host(a, nullptr, {}) : detail::to_device(a, wanted, nullptr);
}

dlpack::device device_of(const any_array& a) {
  const memory_space space = a.space();
  if (a.device().is_cuda())
    return {space == memory_space::managed ? dl_cuda_managed : dl_cuda, a.device().index()};
  return {space == memory_space::pinned || space == memory_space::mapped ? dl_cuda_host : dl_cpu, 0};
}

dims strides_in_elements(const array_rep* rep) {
  const auto item = static_cast<std::int64_t>(itemsize(rep->type));
  dims strides;
  for (std::size_t d = 0; d < rep->shape.size(); ++d) {
    if (rep->shape[d] > 1 && rep->strides[d] % item != 0)
      throw buffer_error("DLPack only supports strides which are a multiple of itemsize.");
    strides.push_back(rep->strides[d] / item);
  }
  return strides;
}

template<class Managed>
Managed* export_tensor(const any_array& a, const to_dlpack_options& options) {
  auto owned = std::make_unique<exported<Managed>>();
  owned->array = exported_array(a, options);
  owned->array.raw_data();  // computes everything pending
  const array_rep* rep = computed(owned->array);
  if constexpr (!dlpack_versioned<Managed>) {
    if (rep->read_only)
      throw buffer_error(
          "Cannot export readonly array since signalling readonly is unsupported by DLPack (supported by "
          "newer DLPack version).");
  }
  if (options.stream) {
    detail::check_stream("to_dlpack", *options.stream, rep->device_, rep->device_);
    if (rep->device_.is_cuda()) order_queues(current_queue(rep->device_), queue_of(*options.stream));
  }
  owned->shape = rep->shape;
  owned->strides = strides_in_elements(rep);
  owned->managed.dl_tensor = {.data = rep->data,
                              .device = device_of(owned->array),
                              .ndim = static_cast<std::int32_t>(rep->shape.size()),
                              .dtype = type_of(rep->type),
                              .shape = owned->shape.begin(),
                              .strides = owned->strides.begin(),
                              .byte_offset = 0};
  owned->managed.manager_ctx = owned.get();
  owned->managed.deleter = [](Managed* m) { delete static_cast<exported<Managed>*>(m->manager_ctx); };
  return &owned.release()->managed;
}

}  // namespace

}  // namespace core

namespace detail {

any_array import_dlpack(dlpack::managed_tensor* tensor, std::optional<gparray::dtype> wanted,
                        const from_dlpack_options& options) {
  if (!tensor) throw value_error("from_dlpack: the tensor is null");
  return core::import_tensor(tensor, wanted, false, options);
}

any_array import_dlpack(dlpack::managed_tensor_versioned* tensor, std::optional<gparray::dtype> wanted,
                        const from_dlpack_options& options) {
  if (!tensor) throw value_error("from_dlpack: the tensor is null");
  if (const dlpack::version v = tensor->version; v.major != dlpack::this_version.major) {
    // Of another version's struct the deleter is all that may be used, and must be.
    if (tensor->deleter) tensor->deleter(tensor);
    core::fail<buffer_error>("from_dlpack: the tensor is of DLPack {}.{}, and {}.x is read", v.major, v.minor,
                             dlpack::this_version.major);
  }
  return core::import_tensor(tensor, wanted, (tensor->flags & dlpack::flag_read_only) != 0, options);
}

void export_dlpack(const any_array& a, const to_dlpack_options& options, dlpack::managed_tensor** result) {
  *result = core::export_tensor<dlpack::managed_tensor>(a, options);
}

void export_dlpack(const any_array& a, const to_dlpack_options& options,
                   dlpack::managed_tensor_versioned** result) {
  const dlpack::version newest = options.max_version.value_or(dlpack::this_version);
  if (newest.major < dlpack::this_version.major)
    core::fail<buffer_error>(
        "to_dlpack: the consumer reads DLPack up to {}.{}, which has no versioned tensors; "
        "to_dlpack<gp::dlpack::managed_tensor>(a) makes one of 0.8",
        newest.major, newest.minor);
  auto* const tensor = core::export_tensor<dlpack::managed_tensor_versioned>(a, options);
  tensor->version = dlpack::this_version;
  if (newest.major == dlpack::this_version.major)
    tensor->version.minor = std::min(newest.minor, dlpack::this_version.minor);
  const any_array& given =
      static_cast<core::exported<dlpack::managed_tensor_versioned>*>(tensor->manager_ctx)->array;
  tensor->flags = (given.flags().writeable ? 0 : dlpack::flag_read_only) |
                  (given.rep() != a.rep() ? dlpack::flag_is_copied : 0);
  *result = tensor;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
