// The distributions as values.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The rows of random.def.
enum class distribution : std::uint8_t {
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc) name,
#define GPARRAY_ROW_DISTRIBUTION(name, result, expression) name,
#include <gparray/tables/random.def>
};

}  // namespace detail
GPARRAY_END_NAMESPACE
