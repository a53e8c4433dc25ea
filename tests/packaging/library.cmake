# The installed library: its SONAME carries the version, it needs no CUDA library to load, and it exports nothing
# but gparray's own names.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(library ${prefix}/${libdir}/libgparray.so)

run(readelf -dW ${library})
string(REGEX REPLACE "^([0-9]+\\.[0-9]+).*" "\\1" soversion ${version})
if(NOT output MATCHES "SONAME[^\n]*\\[libgparray\\.so\\.${soversion}\\]")
  message(FATAL_ERROR "SONAME is not libgparray.so.${soversion}:\n${output}")
endif()
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${output}")
list(FILTER needed INCLUDE REGEX "cuda|cublas|cufft|curand|cusolver|cusparse|nvrtc")
if(needed)
  message(FATAL_ERROR "the library cannot load without CUDA: ${needed}")
endif()
if(output MATCHES "R(UN)?PATH[^\n]*(${build}|cuda)")
  message(FATAL_ERROR "the library's search path names a folder of the build machine:\n${output}")
endif()

run(nm -DC --defined-only ${library})
string(REGEX MATCHALL "[^\n]+" symbols "${output}")
list(FILTER symbols EXCLUDE REGEX " [A-Za-z] ([a-z ]+ for )?(.*[ (&*<])?gparray::")
# Templates of the standard library that gparray instantiates are weak, and shared by all of a process.
list(FILTER symbols EXCLUDE REGEX " [VWu] .*std::")
if(symbols)
  list(JOIN symbols "\n  " symbols)
  message(FATAL_ERROR "the library exports names that are not its own:\n  ${symbols}")
endif()
