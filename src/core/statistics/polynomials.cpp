// The checks of polynomials.
#include <gparray/error.hpp>
#include <gparray/statistics/polynomials.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

void check_polynomial(const any_array& p) {
  if (p.ndim() > 1) throw value_error("Polynomial must be 1d only.");
}

void throw_polynomial(std::string_view why) { throw value_error(std::string(why)); }
void throw_polynomial_type(std::string_view why) { throw type_error(std::string(why)); }

}  // namespace detail
GPARRAY_END_NAMESPACE
