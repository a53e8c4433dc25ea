#include <host/reduction/short_rows.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

rows_loop find_short_rows(reduction op, dtype element, std::int64_t n) {
  switch (element) {
    case dtype::bool_:
      return find_short_rows_of_bool_(op, n);
    case dtype::float32:
      return find_short_rows_of_float32(op, n);
    case dtype::float64:
      return find_short_rows_of_float64(op, n);
    case dtype::int32:
      return find_short_rows_of_int32(op, n);
    case dtype::int64:
      return find_short_rows_of_int64(op, n);
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
