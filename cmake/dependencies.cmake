# What the library links to. Nothing is downloaded; scripts/bootstrap installs what is missing.

include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)

# Not linked: it is loaded when the first product or factorisation is computed.
find_library(GPARRAY_OPENBLAS openblas PATH_SUFFIXES openblas-pthread openblas)
mark_as_advanced(GPARRAY_OPENBLAS)

# Highway's vector sort, two to four times as fast as ours by digits; the results are the same without it.
find_package(hwy CONFIG QUIET)
set(GPARRAY_HAS_VQSORT FALSE)
if(TARGET hwy::hwy_contrib)
  set(GPARRAY_HAS_VQSORT TRUE)
endif()

# glibc's vector mathematics grew to the functions that src/host calls in 2.35; earlier ones lack tanh and others.
cmake_push_check_state(RESET)
set(CMAKE_REQUIRED_LIBRARIES mvec m)
check_cxx_source_compiles("
  #include <features.h>
  #if !__GLIBC_PREREQ(2, 36)
  #error too old
  #endif
  extern \"C\" void _ZGVbN4v_tanhf();
  int main() { _ZGVbN4v_tanhf(); }" GPARRAY_HAS_LIBMVEC)
cmake_pop_check_state()

# The private dependencies of the objects, shared by the library and by the tests of private code.
add_library(gparray_dependencies INTERFACE)
target_link_libraries(gparray_dependencies INTERFACE
  gparray_flags fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
if(GPARRAY_HAS_LIBMVEC)
  target_link_libraries(gparray_dependencies INTERFACE mvec m)
endif()
if(GPARRAY_HAS_VQSORT)
  target_link_libraries(gparray_dependencies INTERFACE hwy::hwy_contrib)
endif()
if(gparray_has_cuda)
  # Static, so that the library loads on machines without CUDA; all other CUDA libraries are loaded when used.
  target_link_libraries(gparray_dependencies INTERFACE $<LINK_ONLY:CUDA::cudart_static>)
endif()
