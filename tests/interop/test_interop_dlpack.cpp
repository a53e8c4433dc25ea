// DLPack of both kinds, there and back, and tensors that are not as they should be.
#include <limits>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

// What a program's own dlpack.h declares.
extern "C" {
typedef struct {
  uint32_t major, minor;
} DLPackVersion;
typedef enum { kDLCPU = 1, kDLCUDA = 2 } DLDeviceType;
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
}

namespace gp = gparray;
namespace dl = gp::dlpack;

namespace {

using i64 = std::int64_t;
using i16 = std::int16_t;

template<class T>
int given_back = 0;

/// A tensor of another library: int16 in host memory, in C order, one element in.
template<class T>
struct foreign {
  i16 values[7] = {0, 1, 2, 3, 4, 5, 6};
  i64 shape[2] = {2, 3};
  i64 strides[2] = {3, 1};
  T managed{};
  foreign() {
    managed.dl_tensor.data = values;
    managed.dl_tensor.device = {static_cast<decltype(managed.dl_tensor.device.device_type)>(1), 0};
    managed.dl_tensor.ndim = 2;
    managed.dl_tensor.dtype = {0, 16, 1};
    managed.dl_tensor.shape = shape;
    managed.dl_tensor.byte_offset = 2;
    managed.deleter = [](T*) { ++given_back<T>; };
    if constexpr (gp::dlpack_versioned<T>) managed.version = {1, 0};
    given_back<T> = 0;
  }
};

template<class T>
void give_back(T* tensor) {
  tensor->deleter(tensor);
}

}  // namespace

static_assert(gp::dlpack_unversioned<DLManagedTensor> && gp::dlpack_unversioned<dl::managed_tensor>);
static_assert(gp::dlpack_versioned<DLManagedTensorVersioned>);
static_assert(gp::dlpack_versioned<dl::managed_tensor_versioned>);
static_assert(!gp::dlpack_managed<DLTensor> && !gp::dlpack_managed<int>);
static_assert(offsetof(dl::managed_tensor_versioned, flags) == 24);
static_assert(offsetof(dl::managed_tensor_versioned, dl_tensor) == 32);

// An address alone does not say which of the structs it is of.
template<class T>
concept imports = requires(T t) { gp::from_dlpack(t); };
static_assert(imports<DLManagedTensor*> && imports<DLManagedTensorVersioned*>);
static_assert(!imports<void*> && !imports<DLTensor*> && !imports<std::nullptr_t>);

TEST_CASE_TEMPLATE("tensors go there and back without a copy", T, DLManagedTensor, DLManagedTensorVersioned,
                   dl::managed_tensor, dl::managed_tensor_versioned) {
  const auto a = gp::arange<float>(6).reshape({2, 3}).copy();
  {
    const gp::ndarray<float> b = gp::from_dlpack<float>(gp::to_dlpack<T>(a("::-1, 1:")));
    CHECK(gp::array_equal(b, a("::-1, 1:")));
    CHECK(gp::shares_memory(a, b));
    b(0, 0) = 70;
    CHECK(a.item(1, 1) == 70);
    CHECK_FALSE(b.flags().owndata);
  }
  foreign<T> tensor;
  {
    const gp::ndarray<i16> b(gp::from_dlpack(&tensor.managed));
    CHECK(b.device() == gp::device::cpu());
    CHECK(b.to_vector() == std::vector<i16>{1, 2, 3, 4, 5, 6});
    CHECK(gp::as_strided(b, {3}, {2}).item(2) == 3);
    CHECK(given_back<T> == 0);
  }
  CHECK(given_back<T> == 1);
}

