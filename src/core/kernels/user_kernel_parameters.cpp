#include <algorithm>
#include <cctype>
#include <optional>

#include <core/kernels/kernel_declaration.hpp>
#include <core/kernels/user_kernel_parameters.hpp>
#include <plan/last_kernel.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

struct word {
  std::string_view text;
  std::size_t offset;
};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool is_identifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_word) &&
         std::isdigit(static_cast<unsigned char>(text[0])) == 0;
}

/// Keywords that a parameter might be named after.
constexpr std::string_view words_of_cpp[] = {
    "and",      "auto",    "bool",    "break",    "case",   "catch",    "char",     "class",    "const",
    "continue", "default", "delete",  "do",       "double", "else",     "enum",     "explicit", "export",
    "extern",   "false",   "float",   "for",      "friend", "goto",     "if",       "inline",   "int",
    "long",     "new",     "not",     "operator", "or",     "private",  "public",   "register", "return",
    "short",    "signed",  "sizeof",  "static",   "struct", "switch",   "template", "this",     "throw",
    "true",     "try",     "typedef", "typename", "union",  "unsigned", "using",    "virtual",  "void",
    "volatile", "while",   "xor"};

/// The words of text[begin, end).
std::vector<word> words_of(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<word> words;
  while (begin < end) {
    if (is_space(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t stop = begin;
    while (stop < end && !is_space(text[stop])) ++stop;
    words.push_back({text.substr(begin, stop - begin), begin});
    begin = stop;
  }
  return words;
}

std::optional<dtype> dtype_named(std::string_view text) {
  for (int d = 0; d < dtype_count; ++d)
    if (gparray::name(static_cast<dtype>(d)) == text) return static_cast<dtype>(d);
  return std::nullopt;
}

/// NumPy's name of a type that C++ spells otherwise; empty if it is none.
std::string_view numpy_name(std::string_view text) {
  static constexpr std::string_view names[][2] = {
      {"float", "float32"},   {"double", "float64"},  {"half", "float16"},     {"char", "int8"},
      {"short", "int16"},     {"int", "int32"},       {"long", "int64"},       {"unsigned", "uint32"},
      {"int8_t", "int8"},     {"int16_t", "int16"},   {"int32_t", "int32"},    {"int64_t", "int64"},
      {"uint8_t", "uint8"},   {"uint16_t", "uint16"}, {"uint32_t", "uint32"},  {"uint64_t", "uint64"},
      {"ptrdiff_t", "int64"}, {"size_t", "uint64"},   {"complex", "complex64"}};
  for (const auto& [cpp, numpy] : names)
    if (cpp == text) return numpy;
  return {};
}

class list_parser {
 public:
  list_parser(const kernel_signature& owner, std::string_view text, bool outputs)
      : owner_(owner), text_(text), outputs_(outputs) {}

  std::vector<kernel_parameter_text> parse() const {
    std::vector<kernel_parameter_text> list;
    if (words_of(text_, 0, text_.size()).empty()) return list;
    for (std::size_t begin = 0; begin <= text_.size();) {
      const std::size_t comma = std::min(text_.find(',', begin), text_.size());
      list.push_back(parameter(begin, comma));
      begin = comma + 1;
    }
    return list;
  }

 private:
  [[noreturn]] void fail_at(const word& location, const std::string& problem) const {
    fail<value_error>("{}: {}\n{}", owner_.title, problem,
                      underlined(text_, location.offset, location.text.size()));
  }

  kernel_parameter_text parameter(std::size_t begin, std::size_t end) const {
    const std::vector<word> words = words_of(text_, begin, end);
    if (words.empty())
      fail_at({text_.substr(0, 1), std::min(end, text_.size() - 1)}, "a parameter is missing here");
    if (words.size() == 1)
      fail_at(words[0], "a parameter is a type and a name, as in 'float32 x', 'T x' or 'raw T x'");
    kernel_parameter_text p;
    p.writable = outputs_;
    p.offset = words[0].offset;
    p.length = words.back().offset + words.back().text.size() - p.offset;
    read_name(p, words.back());
    read_type(p, words[words.size() - 2]);
    for (std::size_t i = 0; i + 2 < words.size(); ++i) read_keyword(p, words[i]);
    return p;
  }

  void read_name(kernel_parameter_text& p, const word& w) const {
    if (!is_identifier(w.text)) fail_at(w, fmt::format("'{}' is no name of a parameter", w.text));
    if (std::ranges::find(words_of_cpp, w.text) != std::end(words_of_cpp))
      fail_at(w, fmt::format("'{}' is a word of C++, and no name of a parameter", w.text));
    if (w.text == "i" || w.text == "n") fail_at(w, "i and n have a meaning of their own in a kernel");
    if (w.text.starts_with('_')) fail_at(w, "names that begin with _ belong to the kernel");
    p.name = w.text;
  }

  void read_type(kernel_parameter_text& p, const word& w) const {
    if (const auto known = dtype_named(w.text)) {
      p.type = *known;
      return;
    }
    const bool letter = w.text.size() == 1 && std::isalpha(static_cast<unsigned char>(w.text[0]));
    if (letter || (is_identifier(w.text) && std::isupper(static_cast<unsigned char>(w.text[0])))) {
      p.placeholder = w.text;
      return;
    }
    const std::string_view meant = numpy_name(w.text);
    if (!meant.empty()) fail_at(w, fmt::format("unknown type '{}'; types are NumPy's: {}", w.text, meant));
    fail_at(w, fmt::format(
                   "unknown type '{}'; a type is a dtype (float32, int64, ...) or a placeholder, which is "
                   "one letter or begins with a capital",
                   w.text));
  }

  void read_keyword(kernel_parameter_text& p, const word& w) const {
    if (w.text == "raw") p.raw = true;
    else if (w.text == "_non_const" && !outputs_) p.writable = true;
    else if (w.text != "const" || outputs_)
      fail_at(w, fmt::format("unknown keyword '{}'; before the type may stand {}", w.text,
                             outputs_ ? "raw" : "raw, const or _non_const"));
  }

  const kernel_signature& owner_;
  std::string_view text_;
  bool outputs_;
};

}  // namespace

std::string kernel_signature::location_of(std::size_t i) const {
  const kernel_parameter_text& p = (*this)[i];
  return underlined(i < inputs.size() ? input_text : output_text, p.offset, p.length);
}

bool kernel_signature::is_concrete() const {
  const auto concrete = [](const kernel_parameter_text& p) { return p.placeholder.empty(); };
  return std::ranges::all_of(inputs, concrete) && std::ranges::all_of(outputs, concrete);
}

namespace {

void find_leaders(kernel_signature& s) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    kernel_parameter_text& p = i < s.inputs.size() ? s.inputs[i] : s.outputs[i - s.inputs.size()];
    p.leader = i;
    for (std::size_t k = 0; k < i && p.leader == i && !p.placeholder.empty(); ++k)
      if (s[k].placeholder == p.placeholder) p.leader = k;
  }
}

}  // namespace

