// Prints the rows of include/gparray/tables as JSON, with the dtypes that follow from them: the reference so
// shows what the compiler reads, and no other program knows the rules of the tables.
#include <cstdio>
#include <string>

#include <gparray/tables/random_table.hpp>
#include <gparray/tables/reduction_table.hpp>
#include <gparray/tables/sparse_format_table.hpp>
#include <gparray/tables/ufunc_table.hpp>

namespace gp = gparray;

namespace {

const char* separator = "";

/// {"int8": "float16", ...}: the result of each dtype that there is a loop for.
template<class Result>
std::string results(Result&& result) {
  std::string text;
  for (int i = 0; i < gp::dtype_count; ++i) {
    const auto type = static_cast<gp::dtype>(i);
    const std::string found = result(type);
    if (!found.empty())
      text += (text.empty() ? "\"" : ", \"") + std::string(gp::name(type)) + "\": \"" + found + '"';
  }
  return "{" + text + "}";
}

std::string ufunc_result(gp::ufunc f, gp::dtype type) {
  const auto found = gp::detail::resolve_loop(f, gp::detail::operand_dtype(f, type));
  return found.valid ? std::string(gp::name(gp::output_dtype(f, found.loop))) : "";
}

std::string reduction_result(gp::reduction r, gp::dtype type) {
  const char k = gp::kind(type) == 'u' ? 'i' : gp::kind(type);
  if (!gp::detail::has(gp::detail::row(r).domain, k)) {
    if (k != 'b' || !gp::detail::has(gp::detail::row(r).domain, 'i')) return "";
    type = gp::dtype::int8;
  }
  std::string text(gp::name(gp::result_dtype(r, type)));
  if (gp::has_two_results(r)) text += ", " + std::string(gp::name(gp::second_result_dtype(r, type)));
  return text;
}

/// Those that gp::ufuncs has, of functions of two arguments: ufunc/objects.hpp.
std::string methods(gp::ufunc f, std::string_view signature) {
  if (signature != "TT_T" && signature != "TT_b") return "[]";
  const bool at = f == gp::ufunc::subtract || f == gp::ufunc::divide || gp::detail::folding_of_runs(f);
  return std::string("[\"reduce\"") + (at ? ", \"at\"" : "") +
         (gp::detail::folding_of_runs(f) ? ", \"reduceat\"" : "") + "]";
}

void print(const char* name, const char* kind, const std::string& doc, const std::string& more) {
  std::printf("%s\n{\"name\": \"%s\", \"kind\": \"%s\", \"doc\": \"%s\"%s}", separator, name, kind,
              doc.c_str(), more.c_str());
  separator = ",";
}

}  // namespace

int main() {
  std::printf("[");
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc)                               \
  print(                                                                                                \
      #name, "ufunc", doc,                                                                              \
      ", \"arity\": " + std::to_string(gp::arity(gp::ufunc::name)) +                                    \
          ", \"signature\": \"" #signature "\", \"methods\": " + methods(gp::ufunc::name, #signature) + \
          ", \"results\": " + results([](gp::dtype type) { return ufunc_result(gp::ufunc::name, type); }));
#define GPARRAY_UFUNC_ALIAS(alias, name) print(#alias, "alias", "", ", \"of\": \"" #name "\"");
#include <gparray/tables/ufuncs.def>

#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc)                 \
  print(#name, "reduction", doc, ", \"empty\": \"" #empty "\", \"results\": " + results([](gp::dtype type) { \
                                   return reduction_result(gp::reduction::name, type);                       \
                                 }));
#include <gparray/tables/reductions.def>

#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc) \
  print(#name, "distribution", doc,                                             \
        ", \"result\": \"" #result "\", \"parameters\": [\"" #p1 "\", \"" #p2 "\", \"" #p3 "\"]");
#define GPARRAY_INNER_DISTRIBUTION(name, source, result, expression)
#define GPARRAY_STANDARD_FUNCTION(function, name, p1, arguments, doc) \
  print(#function, "distribution", doc, ", \"result\": \"single\", \"parameters\": [\"" #p1 "\"]");
#include <gparray/tables/random.def>

#define GPARRAY_SPARSE_FORMAT(name, layout, axis, compressed, transposed, major, minor, title, doc) \
  print(#name, "format", doc, ", \"title\": \"" title "\", \"transposed\": \"" #transposed "\"");
#include <gparray/tables/sparse_formats.def>
  for (int i = 0; i < gp::dtype_count; ++i) {
    const auto type = static_cast<gp::dtype>(i);
    print(std::string(gp::name(type)).c_str(), "dtype", "",
          ", \"bytes\": " + std::to_string(gp::itemsize(type)) + ", \"letter\": \"" + gp::kind(type) + "\"");
  }
  std::printf("\n]\n");
}
