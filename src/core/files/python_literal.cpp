// A parser by recursive descent, after Python's own grammar ("Lexical analysis" and "Expressions" in the
// language's reference) and ast.literal_eval, which takes signs and sums of complex numbers, but no names and
// no other operators.
#include <algorithm>
#include <charconv>

#include <core/files/python_literal.hpp>
#include <support/errors.hpp>
#include <support/utf8.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using kind = python_literal::kind;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Lines end with "\n" alone, as Python sees them.
std::string with_plain_line_ends(std::string_view source) {
  std::string result;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') result += source[i];
    else if (i + 1 == source.size() || source[i + 1] != '\n') result += '\n';
  }
  return result;
}

class literal_parser {
 public:
  literal_parser(std::string_view source, bool python_2)
      : source_(with_plain_line_ends(source)), python_2_(python_2) {}

  python_literal whole() {
    if (source_.find('\0') != std::string::npos) refuse("a zero byte");
    skip_to_first();
    const operand result = expression();
    skip();
    if (at_ != source_.size()) refuse("more than one value");
    return result.value;
  }

 private:
  /// A value, and whether it is a number as it stands: signs and sums are of such alone.
  struct operand {
    python_literal value;
    bool is_plain_number = false;
  };

  [[noreturn]] void refuse(const char* what) const {
    fail<value_error>("{} at character {}", what, std::min(at_, source_.size()) + 1);
  }
  char here(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';  // which the source has not
  }
  bool takes(char c) {
    if (here() != c) return false;
    ++at_;
    return true;
  }

  bool skip_joined_line() {
    if (here() != '\\') return false;
    if (here(1) != '\n' || here(2) == '\0') refuse("a stray backslash");
    at_ += 2;
    return true;
  }
  void skip_comment() {
    if (here() == '#') at_ = std::min(source_.find('\n', at_), source_.size());
  }
  void skip_in_line() {
    while (here() == ' ' || here() == '\t' || here() == '\f' || skip_joined_line())
      if (here() == ' ' || here() == '\t' || here() == '\f') ++at_;
  }
  /// White space, comments and ends of lines.
  void skip() {
    do {
      skip_in_line();
      skip_comment();
    } while (takes('\n'));
  }
  /// The first line may be indented, a later one that the value begins in may not.
  void skip_to_first() {
    at_ = std::min(source_.find_first_not_of(" \t"), source_.size());
    for (;;) {
      std::size_t column = 0;
      for (;; ++at_) {
        if (here() == ' ' || here() == '\t') ++column;
        else if (here() == '\f') column = 0;
        else break;
      }
      if (here() == '\\') {
        skip_in_line();
        column = source_[at_ - 1] == '\n' ? column : 1;
      }
      skip_comment();
      if (takes('\n')) continue;
      if (column != 0) refuse("unexpected indent");
      return;
    }
  }

  operand expression() {
    const char sign = here();
    operand left;
    if (sign == '-' || sign == '+') {
      ++at_;
      skip_between();
      left = atom();
      if (!left.is_plain_number) refuse("a sign of what is no number");
      left.is_plain_number = false;
      if (sign == '-') left.value.number = -left.value.number;
    } else {
      left = atom();
    }
    skip_between();
    if (here() != '-' && here() != '+') return left;
    // A complex number is the sum of a real and an imaginary one.
    if (left.value.type != kind::integer && left.value.type != kind::real) refuse("an operator");
    ++at_;
    skip_between();
    const operand right = atom();
    if (!right.is_plain_number || right.value.type != kind::complex) refuse("an operator");
    operand sum;
    sum.value.type = kind::complex;
    return sum;
  }

  /// Between tokens: in brackets ends of lines are white space, too.
  void skip_between() {
    if (depth_ > 0) skip();
    else skip_in_line();
  }

  operand atom() {
    const char c = here();
    if (c == '(' || c == '[' || c == '{') return bracketed();
    if (c == '\'' || c == '"') return {strings("")};
    if (is_digit(c) || (c == '.' && is_digit(here(1)))) return {number(), true};
    if (source_.compare(at_, 3, "...") == 0) {  // is of no more use than None
      at_ += 3;
      return {};
    }
    if (is_name_character(c)) return {named()};
    refuse(c == '\0' ? "an end" : "what begins no value");
  }

