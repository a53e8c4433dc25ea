// Reading "ij,jk->ik".
#include <algorithm>
#include <string>

#include <core/products/einsum.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// One operand's subscripts, before it is known how many axes its ellipsis stands for.
struct term {
  label_list before, after;
  bool has_ellipsis = false;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::size_t output = std::string_view::npos;

/// The text of an operand or of the output.
term parse_term(std::string_view text, std::size_t operand) {
  term t;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (t.has_ellipsis || text.substr(i, 3) != "...")
        fail<value_error>(
            "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in {}",
            operand == output ? "the output" : fmt::format("operand {}", operand));
      t.has_ellipsis = true;
      i += 2;
    } else if (!is_letter(c)) {
      fail<value_error>("invalid subscript '{}' in einstein sum {}string, subscripts must be letters", c,
                        operand == output ? "output subscripts " : "subscripts ");
    } else {
      (t.has_ellipsis ? t.after : t.before).push_back(c);
    }
  }
  return t;
}

/// The labels of an operand of `ndim` axes.
label_list expanded(const term& t, int ndim, std::size_t operand) {
  const int n_hidden = ndim - static_cast<int>(t.before.size() + t.after.size());
  if (n_hidden < 0)
    fail<value_error>("einstein sum subscripts string contains too many subscripts for operand {}", operand);
  if (n_hidden > 0 && !t.has_ellipsis)
    throw value_error(
        "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided "
        "to "
        "broadcast the extra dimensions.");
  label_list labels = t.before;
  for (int i = n_hidden; i > 0; --i) labels.push_back(-i);
  labels.insert(labels.end(), t.after.begin(), t.after.end());
  return labels;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(',', begin);
    parts.push_back(text.substr(begin, end == text.npos ? text.npos : end - begin));
    if (end == text.npos) return parts;
    begin = end + 1;
  }
}

label_list hidden_labels(const einsum_subscripts& s) {
  int most = 0;
  for (const label_list& labels : s.operands)
    for (const axis_label l : labels) most = std::max(most, -l);
  label_list hidden;
  for (int i = most; i > 0; --i) hidden.push_back(-i);
  return hidden;
}

/// Labels that occur once, in alphabetical order.
label_list implicit_result(const einsum_subscripts& s) {
  label_list result = hidden_labels(s);
  for (axis_label letter = 'A'; letter <= 'z'; ++letter) {
    std::ptrdiff_t count = 0;
    for (const label_list& labels : s.operands) count += std::ranges::count(labels, letter);
    if (count == 1) result.push_back(letter);
  }
  return result;
}

label_list explicit_result(const einsum_subscripts& s, std::string_view text) {
  const term t = parse_term(text, output);
  label_list result = t.before;
  const label_list hidden = hidden_labels(s);
  if (t.has_ellipsis) result.insert(result.end(), hidden.begin(), hidden.end());
  else if (!hidden.empty())
    throw value_error(
        "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
        "broadcast the extra dimensions.");
  result.insert(result.end(), t.after.begin(), t.after.end());
  for (const axis_label l : result) {
    if (l < 0) continue;
    if (std::ranges::count(result, l) > 1)
      fail<value_error>("einstein sum subscripts string includes output subscript '{}' multiple times",
                        static_cast<char>(l));
    if (std::ranges::none_of(s.operands, [l](const label_list& labels) { return contains(labels, l); }))
      fail<value_error>(
          "einstein sum subscripts string included output subscript '{}' which never appeared in an input",
          static_cast<char>(l));
  }
  return result;
}

}  // namespace

einsum_subscripts parse_subscripts(std::string_view text, std::span<const dims* const> shapes) {
  const std::size_t arrow = text.find("->");
  const std::vector<std::string_view> terms = split(text.substr(0, arrow));
  // NumPy's texts, which count the other way round.
  if (terms.size() != shapes.size())
    fail<value_error>("{} operands provided to einstein sum function than specified in the subscripts string",
                      terms.size() > shapes.size() ? "more" : "fewer");
  einsum_subscripts s;
  for (std::size_t i = 0; i < terms.size(); ++i)
    s.operands.push_back(expanded(parse_term(terms[i], i), static_cast<int>(shapes[i]->size()), i));
  s.result = arrow == text.npos ? implicit_result(s) : explicit_result(s, text.substr(arrow + 2));
  return s;
}

}  // namespace core
GPARRAY_END_NAMESPACE
