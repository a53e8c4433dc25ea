// A triangular factor of a covariance matrix.
#pragma once
#include <vector>

#include <gparray/random/arguments.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The lower triangular n x n matrix whose product with its transpose is the covariance (row-major), which is
/// read as symmetric. Throws value_error for check_valid "raise" and a covariance that is not symmetric
/// positive-semidefinite within tol, linalg_error for method "cholesky" and one that is not positive
/// definite.
std::vector<double> covariance_factor(std::vector<double> covariance, std::int64_t n,
                                      const random::multivariate_normal_options& options);

}  // namespace core
GPARRAY_END_NAMESPACE
