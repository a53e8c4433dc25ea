// Element types, NumPy 2 promotion, casting rules, finfo and iinfo.
#pragma once
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <gparray/config.hpp>
#include <gparray/dtype/float16.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The element type of an array. NumPy's names; dtype::bool_ is NumPy's bool.
enum class dtype : std::uint8_t {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) name,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
};

/// How many dtypes there are.
inline constexpr int dtype_count = static_cast<int>(dtype::complex128) + 1;

namespace detail {

struct dtype_row {
  std::string_view name;
  std::uint8_t size;
  char code, kind;
};

inline constexpr dtype_row dtype_rows[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind)                                               \
  {dtype::name == dtype::bool_ ? std::string_view("bool") : std::string_view(#name), sizeof(type), code, \
   #kind[0]},
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
};

template<class V>
struct dtype_traits {};  // no `value`: not an element type

#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  template<>                                               \
  struct dtype_traits<type> {                              \
    static constexpr dtype value = dtype::name;            \
  };
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

/// The other integers of 64 bits: where std::int64_t is long, long long holds the same numbers.
template<class V>
  requires((std::is_same_v<V, long long> || std::is_same_v<V, unsigned long long>) && sizeof(V) == 8)
struct dtype_traits<V> {
  static constexpr dtype value = std::is_signed_v<V> ? dtype::int64 : dtype::uint64;
};

template<dtype D>
struct dtype_type;
#define GPARRAY_DTYPE(name, scalar, kernel_type, code, kind) \
  template<>                                                 \
  struct dtype_type<dtype::name> {                           \
    using type = scalar;                                     \
  };
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

constexpr const dtype_row& row(dtype d) { return dtype_rows[static_cast<int>(d)]; }

}  // namespace detail

/// A C++ type that an ndarray can hold: one of the rows of dtypes.def, or long long and unsigned long long,
/// which are int64 and uint64; ndarrays of both names of one dtype convert to one another without a copy.
template<class V>
concept element = requires { detail::dtype_traits<V>::value; };

/// The dtype of a C++ element type: dtype_of<float> is dtype::float32.
template<element V>
inline constexpr dtype dtype_of = detail::dtype_traits<V>::value;

/// The C++ element type of a dtype: dtype_t<dtype::float32> is float.
template<dtype D>
using dtype_t = typename detail::dtype_type<D>::type;

/// The C++ element types by NumPy's names: gp::float32 is float, gp::complex128 is std::complex<double>.
/// float16 and bfloat16 are classes, and have these names anyway.
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) using name = type;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

/// The name of a dtype, as NumPy spells it: "float64", "bool".
constexpr std::string_view name(dtype d) { return detail::row(d).name; }
/// The bytes of one element of a dtype.
constexpr std::size_t itemsize(dtype d) { return detail::row(d).size; }
/// The kind of a dtype as a letter: 'b' bool, 'i' signed, 'u' unsigned integer, 'f' real floating, 'c'
/// complex.
constexpr char kind(dtype d) { return detail::row(d).kind; }
/// Whether a dtype is of signed or unsigned integers; bool is not.
constexpr bool is_integer(dtype d) { return kind(d) == 'i' || kind(d) == 'u'; }
/// Whether a dtype is of real floating-point numbers.
constexpr bool is_floating(dtype d) { return kind(d) == 'f'; }
/// Whether a dtype is of complex numbers.
constexpr bool is_complex(dtype d) { return kind(d) == 'c'; }
/// Whether a dtype is of real or complex floating-point numbers.
constexpr bool is_inexact(dtype d) { return is_floating(d) || is_complex(d); }

