# Generates embedded_kernels.cpp: the text of everything that a kernel compiled at run time may include.

# gparray_collect_texts(VARIABLE FILE...): the files, and those of cuda/ and src/plan that they include.
function(gparray_collect_texts variable)
  set(found ${${variable}})
  foreach(name IN LISTS ARGN)
    set(file ${PROJECT_SOURCE_DIR}/${name})
    if(NOT EXISTS ${file})
      set(file ${PROJECT_SOURCE_DIR}/src/${name})
    endif()
    if(NOT file IN_LIST found)
      list(APPEND found ${file})
      file(STRINGS ${file} includes REGEX "^#include <(cuda|plan)/")
      list(TRANSFORM includes REPLACE "^#include <(.*)>.*" "\\1")
      gparray_collect_texts(found ${includes})
    endif()
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# What generated kernels name: kernel_includes in cuda/fusion/jit_source.cpp, and cuda/graph/persistent_source.cpp.
set(cuda_texts "")
gparray_collect_texts(cuda_texts cuda/map/map_kernels.cuh cuda/reduction/reduce_inner.cuh cuda/reduction/reduce_columns.cuh
  cuda/reduction/reduce_neighbours.cuh cuda/reduction/reduce_whole.cuh cuda/reduction/computed_rows.cuh
  cuda/reduction/computed_runs.cuh cuda/reduction/computed_scans.cuh cuda/reduction/reduce_scanned.cuh cuda/reduction/row_chain.cuh cuda/graph/persistent_kernel.cuh
  cuda/map/persistent_points.cuh cuda/map/interleaved_kernels.cuh
  cuda/map/short_rows.cuh cuda/map/stencil_map.cuh cuda/map/broadcast_map.cuh)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cuda_texts})
# And what stands in for headers that a run-time compiler lacks.
file(GLOB_RECURSE kernel_texts CONFIGURE_DEPENDS src/kernel/*.hpp include/gparray/tables/*.def cuda/compiler/run_time/*)
foreach(name config.hpp dtype/float16.hpp ufunc/ufunc_math.hpp)
  list(APPEND kernel_texts ${PROJECT_SOURCE_DIR}/include/gparray/${name})
endforeach()
list(APPEND kernel_texts ${cuda_texts})

set(gparray_embedded_kernels ${PROJECT_BINARY_DIR}/generated/embedded_kernels.cpp)
add_custom_command(
  OUTPUT ${gparray_embedded_kernels}
  COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
          ${gparray_embedded_kernels} ${PROJECT_SOURCE_DIR} ${kernel_texts}
  DEPENDS cmake/embed_kernels.cmake ${kernel_texts}
  COMMENT "Embedding kernel sources"
  VERBATIM)
