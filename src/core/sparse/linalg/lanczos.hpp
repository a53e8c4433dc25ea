// The numbers of the Lanczos method: the projected matrix, on the host, and which of its eigenvalues to keep.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Which eigenvalues are wanted; SciPy's names.
enum class wanted : unsigned char { LM, SM, LA, SA, BE };
/// Throws value_error.
wanted parse_wanted(std::string_view which);
/// Numbers of the values, the most wanted first.
std::vector<std::size_t> by_preference(const std::vector<double>& values, wanted which);

/// What A is on the space that it was restricted to: thetas on the diagonal, which the vector after them is
/// coupled with, and from there on tridiagonal. Real, also for complex A.
class projected_matrix {
 public:
  explicit projected_matrix(std::int64_t size)
      : size_(size), values_(static_cast<std::size_t>(size * size)) {}

  /// The start of a cycle: Ritz values that are kept, and their couplings with the next vector.
  void restart(const std::vector<double>& thetas, const std::vector<double>& couplings);
  void set_diagonal(std::int64_t i, double value) { at(i, i) = value; }
  void set_coupling(std::int64_t i, double value) { at(i, i + 1) = at(i + 1, i) = value; }

  /// Eigenvalues, ascending, and eigenvectors: element j of the i-th is vectors[i * size + j].
  struct ritz_pairs {
    std::vector<double> values, vectors;
  };
  ritz_pairs diagonalized() const;

 private:
  double& at(std::int64_t i, std::int64_t j) { return values_[static_cast<std::size_t>(i * size_ + j)]; }

  std::int64_t size_;
  std::vector<double> values_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
