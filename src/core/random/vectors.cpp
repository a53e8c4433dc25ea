// Draws of vectors: counts of outcomes, shares of a whole, correlated normal variates.
#include <cmath>
#include <numeric>

#include <core/array/layout.hpp>
#include <core/random/covariance.hpp>
#include <core/random/random.hpp>
#include <kernel/random_sources.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

dims appended(dims shape, std::int64_t count) {
  shape.push_back(count);
  return shape;
}

any_array on_device(const std::vector<double>& values, device where) {
  return detail::from_host(values.data(), dims(values.size()), dtype::float64, where);
}

/// One vector of `count` numbers for each element of `shape`, from a table that all share.
any_array draw_vectors(random_plan& plan, dtype type, const dims& shape, std::int64_t count,
                       const std::vector<double>& table, device where, random::generator_state& state) {
  const any_array result = allocate(type, appended(shape, count), where);
  if (count == 0) return result;
  const any_array on_it = on_device(table, where);
  plan.type = type;
  plan.count = count;
  plan.table = static_cast<const double*>(address(on_it));
  const any_array* const read[] = {&on_it};
  run_draw(plan, result, count, state, read);
  return result;
}

void check_probabilities(const std::vector<double>& p, std::int64_t count) {
  for (const double each : p)
    if (!(each >= 0 && each <= 1)) throw value_error("pvals < 0, pvals > 1 or pvals contains NaNs");
  for (std::size_t begin = 0; begin < p.size(); begin += static_cast<std::size_t>(count)) {
    const auto first = p.begin() + static_cast<std::ptrdiff_t>(begin);
    if (std::accumulate(first, first + (count - 1), 0.0) > 1 + 1e-12)
      throw value_error("sum(pvals[:-1]) > 1.0");
  }
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array draw_multinomial(random::generator_state& state, const generator_device& on_device,
                           const distribution_parameter& n, const any_array& pvals, const sample_size& size) {
  if (pvals.ndim() < 1 || pvals.shape(-1) < 1)
    throw value_error(
        "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0.");
  const std::int64_t count = pvals.shape(-1);
  dims leading = pvals.shape();
  leading.resize(leading.size() - 1);
  const any_array* const arrays[] = {n.is_array ? &n.array : nullptr, &pvals};
  const device where = drawing_device(on_device, arrays);
  const dims* shapes[2] = {&leading};
  if (n.is_array) shapes[1] = &n.array.shape();
  const dims shape = drawing_shape(size, {shapes, n.is_array ? 2u : 1u});
  check_whole("n", n);
  check_probabilities(host_values(pvals), count);

  const bool shared = leading.empty();
  const any_array table =
      broadcast_copy(pvals, gparray::dtype::float64, shared ? pvals.shape() : appended(shape, count));
  const any_array result = allocate(gparray::dtype::int64, appended(shape, count), where);
  any_array trials;
  random_plan plan;
  plan.op = distribution::multinomial;
  plan.type = gparray::dtype::int64;
  plan.table = static_cast<const double*>(address(table));
  plan.count = count;
  plan.table_step = shared ? 0 : count;
  plan.parameters[0].bits = double_bits(n.value);
  if (n.is_array) {
    trials = broadcast_copy(n.array, gparray::dtype::float64, shape);
    plan.parameters[0].data = static_cast<const std::uint64_t*>(address(trials));
  }
  const any_array* const read[] = {&table, &trials};
  run_draw(plan, result, count, state, read);
  return result;
}

any_array draw_dirichlet(random::generator_state& state, const generator_device& on_device,
                         const any_array& alpha, const sample_size& size) {
  if (alpha.ndim() != 1)
    fail<value_error>("alpha must be 1-dimensional, not of shape {}", text(alpha.shape()));
  const any_array* const arrays[] = {&alpha};
  const device where = drawing_device(on_device, arrays);
  const dims shape = drawing_shape(size, {});
  const std::vector<double> table = host_values(alpha);
  for (const double each : table)
    if (each < 0) throw value_error("alpha < 0");
  random_plan plan;
  plan.op = distribution::dirichlet;
  return draw_vectors(plan, gparray::dtype::float64, shape, alpha.size(), table, where, state);
}

any_array draw_multivariate_hypergeometric(random::generator_state& state, const generator_device& on_device,
                                           const any_array& colors, std::int64_t nsample,
                                           const sample_size& size,
                                           const random::multivariate_hypergeometric_options& options) {
  if (options.method != "count" && options.method != "marginals")
    throw value_error("method must be \"count\" or \"marginals\".");
  const std::vector<double> table = colors.ndim() == 1 ? host_values(colors) : std::vector<double>{-1};
  for (const double each : table)
    if (!(each >= 0 && each == std::floor(each)))
      throw value_error(
          "colors must be a one-dimensional sequence of nonnegative integers not exceeding "
          "9223372036854775807.");
  if (nsample < 0) throw value_error("nsample must be nonnegative.");
  const double total = std::accumulate(table.begin(), table.end(), 0.0);
  if (total >= 1e9)
    fail<value_error>("When method is \"{}\", sum(colors) must be less than 1000000000.", options.method);
  if (static_cast<double>(nsample) > total) throw value_error("nsample > sum(colors)");
  const any_array* const arrays[] = {&colors};
  const device where = drawing_device(on_device, arrays);
  random_plan plan;
  plan.op = distribution::multivariate_hypergeometric;
  plan.parameters[0].bits = double_bits(static_cast<double>(nsample));
  return draw_vectors(plan, gparray::dtype::int64, drawing_shape(size, {}), colors.size(), table, where,
                      state);
}

any_array draw_multivariate_normal(random::generator_state& state, const generator_device& on_device,
                                   const any_array& mean, const any_array& covariance,
                                   const sample_size& size,
                                   const random::multivariate_normal_options& options) {
  if (options.method != "eigh" && options.method != "svd" && options.method != "cholesky")
    throw value_error("method must be one of {'eigh', 'svd', 'cholesky'}");
  if (mean.ndim() != 1) throw value_error("mean must be 1 dimensional");
  if (covariance.ndim() != 2 || covariance.shape(0) != covariance.shape(1))
    throw value_error("cov must be 2 dimensional and square");
  if (mean.size() != covariance.shape(0)) throw value_error("mean and cov must have same length");
  if (options.check_valid != "warn" && options.check_valid != "raise" && options.check_valid != "ignore")
    throw value_error("check_valid must equal 'warn', 'raise', or 'ignore'");
  const any_array* const arrays[] = {&mean, &covariance};
  const device where = drawing_device(on_device, arrays);
  const dims shape = drawing_shape(size, {});
  std::vector<double> table = host_values(mean);
  const std::vector<double> factor = covariance_factor(host_values(covariance), mean.size(), options);
  table.insert(table.end(), factor.begin(), factor.end());
  random_plan plan;
  plan.op = distribution::multivariate_normal;
  return draw_vectors(plan, gparray::dtype::float64, shape, mean.size(), table, where, state);
}

std::uint64_t child_key(std::uint64_t key, std::uint64_t child) {
  const kernel::philox_words w =
      kernel::philox_block(child, 0, kernel::counter_kind::child,
                           kernel::philox_key{static_cast<unsigned>(key), static_cast<unsigned>(key >> 32)});
  return static_cast<std::uint64_t>(w.w[1]) << 32 | w.w[0];
}

}  // namespace detail
GPARRAY_END_NAMESPACE
