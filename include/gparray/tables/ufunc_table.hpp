// What the table of ufuncs says, at compile time: loop dtype and result dtype of every element-wise function.
#pragma once
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The element-wise functions: an enumerator for each, and three more: `cast` converts between dtypes, `user`
/// is a function that a program defines with GPARRAY_UFUNC, `load` is the element at an address, of which
/// gathers are made.
enum class ufunc : std::uint16_t {
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) name,
#include <gparray/tables/ufuncs.def>
  cast,
  user,
  load
};

namespace detail {

/// What the loops of a row do: the words of ufuncs.def, and what a program brought, of which nothing is
/// known.
enum class loop_work : std::uint8_t { few, linear, product, exact, libm, slow, unknown };

struct ufunc_row {
  constexpr ufunc_row(const char* function, std::string_view loop, const char* kinds, loop_work does)
      : name(function),
        signature(loop),
        domain(kinds),
        work(does),
        arity(static_cast<std::uint8_t>(loop.find('_'))),
        result(loop.back()) {}

  std::string_view name, signature, domain;
  loop_work work;
  // Of the signature, asked for each step of a program: a search of the text takes longer than the rest of
  // it.
  std::uint8_t arity;
  char result;
};

inline constexpr ufunc_row ufunc_rows[] = {
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  {#name, #signature, domain, loop_work::work},
#include <gparray/tables/ufuncs.def>
    {"cast", "T_T", "bifc", loop_work::linear},
    {"user", "T_T", "", loop_work::unknown},
    {"load", "l_T", "", loop_work::linear}};

constexpr const ufunc_row& row(ufunc f) { return ufunc_rows[static_cast<int>(f)]; }

constexpr bool has(std::string_view domain, char letter) {
  return domain.find(letter) != std::string_view::npos;
}

/// The dtype of one letter of a signature, for a loop dtype.
constexpr dtype letter_dtype(char letter, dtype loop) {
  if (letter == 'T') return loop;  // nearly all of them
  switch (letter) {
    case 'b':
      return dtype::bool_;
    case 'i':
      return dtype::int32;
    case 'l':
      return dtype::int64;
    case 'u':
      return dtype::uint8;
    case 'R':
      return real_dtype(loop);
    default:
      return loop;
  }
}

struct loop_resolution {
  bool valid;
  dtype loop;
};

}  // namespace detail

/// How many element-wise functions there are.
inline constexpr int ufunc_count = static_cast<int>(ufunc::cast);
/// The most inputs that an element-wise function may have.
inline constexpr int max_arity = 5;

/// The name of an element-wise function.
constexpr std::string_view name(ufunc f) { return detail::row(f).name; }

/// The number of inputs of an element-wise function.
constexpr int arity(ufunc f) { return detail::row(f).arity; }

/// The dtype that input i of an element-wise function is converted to, where it computes in dtype `loop`.
constexpr dtype input_dtype(ufunc f, int i, dtype loop) {
  return detail::letter_dtype(detail::row(f).signature[static_cast<std::size_t>(i)], loop);
}

/// The dtype of the result of an element-wise function that computes in dtype `loop`.
constexpr dtype output_dtype(ufunc f, dtype loop) {
  return detail::letter_dtype(detail::row(f).result, loop);
}

namespace detail {

/// Whether a loop is a few instructions wherever it runs.
constexpr bool is_few(ufunc f, dtype loop) {
  const loop_work work = row(f).work;
  return !is_complex(loop) &&
         (work == loop_work::few || work == loop_work::linear || work == loop_work::product);
}

/// Whether a loop only has IEEE operations and integers and no call of libm, so that scalar and vector code
/// give the same bits. False for a loop that has not been looked at.
constexpr bool is_exact(ufunc f, dtype loop) {
  const loop_work work = row(f).work;
  if (work == loop_work::unknown) return false;
  if (!is_inexact(loop)) return true;
  return work == loop_work::linear || (!is_complex(loop) && work == loop_work::exact) || is_few(f, loop);
}

/// What an operand of this dtype counts as where the dtypes of a function's operands are promoted. NumPy
/// takes the first loop to which each operand converts safely by itself; among floating loops that of an
/// unsigned integer is that of the signed one of its size, and int8 with uint8 are float16, not the float32
/// of int16.
constexpr dtype operand_dtype(ufunc f, dtype d) {
  return kind(d) == 'u' && !has(row(f).domain, 'i') ? signed_of_size(itemsize(d)) : d;
}

/// The loop that NumPy would choose for inputs that promote to `common`; not valid where NumPy raises
/// TypeError.
constexpr loop_resolution resolve_loop(ufunc f, dtype common) {
  const std::string_view domain = row(f).domain;
  const char k = kind(common) == 'u' ? 'i' : kind(common);
  if (k == 'b' && has(domain, '!')) return {false, common};
  if (has(domain, 'w')) return {true, k == 'c' ? dtype::complex128 : dtype::float64};
  if (k == 'b' && has(domain, 'e')) return {true, dtype::float16};
  if ((k == 'b' || k == 'i') && has(domain, 'd')) return {true, dtype::float64};
  if (has(domain, k)) return {true, common};
  if (k == 'b' && has(domain, 'i')) return {true, dtype::int8};
  if ((k == 'b' || k == 'i') && has(domain, 'f')) return {true, float_for_integer(itemsize(common))};
  if (k != 'c' && has(domain, 'c')) return {true, complex_dtype(common)};
  return {false, common};
}

}  // namespace detail

GPARRAY_END_NAMESPACE
