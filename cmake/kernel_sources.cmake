# Generates embedded_kernels.cpp: the text of everything that a kernel compiled at run time may include.

file(GLOB_RECURSE kernel_texts CONFIGURE_DEPENDS src/kernel/*.hpp src/kernel/*.def)
foreach(name config.hpp float16.hpp ufunc_math.hpp dtypes.def ufuncs.def reductions.def random.def)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/gparray/${name})
    list(APPEND kernel_texts ${PROJECT_SOURCE_DIR}/include/gparray/${name})
  endif()
endforeach()
# What generated kernels instantiate, and what stands in for headers that a run-time compiler lacks.
list(APPEND kernel_texts ${PROJECT_SOURCE_DIR}/src/core/plan_elements.hpp)
foreach(name division.hpp block_place.cuh earlier_work.cuh map_params.hpp reduce_params.hpp jit_params.hpp elements.cuh lanes.cuh map_kernels.cuh
    reduce_state.cuh reduce_tiles.cuh reduce_inner.cuh reduce_columns.cuh computed_rows.cuh resident_params.hpp
    resident_kernel.cuh resident_points.cuh reduce_whole.cuh)
  list(APPEND kernel_texts ${PROJECT_SOURCE_DIR}/cuda/${name})
endforeach()
foreach(name cstdint gparray/dtype.hpp kernel/cast.hpp kernel/joined_reductions.hpp)
  list(APPEND kernel_texts ${PROJECT_SOURCE_DIR}/cuda/run_time/${name})
endforeach()

set(gparray_embedded_kernels ${PROJECT_BINARY_DIR}/generated/embedded_kernels.cpp)
add_custom_command(
  OUTPUT ${gparray_embedded_kernels}
  COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
          ${gparray_embedded_kernels} ${PROJECT_SOURCE_DIR} ${kernel_texts}
  DEPENDS cmake/embed_kernels.cmake ${kernel_texts}
  COMMENT "Embedding kernel sources"
  VERBATIM)
