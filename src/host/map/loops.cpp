#include <host/map/fast_loops.hpp>

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

}  // namespace host
GPARRAY_END_NAMESPACE