namespace detail {

constexpr dtype signed_of_size(std::size_t bytes) {
  return bytes == 1 ? dtype::int8 : bytes == 2 ? dtype::int16 : bytes == 4 ? dtype::int32 : dtype::int64;
}

/// The smallest real floating dtype that NumPy considers safe for an integer of this size.
constexpr dtype float_for_integer(std::size_t bytes) {
  return bytes == 1 ? dtype::float16 : bytes == 2 ? dtype::float32 : dtype::float64;
}

constexpr dtype promote_floats(dtype a, dtype b) {
  if (a == b) return a;
  if (itemsize(a) == 2 && itemsize(b) == 2)
    return dtype::float32;  // float16 with bfloat16: neither holds the other
  return itemsize(a) > itemsize(b) ? a : b;
}

}  // namespace detail

/// The dtype of the real part: float32 of complex64, float64 of complex128, and any other dtype itself.
constexpr dtype real_dtype(dtype d) {
  return d == dtype::complex64 ? dtype::float32 : d == dtype::complex128 ? dtype::float64 : d;
}

/// The complex dtype whose parts hold numbers of dtype d.
constexpr dtype complex_dtype(dtype d) {
  if (is_complex(d)) return d;
  if (kind(d) == 'b') return dtype::complex64;
  const bool single = is_floating(d) ? itemsize(d) <= 4 : itemsize(d) <= 2;
  return single ? dtype::complex64 : dtype::complex128;
}

/// The dtype to which two arrays promote, by NumPy 2's rules. bfloat16 is treated as float16 is; of the two
/// together float32.
constexpr dtype promote_types(dtype a, dtype b) {
  if (a == b || kind(b) == 'b') return a;
  if (kind(a) == 'b') return b;
  if (is_complex(a) || is_complex(b)) {
    const dtype x = complex_dtype(a), y = complex_dtype(b);
    return x == dtype::complex128 ? x : y;
  }
  if (is_floating(a) && is_floating(b)) return detail::promote_floats(a, b);
  if (is_floating(b)) return promote_types(b, a);
  if (is_floating(a)) {
    const dtype f = detail::float_for_integer(itemsize(b));
    return f == dtype::float16 && itemsize(a) == 2 ? a : detail::promote_floats(a, f);
  }
  if (kind(a) == kind(b)) return itemsize(a) > itemsize(b) ? a : b;
  if (kind(a) == 'u') return promote_types(b, a);
  if (itemsize(a) > itemsize(b)) return a;
  return itemsize(b) == 8 ? dtype::float64 : detail::signed_of_size(2 * itemsize(b));
}

/// Whether a dtype is of a kind, by the array API's names: "bool", "signed integer", "unsigned integer",
/// "integral", "real floating", "complex floating" or "numeric". Throws value_error for others.
[[nodiscard]] GPARRAY_API bool isdtype(dtype type, std::string_view kind);
/// Whether a dtype is one of NumPy's abstract types: "generic", "number", "integer", "signedinteger",
/// "unsignedinteger", "inexact", "floating", "complexfloating", "bool", or the name of a dtype.
[[nodiscard]] GPARRAY_API bool issubdtype(dtype type, std::string_view of);

/// Which conversions are allowed, by NumPy's names: from the same dtype alone to any.
enum class casting : std::uint8_t { no, equiv, safe, same_kind, unsafe };

/// Whether values of dtype `from` may be converted to dtype `to` under a casting rule.
constexpr bool can_cast(dtype from, dtype to, casting rule = casting::safe) {
  if (from == to || rule == casting::unsafe) return true;
  if (rule == casting::no || rule == casting::equiv) return false;
  if (promote_types(from, to) == to) return true;
  if (rule == casting::safe) return false;
  const auto rank = [](dtype d) {
    switch (kind(d)) {
      case 'b':
        return 0;
      case 'u':
        return 1;
      case 'i':
        return 2;
      case 'f':
        return 3;
      default:
        return 4;
    }
  };
  return rank(from) <= rank(to);
}

/// The element type that arrays of these types promote to, as member `type`; result_type_t is shorter.
template<element A, element... Rest>
struct result_type {
  /// The element type.
  using type = A;
};
template<element A, element B, element... Rest>
struct result_type<A, B, Rest...> : result_type<dtype_t<promote_types(dtype_of<A>, dtype_of<B>)>, Rest...> {};

