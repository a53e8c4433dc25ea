// One application: its sizes, its inputs, and how its calls are timed and its results noted.
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>

#include <gparray/gparray.hpp>

#include "../bench.hpp"
#include "checksum.hpp"

namespace bench {

namespace gp = gparray;

/// Which of the sizes of applications.def.
enum class scale { large, small, tiny };

/// A row of applications.def.
struct application_row {
  std::string name;
  std::vector<std::int64_t> large, small, tiny;
  double tolerance;
};

/// What became of an application.
struct application_outcome {
  const application_row* row;
  double first_us;  ///< microseconds of the first call, with its kernels compiled if it waits for them
  timing time;      ///< zero, if calls were not to be timed
  std::vector<checksum> checks;  ///< of each of the first call's results
  std::string plan;              ///< how the last step of the first result is computed, if that was asked for
  std::string error;             ///< what was thrown instead of a result
};

/// What is done with each application.
struct application_settings {
  std::string only;  ///< those whose name contains one of these, separated by commas
  scale size = scale::large;
  double seconds = 0;      ///< for timing; 0 calls each only once
  bool explained = false;  ///< whether gp::explain of the first result is wanted
  std::function<void(const application_outcome&)> report;
};

/// What the programs in applications/*.cpp are given. Inputs are numbered in the order in which they are
/// made: the next one has other numbers.
class application {
 public:
  application(const application_row& row, const application_settings& settings)
      : row_(row), settings_(settings) {}

  [[nodiscard]] std::int64_t size(std::size_t i) const {
    const auto& sizes = settings_.size == scale::large   ? row_.large
                        : settings_.size == scale::small ? row_.small
                                                         : row_.tiny;
    return sizes.at(i);
  }

  /// Numbers evenly spread over [low, high), multiples of (high - low) / 2^24; those of integers are rounded
  /// down.
  template<class V>
  gp::ndarray<V> numbers(const gp::dims& shape, double low = 0, double high = 1) {
    ++inputs_;
    return filled<V>(shape, [&](std::uint32_t i) { return low + (high - low) * uniform(i, 4 * inputs_); });
  }

  /// Numbers of mean 0 and variance 1, which are nearly normal: sums of four even ones.
  template<class V>
  gp::ndarray<V> normal_numbers(const gp::dims& shape) {
    ++inputs_;
    return filled<V>(shape, [&](std::uint32_t i) {
      double sum = -2;
      for (std::uint32_t k = 0; k < 4; ++k) sum += uniform(i, 4 * inputs_ + k);
      return 1.7320508075688772 * sum;
    });
  }

  /// Times the calls, each of which returns an array or a tuple of arrays, and notes the results of the
  /// first.
  template<class Call>
  void run(Call&& call) {
    application_outcome outcome{&row_, 0, {}, {}, {}, {}};
    {
      const double start = seconds_now();
      const auto results = call();
      if (settings_.explained) outcome.plan = gp::explain(first_of(results));
      compute(results);
      synchronize();
      outcome.first_us = (seconds_now() - start) * 1e6;
      each_of(results,
              [&](const auto& result) { outcome.checks.push_back(checksum::of(result.to_vector())); });
    }  // the program in place is not to have its results under other names
    if (settings_.seconds > 0) {
      // A kernel that is there may lead to another one being wanted.
      for (int i = 0; i < 3; ++i) {
        compute(call());
        gp::wait_for_kernels();
      }
      outcome.time = clock([&] { compute(call()); }, synchronize, settings_.seconds);
    }
    settings_.report(outcome);
  }

 private:
  /// Of 24 bits, in [0, 1).
  static double uniform(std::uint32_t i, std::uint32_t seed) {
    std::uint32_t x = i * 0x9E3779B1U + seed * 0x85EBCA6BU;
    x = (x ^ (x >> 15)) * 0x6F4F2A35U;
    x = (x ^ (x >> 13)) * 0xA3C59AC3U;
    return std::ldexp((x ^ (x >> 16)) >> 8, -24);
  }

  template<class V, class Number>
  static gp::ndarray<V> filled(const gp::dims& shape, const Number& number) {
    std::int64_t size = 1;
    for (const std::int64_t n : shape) size *= n;
    std::vector<V> values(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<V>(number(static_cast<std::uint32_t>(i)));
    return gp::array(values.data(), shape);
  }

  static void synchronize() { gp::default_device().synchronize(); }

  template<class Results, class Work>
  static void each_of(const Results& results, Work&& work) {
    if constexpr (gp::array_like<Results>) work(results);
    else std::apply([&](const auto&... result) { (work(result), ...); }, results);
  }
  template<class Results>
  static const auto& first_of(const Results& results) {
    if constexpr (gp::array_like<Results>) return results;
    else return std::get<0>(results);
  }
  template<class Results>
  static void compute(const Results& results) {
    if constexpr (gp::array_like<Results>) gp::eval(results);
    else std::apply([](const auto&... result) { gp::eval(result...); }, results);
  }

  const application_row& row_;
  const application_settings& settings_;
  std::uint32_t inputs_ = 0;
};

/// Runs the applications that were asked for on the default device.
void run_applications(const application_settings& settings);

}  // namespace bench