TEST_CASE("every dtype and rank") {
  const auto both = []<class V>(V) {
    const auto a = gp::ones<V>({2, 1});
    const auto b = gp::from_dlpack<V>(gp::to_dlpack(a));
    CHECK(gp::shares_memory(a, b));
    CHECK(gp::from_dlpack<V>(gp::to_dlpack<dl::managed_tensor_versioned>(a)).shape() == gp::dims{2, 1});
    CHECK(gp::from_dlpack<V>(gp::to_dlpack(a.reshape({2})(0))).shape().empty());
    CHECK(gp::from_dlpack<V>(gp::to_dlpack(gp::ones<V>({0, 3}))).shape() == gp::dims{0, 3});
  };
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) both(type());
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

TEST_CASE("the read-only flag") {
  const auto a = gp::arange(4).copy();
  const auto* open = gp::to_dlpack<DLManagedTensorVersioned>(a);
  CHECK(open->flags == 0);
  give_back(const_cast<DLManagedTensorVersioned*>(open));
  a.setflags({.write = false});
  auto* const closed = gp::to_dlpack<DLManagedTensorVersioned>(a);
  CHECK(closed->flags == 1);
  {
    const auto b = gp::from_dlpack<i64>(closed);
    CHECK(gp::shares_memory(a, b));
    CHECK_FALSE(b.flags().writeable);
    CHECK(error_of<gp::value_error>([&] { b("1:") += 1; }) == "assignment destination is read-only");
    CHECK_THROWS_AS(b.setflags({.write = true}), gp::value_error);
    CHECK(a.item(1) == 1);
  }
  // A tensor of 0.8 cannot say it.
  CHECK(error_of<gp::buffer_error>([&] { gp::to_dlpack(a); }) ==
        "Cannot export readonly array since signalling readonly is unsupported by DLPack (supported by newer "
        "DLPack version).");
  CHECK_THROWS_AS(gp::to_dlpack<DLManagedTensor>(gp::broadcast_to(a, {2, 4})), gp::buffer_error);
  give_back(gp::to_dlpack(a, {.copy = true}));
}

TEST_CASE("copies: asked for, needed, not allowed") {
  const auto a = gp::arange<float>(6).reshape({2, 3}).copy();
  auto* const tensor = gp::to_dlpack<DLManagedTensorVersioned>(a.T(), {.copy = true});
  CHECK(tensor->flags == 2);
  CHECK(tensor->dl_tensor.strides[0] == 1);  // lies as the array does
  {
    const auto b = gp::from_dlpack<float>(tensor);
    CHECK(gp::array_equal(b, a.T()));
    CHECK_FALSE(gp::shares_memory(a, b));
  }
  auto* const same = gp::to_dlpack<DLManagedTensorVersioned>(a, {.dl_device = a.device(), .copy = false});
  CHECK(same->dl_tensor.data == a.data());
  CHECK(same->flags == 0);
  give_back(same);
  const gp::device cpu = gp::device::cpu();
  if (a.device() != cpu) {
    CHECK_THROWS_AS(gp::to_dlpack(a, {.dl_device = cpu, .copy = false}), gp::buffer_error);
    auto* const moved = gp::to_dlpack<DLManagedTensorVersioned>(a, {.dl_device = cpu});
    CHECK(moved->flags == 2);
    CHECK(moved->dl_tensor.device.device_type == kDLCPU);
    CHECK(static_cast<const float*>(moved->dl_tensor.data)[5] == 5);
    give_back(moved);
  } else if (gp::device_count() == 0) {
    CHECK_THROWS_AS(gp::to_dlpack(a, {.dl_device = gp::device::cuda(0)}), gp::device_error);
  }

  foreign<DLManagedTensorVersioned> t;
  t.managed.flags = 1;
  {
    const auto b = gp::from_dlpack<i16>(&t.managed, {.device = cpu, .copy = true});
    CHECK(given_back<DLManagedTensorVersioned> == 1);  // at once
    b(0, 0) = 5;
    CHECK(t.values[1] == 1);
  }
  CHECK(given_back<DLManagedTensorVersioned> == 1);
  foreign<DLManagedTensor> u;
  {
    CHECK(gp::from_dlpack<i16>(&u.managed, {.device = cpu, .copy = false}).item(0, 0) == 1);
  }
  CHECK(given_back<DLManagedTensor> == 1);
  CHECK_THROWS_AS(gp::from_dlpack<i16>(&u.managed, {.device = gp::device::cuda(0), .copy = false}),
                  gp::buffer_error);
  if (gp::device_count() == 0)
    CHECK_THROWS_AS(gp::from_dlpack<i16>(&u.managed, {.device = gp::device::cuda(0)}), gp::device_error);
  else CHECK(gp::from_dlpack<i16>(&u.managed, {.device = gp::device::cuda(0)}).item(1, 2) == 6);
}

