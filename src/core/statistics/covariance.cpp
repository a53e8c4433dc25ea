// The checks of covariances.
#include <gparray/statistics/covariance.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

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

}  // namespace detail
GPARRAY_END_NAMESPACE
