// Orthonormal vectors of a Krylov space, as the rows of one array, so that many are used in one product.
#pragma once

#include <core/creation/typed.hpp>
#include <core/linalg/typed.hpp>
#include <core/products/typed.hpp>
#include <gparray/sparse/linalg/iterative_solvers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

template<class V>
class orthogonal_basis {
 public:
  using vector = ndarray<V>;

  orthogonal_basis(std::int64_t size, std::int64_t length, device on_device,
                   const detail::shared_vectors<V>* shared = nullptr)
      : rows_(empty<V>({size, length}, {.device = on_device})), shared_(shared) {}

  vector operator[](std::int64_t i) const { return rows_(i); }
  void set(std::int64_t i, const vector& v) { rows_(i) = v; }
  vector first(std::int64_t count) const { return rows_(slice(0, count)); }

  /// Subtracts from w its parts along the first `count` vectors; returns them. Twice is enough for
  /// orthogonality up to rounding (Giraud, Langou, Rozloznik, van den Eshof 2005), which classical
  /// Gram-Schmidt has then, as two products with a matrix each time.
  vector orthogonalize(std::int64_t count, vector& w) const {
    const vector parts = along(count, w);
    w = w - combination(parts);  // not in place: w may be an array of the caller's
    const vector rest = along(count, w);
    w = w - combination(rest);
    return parts + rest;
  }

  /// The sum of the first vectors times the numbers, which are on the host.
  vector combine(const std::vector<V>& factors) const {
    return combination(array_of(factors, dims{static_cast<std::int64_t>(factors.size())}));
  }
  /// Rows become the combinations that the rows of `factors` (kept, size) say.
  void rotate(const std::vector<V>& factors, std::int64_t kept) {
    const auto size = static_cast<std::int64_t>(factors.size()) / kept;
    rows_(slice(0, kept)) = matmul(array_of(factors, dims{kept, size}), first(size));
  }

 private:
  /// conj(b) w for each of the first vectors b.
  vector along(std::int64_t count, const vector& w) const {
    if (shared_) {
      vector products = empty<V>({count}, {.device = w.device()});
      for (std::int64_t i = 0; i < count; ++i) products(i) = shared_->vdot(rows_(i), w);
      return products;
    }
    const vector basis = first(count);
    if constexpr (is_complex(dtype_of<V>)) return conjugate(matmul(basis, conjugate(w)));
    else return matmul(basis, w);
  }
  /// Of shared vectors element by element, as the bits of a matrix product depend on its sizes.
  vector combination(const vector& factors) const {
    if (!shared_) return matmul(factors, first(factors.size()));
    vector sum = factors(0) * rows_(0);
    for (std::int64_t i = 1; i < factors.size(); ++i) sum = sum + factors(i) * rows_(i);
    return sum;
  }
  vector array_of(const std::vector<V>& values, const dims& shape) const {
    return detail::typed<V>(detail::from_host(values.data(), shape, dtype_of<V>, rows_.device()));
  }

  vector rows_;
  const detail::shared_vectors<V>* shared_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
