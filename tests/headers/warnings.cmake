# Fails if all public headers together, behind the umbrella header, are not free of the warnings that careful programs
# ask for: cmake -D compiler=CXX -D source=FILE -D include=FOLDER -D fmt_include=FOLDERS -P warnings.cmake

set(flags -I ${include})
foreach(directory IN LISTS fmt_include)
  # g++ finds its own headers in order; naming /usr/include would break that order.
  if(NOT directory STREQUAL "/usr/include")
    list(APPEND flags -isystem ${directory})
  endif()
endforeach()
execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -Wall -Wextra -Wshadow -Wpedantic -Werror
  -include gparray/gparray.hpp ${flags} -x c++ ${source}
  RESULT_VARIABLE status ERROR_VARIABLE report)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the public headers have warnings:\n${report}")
endif()
