// Distributions of one standard variate for each element.
#include <host/random/loops.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Integers are made in 64 bits and cut to their width, in which they wrap as two's complement does.
template<class Row>
random_loop integer_loop(dtype type) {
  switch (itemsize(type)) {
    case 1:
      return draw_blocks<Row, double, unsigned char>;
    case 2:
      return draw_blocks<Row, double, unsigned short>;
    case 4:
      return draw_blocks<Row, double, unsigned>;
    default:
      return draw_blocks<Row, double, unsigned long>;
  }
}

template<class Row>
random_loop loop_of(dtype type) {
  if constexpr (requires { Row::template source<double>::lanes; }) {
    if constexpr (Row::result == kernel::draw_result::bits) return integer_loop<Row>(type);
    else if constexpr (Row::result == kernel::draw_result::integer) return draw_blocks<Row, double, long>;
    else if constexpr (Row::result == kernel::draw_result::single)
      return type == dtype::float32 ? draw_blocks<Row, float, float> : draw_blocks<Row, double, double>;
    else return type == dtype::float32 ? draw_blocks<Row, double, float> : draw_blocks<Row, double, double>;
  }
  return nullptr;
}

}  // namespace

random_loop find_block_loop(core::distribution op, dtype type) {
  switch (op) {
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc) \
  case core::distribution::name:                                                \
    return loop_of<kernel::name##_row>(type);
#include <gparray/tables/random.def>
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