  python_literal named() {
    const std::size_t begin = at_;
    while (is_name_character(here())) ++at_;
    const std::string_view word = std::string_view(source_).substr(begin, at_ - begin);
    if (here() == '\'' || here() == '"') return strings(word);
    python_literal result;
    if (word == "None") return result;
    if (word == "True" || word == "False") {
      result.type = kind::boolean;
      result.number = word == "True";
      return result;
    }
    skip_between();
    if (word != "set" || !takes('(')) {
      at_ = begin;
      refuse("a name");
    }
    ++depth_;
    skip();
    if (!takes(')')) refuse("a call");
    --depth_;
    result.type = kind::set;
    return result;
  }

  operand bracketed() {
    constexpr int deepest = 200;  // Python's own limit
    if (++depth_ > deepest) refuse("too many nested brackets");
    const char opening = source_[at_++];
    const char closing = opening == '(' ? ')' : opening == '[' ? ']' : '}';
    operand result;
    python_literal& value = result.value;
    value.type = opening == '(' ? kind::tuple : opening == '[' ? kind::list : kind::dictionary;
    bool with_comma = false;
    for (bool first = true; skip(), here() != closing; first = false) {
      if (!first && !with_comma) refuse("a missing comma");
      operand item = expression();
      skip();
      if (opening == '{' && first && here() != ':') value.type = kind::set;
      if (opening == '{' && !item.value.is_hashable()) refuse("an unhashable key");
      result.is_plain_number = item.is_plain_number;
      value.items.push_back(std::move(item.value));
      if (value.type == kind::dictionary) {
        if (!takes(':')) refuse("a missing colon");
        skip();
        value.items.push_back(expression().value);
        skip();
      }
      with_comma = takes(',');
    }
    ++at_;
    --depth_;
    // Brackets around one value group it.
    if (opening == '(' && value.items.size() == 1 && !with_comma) {
      python_literal grouped = std::move(value.items[0]);
      value = std::move(grouped);
    } else {
      result.is_plain_number = false;
    }
    return result;
  }

  /// Digits with single underscores between them and in front of them, where only a prefix lets one be.
  template<class IsDigit>
  void digits(IsDigit is_one, std::string& into) {
    if (here() == '_') ++at_;
    if (!is_one(here())) refuse("a missing digit");
    for (;;) {
      while (is_one(here())) into += source_[at_++];
      if (here() != '_') return;
      ++at_;
      if (!is_one(here())) refuse("a stray underscore");
    }
  }

  python_literal number() {
    python_literal result;
    result.type = kind::integer;
    std::string text;
    int base = 10;
    const char prefix = lower(here(1));
    if (here() == '0' && (prefix == 'x' || prefix == 'o' || prefix == 'b')) {
      base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : 2;
      at_ += 2;
      digits(
          [&](char c) {
            const char l = lower(c);
            return base == 16 ? is_digit(c) || (l >= 'a' && l <= 'f') : c >= '0' && c < '0' + base;
          },
          text);
    } else {
      if (is_digit(here())) digits(is_digit, text);
      std::string ignored;
      if (takes('.')) {
        result.type = kind::real;
        if (is_digit(here())) digits(is_digit, ignored);
      }
      const bool signed_exponent = here(1) == '-' || here(1) == '+';
      if (lower(here()) == 'e' && is_digit(here(signed_exponent ? 2 : 1))) {
        result.type = kind::real;
        at_ += signed_exponent ? 2 : 1;
        digits(is_digit, ignored);
      }
      if (lower(here()) == 'j') {
        result.type = kind::complex;
        ++at_;
      }
    }
    if (python_2_) skip_long_suffix();
    if (is_name_character(here())) refuse("an invalid number");
    if (result.type == kind::integer) read_integer(text, base, result);
    return result;
  }

  /// NumPy's _filter_header leaves out the names L that follow a number in its line.
  void skip_long_suffix() {
    for (;;) {
      const std::size_t before = at_;
      skip_in_line();
      if (here() == 'L' && !is_name_character(here(1))) {
        ++at_;
        continue;
      }
      at_ = before;
      return;
    }
  }

