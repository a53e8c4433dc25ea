# The compiler's verdict on one file: -D compiler= -D source= -D include=.
set(ENV{LC_ALL} C)
execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -I${include} ${source}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)

file(STRINGS ${source} shows REGEX "^// shows: " LIMIT_COUNT 1)
if(NOT shows)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${source} should compile:\n${output}")
  endif()
  return()
endif()

string(REPLACE "// shows: " "" remedy "${shows}")
if(status EQUAL 0)
  message(FATAL_ERROR "${source} should not compile")
endif()
string(REGEX MATCH "^([^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*)" head "${output}")
string(FIND "${head}" "${remedy}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "`${remedy}` is not in the first ten lines:\n${output}")
endif()