/// The element type that arrays of these types promote to.
template<element... V>
using result_type_t = typename result_type<V...>::type;

namespace detail {

/// A half by its bits, which its constructors could not give at compile time; else the number itself.
template<class R>
constexpr R limit_value(double value, [[maybe_unused]] unsigned short half_bits) {
  if constexpr (sizeof(R) == 2) return __builtin_bit_cast(R, half_bits);
  else return static_cast<R>(value);
}

}  // namespace detail

/// The limits of a floating-point type, by NumPy's names, in that type; of complex types those of the parts.
template<element V>
struct finfo {
  /// The dtype of the numbers; of a complex type that of its parts.
  static constexpr dtype type = real_dtype(dtype_of<V>);
  static_assert(is_floating(type), "finfo is for floating types; use iinfo");
  /// float for complex<float>, V itself if it is real.
  using value_type = dtype_t<type>;
  /// The bits of a number.
  static constexpr int bits = static_cast<int>(8 * itemsize(type));
  /// The bits of the mantissa, without the leading one.
  static constexpr int nmant = type == dtype::float16    ? 10
                               : type == dtype::bfloat16 ? 7
                               : type == dtype::float32  ? 23
                                                         : 52;
  /// The least power of two of a normal number.
  static constexpr int minexp = type == dtype::float16 ? -14 : type == dtype::float64 ? -1022 : -126;
  /// The least power of two that overflows.
  static constexpr int maxexp = type == dtype::float16 ? 16 : type == dtype::float64 ? 1024 : 128;
  /// 2 to the power n.
  static constexpr double power_of_two(int n) {
    double p = 1;
    for (int i = 0; i < (n < 0 ? -n : n); ++i) p = n < 0 ? p / 2 : p * 2;
    return p;
  }

 private:
  static constexpr bool is_binary16 = type == dtype::float16;
  static constexpr value_type limit(double value, int half_bits) {
    return detail::limit_value<value_type>(value, static_cast<unsigned short>(half_bits));
  }
  static constexpr double largest = (2 - power_of_two(-nmant)) * power_of_two(maxexp - 1);

 public:
  /// The distance from 1 to the next larger number.
  static constexpr value_type eps =
      limit(power_of_two(-nmant), sizeof(value_type) == 2 ? (maxexp - 1 - nmant) << nmant : 0);
  /// The distance from 1 to the next smaller number.
  static constexpr value_type epsneg =
      limit(power_of_two(-nmant - 1), sizeof(value_type) == 2 ? (maxexp - 2 - nmant) << nmant : 0);
  /// The largest finite number.
  static constexpr value_type max = limit(largest, is_binary16 ? 0x7bff : 0x7f7f);
  /// The least finite number, -max.
  static constexpr value_type min = limit(-largest, is_binary16 ? 0xfbff : 0xff7f);
  /// The smallest positive normal number.
  static constexpr value_type tiny = limit(power_of_two(minexp), sizeof(value_type) == 2 ? 1 << nmant : 0);
  /// The smallest positive normal number: another name of tiny.
  static constexpr value_type smallest_normal = tiny;
  /// The smallest positive number.
  static constexpr value_type smallest_subnormal = limit(power_of_two(minexp - nmant), 1);
  /// 10 to the power of minus the decimal digits that are always exact.
  static constexpr value_type resolution =
      limit(type == dtype::float32 ? 1e-6 : 1e-15, is_binary16 ? 0x1419 : 0x3c24);  // 0.001 and 0.01
};

/// The limits of an integer type, by NumPy's names, in that type.
template<element V>
  requires std::is_integral_v<V>
struct iinfo {
  /// The bits of a number.
  static constexpr int bits = 8 * sizeof(V);
  /// The least number.
  static constexpr V min = std::numeric_limits<V>::min();
  /// The largest number.
  static constexpr V max = std::numeric_limits<V>::max();
};

GPARRAY_END_NAMESPACE
