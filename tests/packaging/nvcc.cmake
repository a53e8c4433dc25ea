# nvcc reads the headers, in a project with the languages CXX and CUDA, without a warning. Runs where there is a GPU.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(consumer ${work}/nvcc)
file(REMOVE_RECURSE ${consumer})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/nvcc -B ${consumer} -G ${generator} -D CMAKE_MAKE_PROGRAM=${make_program}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CUDA_HOST_COMPILER=${compiler} -D CMAKE_CUDA_COMPILER=${nvcc}
  -D CMAKE_CUDA_ARCHITECTURES=${architectures} -D CMAKE_PREFIX_PATH=${prefix} -D gparray_wanted=${version})
run(${CMAKE_COMMAND} --build ${consumer})
# ninja prints what nvcc says, and nvcc has warnings that no option makes an error.
if(output MATCHES "warning")
  message(FATAL_ERROR "nvcc warns:\n${output}")
endif()
run(${consumer}/consumer)
if(NOT output MATCHES "gparray works|no GPU")
  message(FATAL_ERROR "the program printed:\n${output}")
endif()
