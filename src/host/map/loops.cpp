#include <host/map/fast_loops.hpp>
#include <host/support/item.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  extern const loop* const loops_##name;                   \
  extern const loop* const casts_##name;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

loop find_loop(ufunc op, dtype type) {
  static const loop* const* const tables[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) &loops_##name,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  };
  const loop fast = find_fast_loop(op, type);
  return fast ? fast : (*tables[static_cast<int>(type)])[static_cast<int>(op)];
}

loop find_cast(dtype from, dtype to) {
  static const loop* const* const tables[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) &casts_##name,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  };
  return (*tables[static_cast<int>(from)])[static_cast<int>(to)];
}

namespace {

template<class T>
void load_loop(const void* const* args, void* out, std::int64_t n) {
  const auto* const addresses = static_cast<const std::int64_t*>(args[0]);
  T* const to = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i) to[i] = *reinterpret_cast<const T*>(addresses[i]);
}

}  // namespace

loop find_load(dtype type) {
  loop result = nullptr;
  with_item(itemsize(type), [&]<class T>(T) { result = &load_loop<T>; });
  return result;
}

}  // namespace host
GPARRAY_END_NAMESPACE