TEST_CASE("versions") {
  const auto a = gp::ones(3);
  const auto version = [&](const gp::to_dlpack_options& options) {
    auto* const tensor = gp::to_dlpack<DLManagedTensorVersioned>(a, options);
    const DLPackVersion v = tensor->version;
    give_back(tensor);
    return std::pair(v.major, v.minor);
  };
  using pair = std::pair<std::uint32_t, std::uint32_t>;
  CHECK(version({}) == pair(1, 1));
  CHECK(version({.max_version = dl::version{1, 0}}) == pair(1, 0));
  CHECK(version({.max_version = dl::version{1, 9}}) == pair(1, 1));
  CHECK(version({.max_version = dl::version{2, 0}}) == pair(1, 1));
  CHECK_THROWS_AS(version({.max_version = dl::version{0, 8}}), gp::buffer_error);
  give_back(gp::to_dlpack(a, {.max_version = dl::version{0, 8}}));

  foreign<DLManagedTensorVersioned> t;
  t.managed.version = {1, 77};
  {
    CHECK(gp::from_dlpack(&t.managed).size() == 6);
  }
  CHECK(given_back<DLManagedTensorVersioned> == 1);
  // Of another major version nothing but the deleter is known.
  t.managed.version = {2, 0};
  t.managed.dl_tensor.ndim = 1 << 30;
  t.managed.dl_tensor.shape = reinterpret_cast<i64*>(8);
  check_contains(error_of<gp::buffer_error>([&] { gp::from_dlpack(&t.managed); }), "DLPack 2.0");
  CHECK(given_back<DLManagedTensorVersioned> == 2);
  t.managed.deleter = nullptr;
  CHECK_THROWS_AS(gp::from_dlpack(&t.managed), gp::buffer_error);
}

