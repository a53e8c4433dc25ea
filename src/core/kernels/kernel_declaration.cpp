#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>

#include <core/kernels/kernel_declaration.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

namespace {

/// The text with comments and string literals blanked.
std::string without_comments(std::string_view text) {
  std::string result(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, result.size()); ++i)
      if (result[i] != '\n') result[i] = ' ';
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::size_t end;
    if (text.substr(i, 2) == "//") {
      end = text.find('\n', i);
    } else if (text.substr(i, 2) == "/*") {
      end = text.find("*/", i + 2);
      if (end != text.npos) end += 2;
    } else if (text[i] == '"' || text[i] == '\'') {
      end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      ++end;
    } else {
      continue;
    }
    end = std::min(end, text.size());
    blank(i, end);
    i = end - 1;
  }
  return result;
}

/// Words, and every other character that is no space by itself.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word(text[i]))
      while (end < text.size() && is_word(text[end])) ++end;
    if (!std::isspace(static_cast<unsigned char>(text[i]))) tokens.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

/// The words of C++'s arithmetic types, sorted; all that a declaration can mean by them on this platform.
const std::map<std::string, dtype>& arithmetic_types() {
  static const auto& types = *new std::map<std::string, dtype>{
      {"bool", dtype::bool_},
      {"float", dtype::float32},
      {"double", dtype::float64},
      {"__half", dtype::float16},
      {"__nv_bfloat16", dtype::bfloat16},
      {"signed", dtype::int32},
      {"int", dtype::int32},
      {"int signed", dtype::int32},
      {"unsigned", dtype::uint32},
      {"int unsigned", dtype::uint32},
      {"short", dtype::int16},
      {"int short", dtype::int16},
      {"short unsigned", dtype::uint16},
      {"int short unsigned", dtype::uint16},
      {"char signed", dtype::int8},
      {"char unsigned", dtype::uint8},
      {"long", dtype::int64},
      {"int long", dtype::int64},
      {"long unsigned", dtype::uint64},
      {"int long unsigned", dtype::uint64},
      {"long long", dtype::int64},
      {"int long long", dtype::int64},
      {"long long unsigned", dtype::uint64},
      {"int long long unsigned", dtype::uint64},
      {"int8_t", dtype::int8},
      {"int16_t", dtype::int16},
      {"int32_t", dtype::int32},
      {"int64_t", dtype::int64},
      {"uint8_t", dtype::uint8},
      {"uint16_t", dtype::uint16},
      {"uint32_t", dtype::uint32},
      {"uint64_t", dtype::uint64},
      {"size_t", dtype::uint64},
  };
  return types;
}

bool is_qualifier(const std::string& word) {
  static constexpr std::string_view words[] = {"const", "volatile", "__restrict__", "__restrict",
                                               "__grid_constant__"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

declared_parameter parse_parameter(std::string_view text, bool has_name) {
  declared_parameter result;
  std::vector<std::string> words;
  int pointers = 0;
  bool constant = false;
  std::string shown;
  for (const std::string& token : tokens_of(text)) {
    const bool is_star = token == "*";
    if (!is_star && !is_word(token[0])) return result;  // an array, a reference, a class of std::, a default
    constant = constant || (token == "const" && pointers == 0);
    if (is_qualifier(token)) continue;
    pointers += is_star;
    if (is_star) shown += token;
    if (is_star) continue;
    if (pointers > 0) {
      if (!has_name) return result;
      has_name = false;  // the name of a pointer
    } else {
      words.push_back(token);
    }
  }
  if (has_name && pointers == 0) {
    // "float x": the last word is the name, unless the parameter has none ("float", "unsigned int").
    std::vector<std::string> all = words;
    std::sort(all.begin(), all.end());
    std::string joined;
    for (const std::string& w : all) joined += (joined.empty() ? "" : " ") + w;
    if (!arithmetic_types().contains(joined) && words.size() > 1) words.pop_back();
  }
  std::string spelled;
  for (const std::string& w : words) spelled += (spelled.empty() ? "" : " ") + w;
  std::sort(words.begin(), words.end());
  std::string key;
  for (const std::string& w : words) key += (key.empty() ? "" : " ") + w;
  result.is_pointer = pointers > 0;
  result.writes = pointers == 1 && !constant;
  result.text = spelled + shown;
  if (pointers > 1 || (pointers == 1 && (key == "void" || key == "char"))) {
    result.known = true;  // char* may be bytes of anything
    return result;
  }
  const auto found = arithmetic_types().find(key);
  if (found == arithmetic_types().end()) return result;
  result.known = true;
  result.type = found->second;
  return result;
}

/// text[at] is the '(' of a parameter list.
std::optional<std::vector<declared_parameter>> parse_list(std::string_view text, std::size_t at,
                                                          bool has_names) {
  std::vector<declared_parameter> result;
  int depth = 0;
  std::size_t begin = at + 1;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == '>' || c == ']' || c == '}') --depth;
    if (c == ')') --depth;
    if ((c == ',' && depth == 1) || (c == ')' && depth == 0)) {
      const std::string_view one = text.substr(begin, i - begin);
      const std::vector<std::string> tokens = tokens_of(one);
      const bool is_empty = tokens.empty() || (tokens.size() == 1 && tokens[0] == "void");
      if (!(is_empty && result.empty() && c == ')')) result.push_back(parse_parameter(one, has_names));
      begin = i + 1;
    }
    if (c == ')' && depth == 0) return result;
  }
  return std::nullopt;
}

