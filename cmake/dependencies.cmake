# What the library links to. Nothing is downloaded; scripts/bootstrap installs what is missing.

find_package(Threads REQUIRED)

# fmt is part of the library, hidden: a user's program may use another version of it, or none.
if(NOT TARGET fmt::fmt)
  find_package(fmt QUIET)
  if(NOT fmt_FOUND)
    message(FATAL_ERROR "gparray is compiled with fmt, which was not found. Install libfmt-dev (fmt-devel on Fedora, fmt elsewhere), add "
      "its prefix to CMAKE_PREFIX_PATH, or, in a project that has its own fmt, add that before gparray.")
  endif()
  # For gparray::format, which a project that has this one as a subproject links.
  foreach(target fmt::fmt fmt::fmt-header-only)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
    endif()
  endforeach()
endif()
add_library(gparray_own_fmt INTERFACE)
target_include_directories(gparray_own_fmt SYSTEM INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
# src/format/fmt_library.cpp compiles what fmt keeps in its library, as version 9 declares it; of others each of our
# files compiles its share, which takes longer.
if(NOT fmt_VERSION MATCHES "^9[.]")
  target_compile_definitions(gparray_own_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

# Not linked: it is loaded when the first product or factorisation is computed.
find_library(GPARRAY_OPENBLAS NAMES openblas openblasp openblaso PATH_SUFFIXES openblas-pthread openblas)
mark_as_advanced(GPARRAY_OPENBLAS)

# Highway's vector sort, two to four times as fast as ours by digits; the results are the same without it. It is part
# of the library, compiled from headers, of which src/host/sorting/vector_sort.cpp knows those of Highway 1.0 to 1.4.
find_path(GPARRAY_HIGHWAY_INCLUDE_DIR hwy/contrib/sort/vqsort-inl.h)
mark_as_advanced(GPARRAY_HIGHWAY_INCLUDE_DIR)
set(GPARRAY_HAS_VQSORT FALSE)
if(GPARRAY_HIGHWAY_INCLUDE_DIR AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  file(STRINGS ${GPARRAY_HIGHWAY_INCLUDE_DIR}/hwy/contrib/sort/vqsort.h known_interface REGEX "void Fill24Bytes\\(")
  if(known_interface)
    set(GPARRAY_HAS_VQSORT TRUE)
  endif()
endif()

# glibc's vector mathematics is looked up when the library is loaded, so what matters is not the glibc that is here: its
# functions for x86 have known names, and g++ alone has a way to declare them.
set(GPARRAY_HAS_LIBMVEC FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(GPARRAY_HAS_LIBMVEC TRUE)
endif()

# The private dependencies of the objects, shared by the library and by the tests of private code.
add_library(gparray_dependencies INTERFACE)
target_link_libraries(gparray_dependencies INTERFACE
  gparray_flags gparray_own_fmt Threads::Threads ${CMAKE_DL_LIBS})
if(GPARRAY_HAS_VQSORT)
  target_compile_definitions(gparray_dependencies INTERFACE GPARRAY_HAS_VQSORT)
endif()
if(gparray_has_cuda)
  # Static, so that the library loads on machines without CUDA; all other CUDA libraries are loaded when used.
  target_link_libraries(gparray_dependencies INTERFACE $<LINK_ONLY:CUDA::cudart_static>)
endif()
