// Kinds of dtypes by their names.
#include <utility>

#include <gparray/dtype.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE

bool isdtype(dtype type, std::string_view kind_name) {
  // Which of the letters of kind() a name stands for.
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"bool", "b"},          {"signed integer", "i"},   {"unsigned integer", "u"}, {"integral", "iu"},
      {"real floating", "f"}, {"complex floating", "c"}, {"numeric", "iufc"}};
  for (const auto& [known, letters] : kinds)
    if (known == kind_name) return letters.find(kind(type)) != std::string_view::npos;
  core::fail<value_error>(
      "kind argument is a string, but '{}' is not a known kind name. Use one of: bool, signed integer, "
      "unsigned integer, integral, real floating, complex floating, numeric",
      kind_name);
}

bool issubdtype(dtype type, std::string_view of) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"generic", "biufc"},   {"number", "iufc"},       {"integer", "iu"},
      {"signedinteger", "i"}, {"unsignedinteger", "u"}, {"inexact", "fc"},
      {"floating", "f"},      {"complexfloating", "c"}, {"bool", "b"}};
  for (const auto& [known, letters] : kinds)
    if (known == of) return letters.find(kind(type)) != std::string_view::npos;
  for (const detail::dtype_row& row : detail::dtype_rows)
    if (row.name == of) return name(type) == of;
  core::fail<value_error>("data type '{}' not understood", of);
}

GPARRAY_END_NAMESPACE
