// The list of NumPy's semantic traps (semantics/traps.tsv) and the check that one of our expressions falls
// into none.
#pragma once
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/thrown.hpp"

namespace traps {

namespace gp = gparray;

/// The array literals of the list: A({1, 2}) is int64, A({1., 2.}) float64, A({true}) bool; A<V>({...}) is V.
template<class V = void, class S>
auto A(std::initializer_list<S> values) {
  using element =
      std::conditional_t<!std::is_void_v<V>, V, std::conditional_t<std::is_same_v<S, int>, std::int64_t, S>>;
  std::vector<element> converted;
  for (S v : values) converted.push_back(static_cast<element>(v));
  return gp::ndarray<element>(converted.begin(), converted.end());
}
/// The same with rows.
template<class V = void, class S>
auto A(std::initializer_list<std::initializer_list<S>> rows) {
  using element =
      std::conditional_t<!std::is_void_v<V>, V, std::conditional_t<std::is_same_v<S, int>, std::int64_t, S>>;
  std::vector<element> converted;
  for (const auto& row : rows)
    for (S v : row) converted.push_back(static_cast<element>(v));
  const gp::ndarray<element> flat(converted.begin(), converted.end());
  return flat.reshape(
      {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.begin()->size())});
}

struct expectation {
  const std::string &kind, &dtype, &shape, &value, &match, &code;
};

/// The row of an id; fails the test if there is none.
expectation find(const std::string& id);

/// Compares dtype, shape and elements with the row.
void check(const std::string& id, const gp::any_array& result);
/// Compares a shape, strides or a list of integers with the row.
void check(const std::string& id, const gp::dims& numbers);
/// A host result (bool, int, float).
template<class S>
  requires std::is_arithmetic_v<S>
void check(const std::string& id, S value) {
  CAPTURE(id);
  const double expected = find(id).value == "true"    ? 1
                          : find(id).value == "false" ? 0
                                                      : std::stod(find(id).value);
  CHECK(static_cast<double>(value) == expected);
}
/// Whether the row expects this kind of error; the name is NumPy's.
void check_error(const std::string& id, std::string_view thrown);

inline void check_throws(const std::string& id, call_reference call) {
  check_error(id, error_thrown_by(call).name);
}

}  // namespace traps

#define TRAP(id, ...) traps::check(id, __VA_ARGS__)
#define TRAP_THROWS(id, ...) traps::check_throws(id, [&] { (void)(__VA_ARGS__); })
/// For a TypeError of NumPy's that is a compile error here: the condition is a requires-expression that must
/// be false.
#define TRAP_REJECTED(id, ...)           \
  do {                                   \
    static_assert(!(__VA_ARGS__));       \
    traps::check_error(id, "TypeError"); \
  } while (false)
