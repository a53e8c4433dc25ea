# Fails unless a header whose library is not there says so in one error, which names it. The libraries are hidden by
# a __has_include that finds nothing but gparray's own headers and no macros of features.

foreach(header eigen mdspan nanobind pybind11 std_format)
  set(source ${folder}/missing_${header}.cpp)
  file(WRITE ${source} "#include <version>
#include <gparray/creation.hpp>
#include <gparray/sparse/matrix.hpp>
#include <gparray/span.hpp>
#undef __cpp_lib_mdspan
#undef __cpp_lib_format
#define __has_include(...) 0
#include <gparray/${header}.hpp>
")
  execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -w -I ${include} ${source}
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE report)
  string(REGEX MATCHALL "error:[^\n]*" errors "${report}")
  list(LENGTH errors count)
  if(status EQUAL 0 OR NOT count EQUAL 1 OR NOT report MATCHES "gparray/${header}.hpp> needs ")
    message(FATAL_ERROR "<gparray/${header}.hpp> without its library:\n${report}")
  endif()
endforeach()
