// Which names the text of a GPARRAY_UFUNC may use: those that GPUs know, too. The text is read at compile
// time on every machine, so that a function which works on the CPU works on a GPU.
#pragma once
#include <algorithm>
#include <string_view>

#include <gparray/ufunc/ufunc_math.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// A name as a template argument, so that the compiler's message shows it.
struct shown_name {
  char text[64] = {};
  constexpr shown_name(std::string_view name) {
    std::copy_n(name.data(), std::min(name.size(), sizeof text - 1), text);
  }
  constexpr bool empty() const { return text[0] == '\0'; }
};

inline constexpr std::string_view names_of_types[] = {"T",        "auto",  "bool",      "char",   "short",
                                                      "int",      "long",  "float",     "double", "signed",
                                                      "unsigned", "const", "constexpr", "using"};
inline constexpr std::string_view other_known_names[] = {
    "true", "false", "sizeof", "static_cast", "decltype", "return", "if", "else", "for", "while", "do",
    "switch", "case", "default", "break", "continue", "and", "or", "not", "xor", "bitand", "bitor", "compl",
    "mutable",
    // Of INFINITY, NAN and HUGE_VAL, and for the bits of a number.
    "__builtin_inff", "__builtin_inf", "__builtin_huge_valf", "__builtin_huge_val", "__builtin_nanf",
    "__builtin_nan", "__builtin_bit_cast",
#define GPARRAY_NAME_TEXT(name) #name,
    GPARRAY_MATH_UNARY(GPARRAY_NAME_TEXT) GPARRAY_MATH_BINARY(GPARRAY_NAME_TEXT)
        GPARRAY_MATH_OTHER(GPARRAY_NAME_TEXT)
#undef GPARRAY_NAME_TEXT
};

/// Goes through the tokens of a C++ expression.
class ufunc_text {
 public:
  constexpr explicit ufunc_text(std::string_view text) : rest_(text) {}

  /// The next token: a name, a number, a literal or one character, `::` and `->` as one. Empty at the end.
  constexpr std::string_view next() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t'))
      rest_.remove_prefix(1);
    if (rest_.empty()) return {};
    std::size_t n = 1;
    const char c = rest_[0];
    if (is_start(c)) {
      while (n < rest_.size() && (is_start(rest_[n]) || is_digit(rest_[n]))) ++n;
    } else if (is_digit(c) || (c == '.' && n < rest_.size() && is_digit(rest_[n]))) {
      while (n < rest_.size() &&
             (is_start(rest_[n]) || is_digit(rest_[n]) || rest_[n] == '.' || rest_[n] == '\'' ||
              ((rest_[n] == '+' || rest_[n] == '-') && is_exponent(n - 1))))
        ++n;
    } else if (c == '"' || c == '\'') {
      while (n < rest_.size() && rest_[n] != c) n += rest_[n] == '\\' ? 2u : 1u;
      ++n;
    } else if (rest_.substr(0, 2) == "::" || rest_.substr(0, 2) == "->") {
      n = 2;
    }
    const std::string_view token = rest_.substr(0, n);
    rest_.remove_prefix(std::min(n, rest_.size()));
    return token;
  }
  static constexpr bool is_name(std::string_view token) { return !token.empty() && is_start(token[0]); }

 private:
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  constexpr bool is_exponent(std::size_t i) const {
    const bool hexadecimal = rest_.size() > 1 && (rest_[1] == 'x' || rest_[1] == 'X');
    return hexadecimal ? rest_[i] == 'p' || rest_[i] == 'P' : rest_[i] == 'e' || rest_[i] == 'E';
  }

  std::string_view rest_;
};

template<std::size_t N>
constexpr bool contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

constexpr bool is_parameter(std::string_view parameters, std::string_view name) {
  ufunc_text text(parameters);
  for (std::string_view token = text.next(); !token.empty(); token = text.next())
    if (token == name) return true;
  return false;
}

/// The first name in the text that is neither a parameter nor declared there nor known to GPUs; empty if all
/// are. Names behind `::` belong to what is before it, members to their object.
constexpr std::string_view unknown_name(std::string_view parameters, std::string_view expression) {
  std::string_view declared[32] = {};
  std::size_t n_declared = 0;
  ufunc_text text(expression);
  std::string_view before;
  bool after_type = false;  // what comes now would be declared: T y, auto& y
  for (std::string_view token = text.next(); !token.empty();) {
    std::string_view following = text.next();
    const bool member = before == "." || before == "->";
    if (ufunc_text::is_name(token) && !member) {
      const bool type = contains(names_of_types, token);
      if (before == "::" || following == "::") {  // to the end of a::b::c, which lies in the text as a whole
        std::string_view whole = token;
        while (following == "::") {
          const std::string_view last = text.next();
          whole = std::string_view(whole.data(),
                                   static_cast<std::size_t>(last.data() + last.size() - whole.data()));
          following = text.next();
        }
        return whole;
      }
      if (after_type && !type && n_declared < 32) {
        declared[n_declared++] = token;
      } else if (!type && !contains(other_known_names, token) && !contains(declared, token) &&
                 !is_parameter(parameters, token)) {
        return token;
      }
      after_type = type;
    } else if (token != "&" && token != "*") {
      after_type = false;
    }
    before = token;
    token = following;
  }
  return {};
}

/// Fails to compile for a name, and shows it.
template<shown_name Name>
consteval bool is_known_to_gpus() {
  static_assert(
      Name.empty(),
      "GPARRAY_UFUNC: the text uses a name that GPUs do not know; it is shown above as Name. Write sin for "
      "std::sin (the functions of ufunc_math.hpp), and pass constants as parameters or write their values.");
  return Name.empty();
}

}  // namespace detail
GPARRAY_END_NAMESPACE

#if defined(__CUDACC__)
// nvcc passes on a class as a template argument in a form that the host's compiler does not read.
#define GPARRAY_CHECK_NAMES(parameters, text)                              \
  static_assert(::gparray::detail::unknown_name(parameters, text).empty(), \
                "GPARRAY_UFUNC: the text uses a name that generated kernels do not know")
#else
#define GPARRAY_CHECK_NAMES(parameters, text) \
  static_assert(::gparray::detail::is_known_to_gpus<::gparray::detail::unknown_name(parameters, text)>())
#endif