std::string underlined(std::string_view text, std::size_t offset, std::size_t length) {
  const std::size_t before = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == text.npos ? 0 : before + 1;
  const std::string_view line = text.substr(begin, text.find('\n', offset) - begin);
  const std::size_t column = offset - begin;
  const std::size_t marks = std::max<std::size_t>(1, std::min(length, line.size() - column));
  return fmt::format("  {}\n  {:>{}}{:~>{}}", line, '^', column + 1, "", marks - 1);
}

kernel_signature parse_signature(std::string kind, std::string name, std::string inputs,
                                 std::string outputs) {
  kernel_signature s{.kind = std::move(kind),
                     .name = std::move(name),
                     .input_text = std::move(inputs),
                     .output_text = std::move(outputs),
                     .inputs = {},
                     .outputs = {},
                     .title = {},
                     .lasting_name = nullptr,
                     .size_name = {}};
  s.title = fmt::format("{} '{}'", s.kind, s.name);
  s.size_name = s.name + "_size";
  s.lasting_name = lasting_name(s.name);
  if (!is_identifier(s.name)) fail<value_error>("{}: '{}' is no name of a kernel", s.kind, s.name);
  s.inputs = list_parser(s, s.input_text, false).parse();
  s.outputs = list_parser(s, s.output_text, true).parse();
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (s[i].name == s[k].name)
        fail<value_error>("{}: there are two parameters of the name {}\n{}", s.title, s[i].name,
                          s.location_of(i));
  find_leaders(s);
  return s;
}

}  // namespace core
GPARRAY_END_NAMESPACE
