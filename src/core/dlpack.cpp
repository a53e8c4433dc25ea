#include <core/array_rep.hpp>
#include <core/errors.hpp>
#include <gparray/dlpack.hpp>

#include <memory>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

// The structures of dlpack.h, by their layout.
struct dl_device {
  std::int32_t type, id;
};
struct dl_type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct dl_tensor {
  void* data;
  dl_device where;
  std::int32_t ndim;
  dl_type type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null for C order
  std::uint64_t byte_offset;
};
struct dl_managed {
  dl_tensor tensor;
  void* context;
  void (*deleter)(dl_managed*);
};

enum dl_device_type : std::int32_t { dl_cpu = 1, dl_cuda = 2, dl_cuda_host = 3, dl_cuda_managed = 13 };
enum dl_code : std::uint8_t {
  dl_int = 0,
  dl_uint = 1,
  dl_float = 2,
  dl_bfloat = 4,
  dl_complex = 5,
  dl_bool = 6
};

dl_type type_of(dtype d) {
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

dtype dtype_of_tensor(const dl_type& t) {
  for (int i = 0; i <= static_cast<int>(dtype::complex128); ++i) {
    const dl_type mine = type_of(static_cast<dtype>(i));
    if (mine.code == t.code && mine.bits == t.bits && t.lanes == 1) return static_cast<dtype>(i);
  }
  fail<type_error>("from_dlpack: no element type has code {}, {} bits and {} lanes", t.code, t.bits, t.lanes);
}

/// What a tensor that was handed out keeps.
struct exported {
  dl_managed managed;
  any_array array;
  dims shape, strides;
};

}  // namespace

}  // namespace core

using namespace core;

namespace detail {

any_array from_dlpack(void* pointer) {
  if (!pointer) throw value_error("from_dlpack: the tensor is null");
  auto* const managed = static_cast<dl_managed*>(pointer);
  const dl_tensor& t = managed->tensor;
  const gparray::dtype type = dtype_of_tensor(t.type);
  device where = device::cpu();
  memory_space space = memory_space::host;
  switch (t.where.type) {
    case dl_cpu:
      break;
    case dl_cuda_host:
      space = memory_space::pinned;
      break;
    case dl_cuda:
    case dl_cuda_managed:
      where = device::cuda(t.where.id);
      space = t.where.type == dl_cuda ? memory_space::device : memory_space::managed;
      break;
    default:
      fail<device_error>("from_dlpack: devices of type {} are not supported; copy the tensor to the CPU",
                         t.where.type);
  }
  const std::span<const std::int64_t> sizes(t.shape, static_cast<std::size_t>(t.ndim));
  const dims shape(sizes);
  const auto item = static_cast<std::int64_t>(itemsize(type));
  dims strides;
  std::int64_t dense = item;
  for (std::size_t d = shape.size(); d-- > 0; dense *= shape[d])
    strides.insert(0, t.strides ? t.strides[d] * item : dense);
  return borrow(static_cast<std::byte*>(t.data) + t.byte_offset, shape, strides, type, space, where,
                [managed] {
                  if (managed->deleter) managed->deleter(managed);
                });
}

}  // namespace detail

void* to_dlpack(const any_array& a) {
  a.raw_data();  // computes everything pending
  auto owned = std::make_unique<exported>();
  owned->array = a;
  const array_rep* rep = computed(owned->array);
  owned->shape = rep->shape;
  for (const std::int64_t bytes : rep->strides)
    owned->strides.push_back(bytes / static_cast<std::int64_t>(itemsize(rep->type)));
  dl_tensor& t = owned->managed.tensor;
  t.data = rep->data;
  t.where = {dl_cpu, 0};
  if (rep->place.is_cuda())
    t.where = {a.space() == memory_space::managed ? dl_cuda_managed : dl_cuda, rep->place.index()};
  else if (a.space() == memory_space::pinned || a.space() == memory_space::mapped)
    t.where.type = dl_cuda_host;
  t.ndim = static_cast<std::int32_t>(rep->shape.size());
  t.type = type_of(rep->type);
  t.shape = owned->shape.begin();
  t.strides = owned->strides.begin();
  t.byte_offset = 0;
  owned->managed.context = owned.get();
  owned->managed.deleter = [](dl_managed* m) { delete static_cast<exported*>(m->context); };
  return &owned.release()->managed;
}

GPARRAY_END_NAMESPACE
