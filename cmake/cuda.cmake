# Decides whether the CUDA backend is built: sets gparray_has_cuda, and enables the language.

if(NOT GPARRAY_WITH_CUDA MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
  message(FATAL_ERROR "GPARRAY_WITH_CUDA is '${GPARRAY_WITH_CUDA}'; it may be AUTO, ON or OFF.")
endif()

set(gparray_has_cuda FALSE)
if(GPARRAY_WITH_CUDA STREQUAL "AUTO" AND GPARRAY_SANITIZE)
  set(gparray_cuda_reason "off in sanitizer builds")
elseif(GPARRAY_WITH_CUDA STREQUAL "AUTO" OR GPARRAY_WITH_CUDA)
  # CUDA's installer does not put nvcc on the PATH.
  find_program(GPARRAY_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin
    PATHS /usr/local/cuda/bin /opt/cuda/bin)
  mark_as_advanced(GPARRAY_NVCC)
  if(GPARRAY_NVCC AND NOT CMAKE_CUDA_COMPILER)
    # A wrapper may outlive the toolkit that it calls.
    execute_process(COMMAND ${GPARRAY_NVCC} --version RESULT_VARIABLE nvcc_status OUTPUT_QUIET ERROR_QUIET)
    if(NOT nvcc_status EQUAL 0)
      set(GPARRAY_NVCC "")
    endif()
  endif()
  if(CMAKE_CUDA_COMPILER OR GPARRAY_NVCC)
    set(gparray_has_cuda TRUE)
  elseif(GPARRAY_WITH_CUDA STREQUAL "AUTO")
    set(gparray_cuda_reason "nvcc not found")
  else()
    message(FATAL_ERROR "GPARRAY_WITH_CUDA is ON, but no working nvcc was found on the PATH or in "
      "/usr/local/cuda/bin. Install the CUDA toolkit, or name it with "
      "-DCMAKE_CUDA_COMPILER=/path/to/bin/nvcc, or build the CPU backend alone with -DGPARRAY_WITH_CUDA=OFF.")
  endif()
else()
  set(gparray_cuda_reason "switched off")
endif()

if(gparray_has_cuda)
  if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER "${GPARRAY_NVCC}")
  endif()
  if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
