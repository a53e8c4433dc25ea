# gparray_join_tests(JOINED_VARIABLE FILE...): the sources to compile instead of test files, several of them in one.
# What takes time is what all of them include and instantiate.
#
# A test file is included in a namespace of its own, for names of files may clash, after all headers that it wants,
# which are then not included again. So it needs to know nothing of this; but one with #if in it, where an include
# may hang on a condition, is compiled alone.

# Bytes of test files in one source: more saves little, takes a compiler's memory, and makes an edit wait.
set(gparray_joined_size 45000)

# A source meets only files of rooms whose names begin alike, so that a new file leaves most of them as they are.
function(gparray_join_tests joined_variable)
  set(result "")
  set(files "")
  set(size 0)
  set(group "")
  foreach(file IN LISTS ARGN)
    file(STRINGS ${file} conditions REGEX "^ *# *if")
    if(conditions)
      list(APPEND result ${file})
      continue()
    endif()
    file(RELATIVE_PATH room ${CMAKE_CURRENT_SOURCE_DIR} ${file})
    string(REGEX MATCH "^((core|cuda|host)/)?." beginning ${room})
    file(SIZE ${file} bytes)
    math(EXPR size "${size} + ${bytes}")
    if(NOT beginning STREQUAL group OR size GREATER gparray_joined_size)
      gparray_join_files(result ${files})
      set(files "")
      set(size ${bytes})
      set(group ${beginning})
    endif()
    list(APPEND files ${file})
  endforeach()
  gparray_join_files(result ${files})
  set(${joined_variable} ${result} PARENT_SCOPE)
endfunction()

# Named after the first file, in a folder of their own.
macro(gparray_join_files result_variable)
  set(arguments ${ARGN})
  list(LENGTH arguments count)
  if(count GREATER 1)
    list(GET arguments 0 first)
    get_filename_component(first ${first} NAME)
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${first})
    add_custom_command(OUTPUT ${joined}
      COMMAND ${CMAKE_COMMAND} -D "files=${arguments}" -D joined=${joined} -P ${PROJECT_SOURCE_DIR}/cmake/join_files.cmake
      DEPENDS ${arguments} ${PROJECT_SOURCE_DIR}/cmake/join_files.cmake
      COMMENT "Joining test files from ${first}" VERBATIM)
    list(APPEND ${result_variable} ${joined})
  else()
    list(APPEND ${result_variable} ${arguments})
  endif()
endmacro()
