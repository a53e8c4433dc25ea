#include <algorithm>
#include <cmath>
#include <numeric>

#include <core/linalg/typed.hpp>
#include <core/sparse/linalg/lanczos.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

wanted parse_wanted(std::string_view which) {
  constexpr std::pair<std::string_view, wanted> names[] = {
      {"LM", wanted::LM}, {"SM", wanted::SM}, {"LA", wanted::LA}, {"SA", wanted::SA}, {"BE", wanted::BE}};
  for (const auto& [name, value] : names)
    if (which == name) return value;
  fail<value_error>("which must be one of LM SM LA SA BE, not '{}'", which);
}

std::vector<std::size_t> by_preference(const std::vector<double>& values, wanted which) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) {
    const double x = values[i], y = values[j];
    switch (which) {
      case wanted::LM:
        return std::abs(x) > std::abs(y);
      case wanted::SM:
        return std::abs(x) < std::abs(y);
      case wanted::SA:
        return x < y;
      default:
        return x > y;
    }
  });
  if (which != wanted::BE) return order;
  // The largest, the smallest, the second largest, ...
  std::vector<std::size_t> alternating;
  for (std::size_t high = 0, low = order.size(); high < low;) {
    alternating.push_back(order[high++]);
    if (high < low) alternating.push_back(order[--low]);
  }
  return alternating;
}

void projected_matrix::restart(const std::vector<double>& thetas, const std::vector<double>& couplings) {
  std::ranges::fill(values_, 0.0);
  const auto kept = static_cast<std::int64_t>(thetas.size());
  for (std::int64_t i = 0; i < kept; ++i) {
    const auto number = static_cast<std::size_t>(i);
    at(i, i) = thetas[number];
    at(i, kept) = at(kept, i) = couplings[number];
  }
}

projected_matrix::ritz_pairs projected_matrix::diagonalized() const {
  const ndarray<double> matrix =
      detail::typed<double>(detail::from_host(values_.data(), {size_, size_}, dtype::float64, device::cpu()));
  const auto [values, vectors] = linalg::eigh(matrix);
  return {values.to_vector(), vectors.T().to_vector()};
}

}  // namespace core
GPARRAY_END_NAMESPACE