/// Whether a macro may mean something else by a name that is read here.
bool redefines(std::string_view source, std::string_view name) {
  for (std::size_t at = source.find("define"); at != source.npos; at = source.find("define", at + 1)) {
    const std::vector<std::string> tokens =
        tokens_of(source.substr(at, std::min(source.find('\n', at), source.size()) - at));
    if (tokens.size() < 2) continue;
    if (tokens[1] == name || is_qualifier(tokens[1]) || tokens[1] == "__global__") return true;
    for (const auto& [type, value] : arithmetic_types())
      for (const std::string& word : tokens_of(type))
        if (word == tokens[1]) return true;
  }
  return false;
}

/// Whether the declaration that holds text[at] begins with a template's parameters.
bool is_template(const std::string& text, std::size_t at) {
  const std::size_t before = text.find_last_of(";{}#", at);
  const std::size_t found = text.find("template", before == text.npos ? 0 : before);
  return found < at;
}

/// Calls visit(name, position of the parameter list, whether it is a template) for every kernel.
template<class Visit>
void for_each_kernel(const std::string& text, Visit visit) {
  constexpr std::string_view keyword = "__global__";
  for (std::size_t at = text.find(keyword); at != text.npos; at = text.find(keyword, at + 1)) {
    const std::size_t end = text.find_first_of(";{", at);
    std::size_t open = text.find('(', at + keyword.size());
    // __launch_bounds__(256) comes before the name.
    if (const std::size_t bounds = text.find("__launch_bounds__", at); bounds < open) {
      int depth = 0;
      std::size_t i = open;
      for (; i < text.size(); ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0) break;
      }
      open = text.find('(', i);
    }
    if (open == text.npos || open > end) continue;
    std::size_t last = text.find_last_not_of(" \t\n", open - 1), first = last;
    while (first > 0 && is_word(text[first - 1])) --first;
    if (last != text.npos && is_word(text[last])) {
      visit(text.substr(first, last - first + 1), open, is_template(text, at));
    }
  }
}

}  // namespace

std::optional<std::vector<declared_parameter>> declaration_in_source(std::string_view source,
                                                                     std::string_view name) {
  const std::string text = without_comments(source);
  if (redefines(text, name)) return std::nullopt;
  std::optional<std::vector<declared_parameter>> result;
  int count = 0;
  for_each_kernel(text, [&](const std::string& kernel, std::size_t open, bool templated) {
    if (kernel != name) return;
    ++count;
    result = templated ? std::nullopt : parse_list(text, open, true);
  });
  return count == 1 ? result : std::nullopt;
}

std::optional<std::vector<declared_parameter>> declaration_of_symbol(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return std::nullopt;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (!text) return std::nullopt;
  // "void scale<float>(float*, float)": the list is the last pair of parentheses outside all others.
  const std::string_view demangled = text.get();
  if (!demangled.ends_with(')')) return std::nullopt;
  int depth = 0;
  for (std::size_t i = demangled.size(); i-- > 0;) {
    depth += (demangled[i] == ')') - (demangled[i] == '(');
    if (depth == 0) return parse_list(demangled, i, false);
  }
  return std::nullopt;
}

std::vector<std::string> kernels_in_source(std::string_view source) {
  std::vector<std::string> names;
  for_each_kernel(without_comments(source), [&](const std::string& name, std::size_t, bool) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  });
  return names;
}

}  // namespace core
GPARRAY_END_NAMESPACE
