// The library as a C++20 module: import gparray; (docs/compilers.md says how to build it). Macros are not part of a
// module: a GPARRAY_UFUNC stands in a file that includes the headers instead.
module;

// What the headers include of the standard library, which must stay outside the module.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <compare>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

export module gparray;

// Names belong to no module (extern "C++"), so that they are the library's own, and those of a file that includes.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Winclude-angled-in-module-purview"
#endif
export extern "C++" {
#include <gparray/gparray.hpp>
#include <gparray/sparse/linalg.hpp>
}

#if defined(__GLIBCXX__) && defined(__clang__)
// clang 19 looks for the operators of the headers' own loops in the importing file, which may include no vector.
export namespace __gnu_cxx {
using __gnu_cxx::operator==;
using __gnu_cxx::operator<=>;
using __gnu_cxx::operator-;
}
#endif
