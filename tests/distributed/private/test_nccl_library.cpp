// The library itself, which needs no GPU to be loaded, and its header, where it is there.
#include <distributed/nccl/nccl.hpp>

#include <gparray/error.hpp>
#if GPARRAY_HAS_CUDA && __has_include(<nccl.h>) && __has_include(<cuda_runtime.h>)
#include <nccl.h>
#if NCCL_VERSION_CODE >= 22907
#include <nccl_device.h>
#endif
#endif

namespace gp = gparray;
namespace gd = gparray::distributed::detail;

#ifdef NCCL_VERSION_CODE
namespace {

/// Whether an argument or result may be declared as either type: both are passed alike.
template<class A, class B>
constexpr bool alike =
    sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B> &&
    (std::is_integral_v<A> || std::is_enum_v<A>) == (std::is_integral_v<B> || std::is_enum_v<B>) &&
    std::is_class_v<A> == std::is_class_v<B>;

template<class A, class B>
constexpr bool functions_alike = false;
template<class R, class... A, class S, class... B>
constexpr bool functions_alike<R (*)(A...), S (*)(B...)> = [] {
  if constexpr (sizeof...(A) == sizeof...(B)) return alike<R, S> && (alike<A, B> && ...);
  else return false;
}();

#define GPARRAY_NCCL_CALL(result, name, parameters)                                       \
  static_assert(functions_alike<decltype(gd::nccl_table::name), decltype(&::nccl##name)>, \
                "nccl" #name " is declared otherwise in nccl.h");
#include <distributed/nccl/nccl_calls.def>
#undef GPARRAY_NCCL_CALL
#if NCCL_VERSION_CODE >= 22907
#define GPARRAY_NCCL_CALL(result, name, parameters)                                       \
  static_assert(functions_alike<decltype(gd::nccl_table::name), decltype(&::nccl##name)>, \
                "nccl" #name " is declared otherwise in NCCL's headers");
#include <distributed/nccl/nccl_window_calls.def>
#undef GPARRAY_NCCL_CALL
static_assert(sizeof(gd::nccl_signals) == sizeof(ncclWaitSignalDesc_t));
static_assert(gd::nccl_symmetric == NCCL_WIN_COLL_SYMMETRIC);
#endif
static_assert(!functions_alike<int (*)(int), int (*)(void*)> &&
              !functions_alike<int (*)(int), int (*)(int, int)>);

static_assert(gd::nccl_success == ncclSuccess && gd::nccl_in_progress == ncclInProgress &&
              gd::nccl_byte == ncclUint8);
static_assert(ncclSum == 0 && ncclProd == 1 && ncclMax == 2 && ncclMin == 3);

}  // namespace

TEST_CASE("numbers of dtypes are those of the header") {
  CHECK(gd::nccl_type_of(gp::dtype::int8)->number == ncclInt8);
  CHECK(gd::nccl_type_of(gp::dtype::uint8)->number == ncclUint8);
  CHECK(gd::nccl_type_of(gp::dtype::int32)->number == ncclInt32);
  CHECK(gd::nccl_type_of(gp::dtype::uint32)->number == ncclUint32);
  CHECK(gd::nccl_type_of(gp::dtype::int64)->number == ncclInt64);
  CHECK(gd::nccl_type_of(gp::dtype::uint64)->number == ncclUint64);
  CHECK(gd::nccl_type_of(gp::dtype::float16)->number == ncclFloat16);
  CHECK(gd::nccl_type_of(gp::dtype::float32)->number == ncclFloat32);
  CHECK(gd::nccl_type_of(gp::dtype::float64)->number == ncclFloat64);
  CHECK(gd::nccl_type_of(gp::dtype::bfloat16)->number == ncclBfloat16);
  CHECK(gd::nccl_type_of(gp::dtype::complex64)->number == ncclFloat32);
}
#endif

TEST_CASE("the library has all functions, says its version, and makes ids") {
  const gd::nccl_table& calls = gd::nccl();  // library_error where it is not: then the case is skipped
  const std::string name = gd::nccl_name(calls);
  MESSAGE(name);
  CHECK(name.starts_with("nccl 2."));
  gd::nccl_id one{}, other{};
  CHECK(calls.GetUniqueId(&one) == gd::nccl_success);
  CHECK(calls.GetUniqueId(&other) == gd::nccl_success);
  CHECK(std::string(one.content, sizeof one.content) != std::string(other.content, sizeof other.content));
  CHECK(std::string(calls.GetErrorString(2)) != "");
}