TEST_CASE_TEMPLATE("tensors that are not as they should be stay the caller's", T, DLManagedTensor,
                   DLManagedTensorVersioned) {
  foreign<T> good;
  const auto refused = [&]<class Error>(Error*, const char* text, auto spoil) {
    foreign<T> t;
    spoil(t, t.managed.dl_tensor);
    check_contains(error_of<Error>([&] { gp::from_dlpack(&t.managed); }), text);
    CHECK(given_back<T> == 0);
  };
  gp::value_error* const value = nullptr;
  gp::overflow_error* const overflow = nullptr;
  gp::type_error* const type = nullptr;
  gp::device_error* const where = nullptr;
  constexpr i64 large = i64{1} << 62;
  using device_type = decltype(good.managed.dl_tensor.device.device_type);
  CHECK_THROWS_AS(gp::from_dlpack(static_cast<T*>(nullptr)), gp::value_error);
  refused(type, "24 bits", [](auto&, auto& t) { t.dtype.bits = 24; });
  refused(type, "4 bits", [](auto&, auto& t) { t.dtype = {1, 4, 1}; });
  refused(type, "2 lanes", [](auto&, auto& t) { t.dtype.lanes = 2; });
  refused(where, "type 7", [](auto&, auto& t) { t.device.device_type = static_cast<device_type>(7); });
  refused(where, "cuda:99", [](auto&, auto& t) { t.device = {static_cast<device_type>(2), 99}; });
  refused(where, "cuda:-1", [](auto&, auto& t) { t.device = {static_cast<device_type>(2), -1}; });
  refused(value, "shape is null", [](auto&, auto& t) { t.shape = nullptr; });
  refused(value, "data", [](auto&, auto& t) { t.data = nullptr; });
  refused(value, "-1 axes", [](auto&, auto& t) { t.ndim = -1; });
  refused(value, "dimension", [](auto&, auto& t) { t.ndim = 33; });
  refused(value, "negative", [](auto& f, auto&) { f.shape[0] = -2; });
  refused(value, "multiples of 2 bytes", [](auto&, auto& t) { t.byte_offset = 1; });
  refused(overflow, "too big", [](auto& f, auto&) { f.shape[0] = f.shape[1] = large; });
  refused(overflow, "too big", [](auto& f, auto&) { f.shape[0] = large, f.shape[1] = 4; });
  refused(overflow, "stride", [](auto& f, auto& t) { t.strides = f.strides, f.strides[0] = large; });
  refused(overflow, "stride",
          [](auto& f, auto& t) { t.strides = f.strides, f.strides[1] = std::numeric_limits<i64>::min(); });
  refused(overflow, "address", [](auto& f, auto& t) { t.strides = f.strides, f.strides[1] = large / 2; });
  refused(overflow, "address",
          [](auto& f, auto& t) { t.strides = f.strides, f.strides[0] = large / 4, f.shape[0] = 1 << 20; });
  refused(overflow, "offset", [](auto&, auto& t) { t.byte_offset = ~std::uint64_t{0}; });
  foreign<T> t;
  CHECK_THROWS_AS(gp::from_dlpack<float>(&t.managed), gp::type_error);
  CHECK(given_back<T> == 0);
  // Nothing is read of tensors without elements, nor along an axis of one.
  t.shape[0] = 0;
  t.managed.dl_tensor.data = nullptr;
  t.managed.dl_tensor.strides = t.strides;
  t.strides[0] = large;
  {
    CHECK(gp::from_dlpack(&t.managed).shape() == gp::dims{0, 3});
  }
  CHECK(given_back<T> == 1);
  foreign<T> single;
  single.shape[0] = 1;
  single.managed.dl_tensor.strides = single.strides;
  single.strides[0] = large;
  {
    CHECK(gp::from_dlpack<i16>(&single.managed).item(0, 2) == 3);
  }
  CHECK(given_back<T> == 1);
}

TEST_CASE("strides that DLPack cannot tell") {
  const gp::device_guard on_cpu(gp::device::cpu());
  alignas(16) static double memory[6] = {0, 1, 2, 3, 4, 5};
  const auto a =
      gp::frombuffer(reinterpret_cast<std::complex<double>*>(memory), 2, {.strides = gp::dims{24}});
  CHECK(a.item(1) == std::complex<double>(3, 4));
  CHECK(error_of<gp::buffer_error>([&] { gp::to_dlpack(a); }) ==
        "DLPack only supports strides which are a multiple of itemsize.");
  give_back(gp::to_dlpack(a, {.copy = true}));
}

TEST_CASE("the consumer's stream comes after the array's work") {
  const auto a = gp::arange<float>(1 << 20);
  const gp::stream other(a.device());
  const auto b = a * 2.f;
  auto* const tensor = gp::to_dlpack(b, {.stream = other});
  CHECK_FALSE(b.pending());
  give_back(tensor);
  if (a.device().is_cpu() && gp::device_count() > 0)
    CHECK_THROWS_AS(gp::to_dlpack(b, {.stream = gp::stream(gp::device::cuda(0))}), gp::device_error);
  if (a.device().is_cuda())
    CHECK_THROWS_AS(gp::to_dlpack(b, {.stream = gp::stream(gp::device::cpu())}), gp::device_error);
}
