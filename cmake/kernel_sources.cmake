# Generates embedded_kernels.cpp: the text of everything that a kernel compiled at run time may include.

file(GLOB_RECURSE kernel_texts CONFIGURE_DEPENDS src/kernel/*.hpp src/kernel/*.def)
foreach(name config.hpp float16.hpp ufunc_math.hpp dtypes.def ufuncs.def reductions.def)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/gparray/${name})
    list(APPEND kernel_texts ${PROJECT_SOURCE_DIR}/include/gparray/${name})
  endif()
endforeach()

set(gparray_embedded_kernels ${PROJECT_BINARY_DIR}/generated/embedded_kernels.cpp)
add_custom_command(
  OUTPUT ${gparray_embedded_kernels}
  COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
          ${gparray_embedded_kernels} ${PROJECT_SOURCE_DIR} ${kernel_texts}
  DEPENDS cmake/embed_kernels.cmake ${kernel_texts}
  COMMENT "Embedding kernel sources"
  VERBATIM)
