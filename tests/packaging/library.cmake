# The installed library: its SONAME carries the version, it needs nothing but the C and C++ libraries to load, and it
# exports the names of a list.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(library ${prefix}/${libdir}/libgparray.so)

run(readelf -dW ${library})
string(REGEX REPLACE "^([0-9]+\\.[0-9]+).*" "\\1" soversion ${version})
if(NOT output MATCHES "SONAME[^\n]*\\[libgparray\\.so\\.${soversion}\\]")
  message(FATAL_ERROR "SONAME is not libgparray.so.${soversion}:\n${output}")
endif()
# Others are compiled in, hidden (fmt, Highway), or loaded when first used. libmvec belongs to the C library.
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${output}")
if(NOT needed)
  message(FATAL_ERROR "no needed libraries are found in:\n${output}")
endif()
list(FILTER needed EXCLUDE REGEX "[[](libc|libm|libmvec|libstdc[+][+]|libgcc_s|libdl|libpthread|librt|ld-linux[^.]*)[.]so")
if(needed)
  message(FATAL_ERROR "the library cannot load without ${needed}")
endif()
if(output MATCHES "R(UN)?PATH[^\n]*(${build}|cuda)")
  message(FATAL_ERROR "the library's search path names a folder of the build machine:\n${output}")
endif()

run(${CMAKE_COMMAND} -D library=${library} -D list=${CMAKE_CURRENT_LIST_DIR}/exported_symbols.txt -D compare=ON
  -P ${CMAKE_CURRENT_LIST_DIR}/exported_symbols.cmake)
run(nm -DC --defined-only ${library})
string(REGEX MATCHALL "[^\n]+" symbols "${output}")
list(FILTER symbols EXCLUDE REGEX " [A-Za-z] ([a-z ]+ (for|to) )?(.*[ (&*<])?gparray::")
if(symbols)
  list(JOIN symbols "\n  " symbols)
  message(FATAL_ERROR "the library exports names that are not its own:\n  ${symbols}")
endif()
# Half of what it exported were once these: clones for several processors, and what chooses among them.
if(output MATCHES "clone [.]resolver|gparray::v[0-9_]+::host::[a-z]")
  message(FATAL_ERROR "the library exports private loops: ${CMAKE_MATCH_0}")
endif()