  void read_integer(const std::string& text, int base, python_literal& result) const {
    if (base == 10 && text.size() > 1 && text[0] == '0' && text.find_first_not_of('0') != std::string::npos)
      refuse("leading zeros");
    // Without its sign, so that the least integer does not fit.
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.number, base);
    result.fits = error == std::errc();
  }

  /// One string or several, one behind the other, which Python joins. The first has this prefix.
  python_literal strings(std::string_view prefix) {
    python_literal result;
    for (bool first = true;; first = false) {
      std::string low(prefix);
      std::transform(low.begin(), low.end(), low.begin(), lower);
      const bool is_raw = low.find('r') != std::string::npos, is_bytes = low.find('b') != std::string::npos;
      // Not f, whose braces are expressions.
      if (low != "" && low != "r" && low != "u" && low != "b" && low != "br" && low != "rb")
        refuse("an unknown prefix of a string");
      if (!first && is_bytes != (result.type == kind::bytes)) refuse("bytes beside text");
      result.type = is_bytes ? kind::bytes : kind::text;
      one_string(is_raw, is_bytes, result.text);
      skip_between();
      std::size_t length = 0;
      while (is_name_character(here(length))) ++length;
      if (here(length) != '\'' && here(length) != '"') return result;
      prefix = std::string_view(source_).substr(at_, length);
      at_ += length;
    }
  }

  void one_string(bool is_raw, bool is_bytes, std::string& text) {
    const char quote = here();
    const bool is_long = here(1) == quote && here(2) == quote;
    at_ += is_long ? 3 : 1;
    for (;;) {
      const char c = here();
      if (c == '\0' || (c == '\n' && !is_long)) refuse("an unterminated string");
      if (is_bytes && static_cast<unsigned char>(c) >= 0x80) refuse("bytes that are no ASCII");
      if (c == quote && (!is_long || (here(1) == quote && here(2) == quote))) {
        at_ += is_long ? 3 : 1;
        return;
      }
      ++at_;
      if (c != '\\') text += c;
      else if (is_raw) raw_escape(is_bytes, text);
      else escape(is_bytes, text);
    }
  }

  /// A backslash stays, and what it stands before is no end of the string.
  void raw_escape(bool is_bytes, std::string& text) {
    const char c = here();
    if (c == '\0') refuse("an unterminated string");
    if (is_bytes && static_cast<unsigned char>(c) >= 0x80) refuse("bytes that are no ASCII");
    (text += '\\') += c;
    ++at_;
  }

  void escape(bool is_bytes, std::string& text) {
    constexpr std::string_view names = "abfnrtv\\'\"";
    constexpr std::string_view values = "\a\b\f\n\r\t\v\\'\"";
    const char c = here();
    if (c == '\0') refuse("an unterminated string");
    ++at_;
    if (c == '\n') return;
    if (const std::size_t known = names.find(c); known != std::string_view::npos) {
      text += values[known];
    } else if (c >= '0' && c <= '7') {
      std::uint32_t value = static_cast<std::uint32_t>(c - '0');
      for (int i = 0; i < 2 && here() >= '0' && here() <= '7'; ++i)
        value = 8 * value + static_cast<std::uint32_t>(source_[at_++] - '0');
      put(is_bytes ? value & 255 : value, is_bytes, text);
    } else if (c == 'x') {
      put(hexadecimal(2), is_bytes, text);
    } else if (!is_bytes && (c == 'u' || c == 'U')) {
      const std::uint32_t value = hexadecimal(c == 'u' ? 4 : 8);
      if (value > 0x10ffff) refuse("no character of Unicode");
      put(value, is_bytes, text);
    } else if (!is_bytes && c == 'N') {
      refuse("the name of a character");
    } else {
      // What begins no escape is kept with its backslash.
      if (is_bytes && static_cast<unsigned char>(c) >= 0x80) refuse("bytes that are no ASCII");
      (text += '\\') += c;
    }
  }
  static void put(std::uint32_t value, bool is_bytes, std::string& text) {
    is_bytes ? text += static_cast<char>(value) : (append_utf8(text, value), text);
  }
  std::uint32_t hexadecimal(int length) {
    std::uint32_t value = 0;
    for (int i = 0; i < length; ++i, ++at_) {
      const char c = lower(here());
      if (is_digit(c)) value = 16 * value + static_cast<std::uint32_t>(c - '0');
      else if (c >= 'a' && c <= 'f') value = 16 * value + static_cast<std::uint32_t>(c - 'a' + 10);
      else refuse("a missing hexadecimal digit");
    }
    return value;
  }

  std::string source_;
  bool python_2_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool python_literal::is_hashable() const {
  if (type == kind::list || type == kind::set || type == kind::dictionary) return false;
  return std::all_of(items.begin(), items.end(), [](const python_literal& i) { return i.is_hashable(); });
}

python_literal parse_python_literal(std::string_view source, bool python_2) {
  return literal_parser(source, python_2).whole();
}

}  // namespace core
GPARRAY_END_NAMESPACE
