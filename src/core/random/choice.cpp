// Samples from a population, with and without replacement, with and without probabilities.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <core/array/layout.hpp>
#include <core/indexing/indexing.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/random/permutation.hpp>
#include <core/random/random.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

std::vector<double> checked_probabilities(const any_array& p, std::int64_t population) {
  if (p.ndim() != 1) throw value_error("p must be 1-dimensional");
  if (p.size() != population) throw value_error("a and p must have same size");
  const std::vector<double> values = host_values(p);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (std::isnan(sum)) throw value_error("Probabilities contain NaN");
  if (std::any_of(values.begin(), values.end(), [](double v) { return v < 0; }))
    throw value_error("Probabilities are not non-negative");
  const double epsilon = p.dtype() == dtype::float32 ? 0x1p-23 : itemsize(p.dtype()) == 2 ? 0x1p-10 : 0x1p-52;
  if (std::abs(sum - 1) > std::sqrt(epsilon))
    throw value_error("Probabilities do not sum to 1. See Notes section of docstring for more information.");
  return values;
}

/// With replacement: where a uniform variate falls among the cumulated probabilities.
any_array choose_by_cumulation(random::generator_state& state, const std::vector<double>& p,
                               const dims& shape, device where) {
  std::vector<double> cumulated(p.size());
  std::partial_sum(p.begin(), p.end(), cumulated.begin());
  for (double& each : cumulated) each /= cumulated.back();
  const any_array table = detail::from_host(cumulated.data(), dims(cumulated.size()), dtype::float64, where);
  const any_array result = allocate(dtype::int64, shape, where);
  random_plan plan;
  plan.op = distribution::choice;
  plan.type = dtype::int64;
  plan.table = static_cast<const double*>(address(table));
  plan.count = table.size();
  const any_array* const read[] = {&table};
  run_draw(plan, result, 1, state, read);
  return result;
}

/// Without replacement: the smallest of exponential variates over the probabilities.
std::vector<std::int64_t> choose_by_keys(random::generator_state& state, const std::vector<double>& p,
                                         std::int64_t count) {
  if (std::count_if(p.begin(), p.end(), [](double v) { return v > 0; }) < count)
    throw value_error("Fewer non-zero entries in p than size");
  const auto population = static_cast<std::int64_t>(p.size());
  std::vector<double> keys = host_values(detail::draw(state, device::cpu(), distribution::exponential,
                                                      dtype::float64, {1}, sample_size(population)));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] /= p[i];  // infinite where p is 0
  std::vector<std::int64_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  const auto less = [&](std::int64_t a, std::int64_t b) {
    const double x = keys[static_cast<std::size_t>(a)], y = keys[static_cast<std::size_t>(b)];
    return x != y ? x < y : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + count, order.end(), less);
  order.resize(static_cast<std::size_t>(count));
  return order;
}

/// Numbers from 0 on, at most `count` of them.
class number_set {
 public:
  explicit number_set(std::int64_t count)
      : slots_(std::bit_ceil(static_cast<std::size_t>(2 * count + 1)), std::int64_t{-1}) {}

  /// Whether the number was not there.
  bool insert(std::int64_t number) {
    // Fibonacci hashing: the upper half of the product depends on all bits of the number.
    auto at = static_cast<std::size_t>(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15u >> 32);
    while (true) {
      std::int64_t& slot = slots_[at++ & (slots_.size() - 1)];
      if (slot == number) return false;
      if (slot < 0) {
        slot = number;
        return true;
      }
    }
  }

 private:
  std::vector<std::int64_t> slots_;
};

/// The same as bits, one for each number that is possible.
class number_bits {
 public:
  explicit number_bits(std::int64_t possible) : words_(static_cast<std::size_t>(possible / 64 + 1)) {}

  bool insert(std::int64_t number) {
    std::uint64_t& word = words_[static_cast<std::size_t>(number / 64)];
    const std::uint64_t bit = std::uint64_t{1} << number % 64;
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Each number that is not new gives way to its bound, the largest that it could have been.
template<class Set>
void replace_repeated(Set chosen, std::int64_t* numbers, const std::vector<std::uint64_t>& bounds) {
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (!chosen.insert(numbers[i])) chosen.insert(numbers[i] = static_cast<std::int64_t>(bounds[i]));
}

/// Few of many without replacement: R. Floyd's algorithm (J. Bentley, R. Floyd: A sample of brilliance,
/// 1987). On the host.
any_array choose_few(random::generator_state& state, std::int64_t population, std::int64_t count) {
  const any_array result = allocate(dtype::int64, dims(count), device::cpu());
  std::vector<std::uint64_t> bounds(static_cast<std::size_t>(count));
  std::iota(bounds.begin(), bounds.end(), static_cast<std::uint64_t>(population - count));
  random_plan plan;
  plan.op = bounds.back() <= 0xffffffffu ? distribution::integers32 : distribution::integers64;
  plan.type = dtype::int64;
  plan.parameters[1].data = bounds.data();
  run_draw(plan, result, 1, state, {});
  auto* const numbers = static_cast<std::int64_t*>(address(result));
  // Whichever takes less memory.
  if (population / 128 <= count) replace_repeated(number_bits(population), numbers, bounds);
  else replace_repeated(number_set(count), numbers, bounds);
  return result;
}

// NumPy's, below which it shuffles the population.
constexpr std::int64_t few = 50, large_population = 10000;

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array choose(random::generator_state& state, const generator_device& on_device, std::int64_t population,
                 const sample_size& size, const random::choice_options& options) {
  const dims shape = drawing_shape(size, {});
  const std::int64_t count = checked_size(shape, 8);
  const device where = on_device.value_or(default_device());
  if (population <= 0 && count > 0)
    throw value_error("a must be a positive integer unless no samples are taken");
  std::vector<double> p;
  if (options.p.rep()) p = checked_probabilities(options.p, population);
  if (!options.replace && count > population)
    throw value_error("Cannot take a larger sample than population when replace is False");
  if (count == 0) return allocate(gparray::dtype::int64, shape, where);
  if (options.replace) {
    if (options.p.rep()) return choose_by_cumulation(state, p, shape, where);
    return draw_integers(state, where, 0, population, shape, gparray::dtype::int64, false);
  }
  if (options.p.rep()) {
    static warned before;
    if (where.is_cuda())
      warn(before, log_category::fallback,
           "a choice of {} from {} with probabilities and without replacement, for cuda:{}, is made by the "
           "CPU",
           count, population, where.index());
    return from_host(choose_by_keys(state, p, count).data(), shape, gparray::dtype::int64, where);
  }
  if (population > large_population && count < population / few) {
    any_array chosen = choose_few(state, population, count);
    // Floyd's numbers are a random set, not a random sequence.
    if (options.shuffle) chosen = permuted_slices(state, chosen, 0);
    return reshape(moved_to(chosen, where), shape, order::C);
  }
  return reshape(first_permuted(state, population, count, where), shape, order::C);
}

any_array choose_from(random::generator_state& state, const any_array& a, const sample_size& size,
                      const random::choice_options& options) {
  const int axis = normalize_axis(options.axis, a.ndim());
  const std::int64_t population = a.shape(axis);
  if (population == 0 && checked_size(drawing_shape(size, {}), 8) > 0)
    throw value_error("a cannot be empty unless no samples are taken");
  const any_array chosen = choose(state, a.device(), population, size, options);
  return take(a, chosen, axis, index_mode::raise);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
