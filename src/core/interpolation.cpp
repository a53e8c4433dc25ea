// The checks of interpolation and covariances, and of functions applied to parts of arrays.
#include <core/errors.hpp>
#include <gparray/functional.hpp>
#include <gparray/interpolation.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

void check_interp(const any_array& xp, const any_array& fp, const std::optional<double>& period) {
  if (period) {
    if (*period == 0) throw value_error("period must be a non-zero value");
    if (xp.ndim() != 1 || fp.ndim() != 1) throw value_error("Data points must be 1-D sequences");
    if (xp.shape(0) != fp.shape(0)) throw value_error("fp and xp are not of the same length");
  }
  if (xp.ndim() > 1 || fp.ndim() > 1) throw value_error("object too deep for desired array");
  if (xp.ndim() < 1 || fp.ndim() < 1) throw value_error("object of too small depth for desired array");
  if (xp.size() == 0) throw value_error("array of sample points is empty");
  if (xp.size() != fp.size()) throw value_error("fp and xp are not of the same length.");
}

void throw_cov(std::string_view why) { throw value_error(std::string(why)); }

std::pair<std::optional<ndarray<double>>, double> observation_weights(std::int64_t n,
                                                                      const cov_options& options) {
  std::optional<ndarray<double>> weights;
  if (options.fweights) {
    if (options.fweights->ndim() > 1) throw value_error("cannot handle multidimensional fweights");
    if (options.fweights->size() != n) throw value_error("incompatible numbers of samples and fweights");
    if (any(*options.fweights < 0).item()) throw value_error("fweights cannot be negative");
    weights = as_elements<double>(*options.fweights);
  }
  if (options.aweights) {
    if (options.aweights->ndim() > 1) throw value_error("cannot handle multidimensional aweights");
    if (options.aweights->size() != n) throw value_error("incompatible numbers of samples and aweights");
    if (any(*options.aweights < 0).item()) throw value_error("aweights cannot be negative");
    weights = weights ? ndarray<double>(*weights * *options.aweights) : *options.aweights;
  }
  const double ddof = options.ddof ? *options.ddof : options.bias ? 0 : 1;
  double total = static_cast<double>(n), lost = ddof;
  if (weights) {
    total = sum(*weights).item();
    if (options.aweights) lost = ddof * sum(*weights * *options.aweights).item() / total;
  }
  return {weights, std::max(total - lost, 0.0)};  // too few observations give infinity or NaN, as in NumPy
}

void throw_apply(std::string_view why) { throw value_error(std::string(why)); }

void check_piecewise(std::size_t conditions, std::size_t functions) {
  if (functions == conditions || functions == conditions + 1) return;
  core::fail<value_error>("with {} condition(s), either {} or {} functions are expected", conditions,
                          conditions, conditions + 1);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
