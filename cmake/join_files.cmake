# Run by the build for cmake/join_tests.cmake: writes the source ${joined} that includes ${files}.

set(includes "")
set(body "")
foreach(file IN LISTS files)
  # Tables are no headers: each inclusion of one is another use of it.
  file(STRINGS ${file} lines REGEX "^#include .*[^f][\">]$")
  list(APPEND includes ${lines})
  get_filename_component(name ${file} NAME_WE)
  string(APPEND body
    "\n#undef TEST_FILE\n#define TEST_FILE \"${file}\"\nnamespace file_${name} {\n#include \"${file}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
set(content "${includes}\n${body}")

# Left as it is when nothing changed, which spares compiling it for the sake of its date.
set(before "")
if(EXISTS ${joined})
  file(READ ${joined} before)
endif()
if(NOT content STREQUAL before)
  file(WRITE ${joined} "${content}")
endif()
