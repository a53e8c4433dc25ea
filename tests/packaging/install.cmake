# Installs, then moves the tree: an absolute path in any installed file breaks the tests that use it.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${work}/installed ${prefix})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/installed)
file(RENAME ${work}/installed ${prefix})

# Every public header and table is there.
file(GLOB_RECURSE wanted RELATIVE ${source}/include ${source}/include/gparray/*)
foreach(file IN LISTS wanted)
  if(NOT EXISTS ${prefix}/include/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

file(GLOB_RECURSE texts ${prefix}/*.cmake ${prefix}/*.pc)
foreach(file IN LISTS texts)
  file(READ ${file} text)
  foreach(private IN ITEMS ${source} ${build} ${work} fmt::fmt)
    string(FIND "${text}" "${private}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names '${private}', which users do not have")
    endif()
  endforeach()
endforeach()
