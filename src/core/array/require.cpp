// Arrays as a caller requires them.
#include <core/array/array_rep.hpp>
#include <gparray/array/questions.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

any_array require(const any_array& a, std::string_view requirements) {
  bool c = false, f = false, w = false, o = false;
  for (const char letter : requirements) {
    switch (letter) {
      case 'C':
        c = true;
        break;
      case 'F':
        f = true;
        break;
      case 'W':
        w = true;
        break;
      case 'O':
        o = true;
        break;
      case 'A':
      case 'E':
        break;
      default:
        core::fail<value_error>("unknown requirement '{}'; known are C, F, A, W, O and E", letter);
    }
  }
  if (c && f) throw value_error("Cannot specify both \"C\" and \"F\" order");
  const order layout = c ? order::C : f ? order::F : order::K;
  const core::array_rep* rep = core::computed(a);
  for (std::size_t d = 0; d < rep->shape.size(); ++d)
    if (w && rep->shape[d] > 1 && rep->strides[d] == 0) return copy(a, layout);
  if (o || (w && rep->read_only)) return copy(a, layout);
  return c || f ? in_order(a, layout) : a;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
