# A toolkit that is too old is left out with the reason, unless CUDA was asked for.
cmake_minimum_required(VERSION 3.22)
file(WRITE ${work}/old/nvcc "#!/bin/sh\necho 'Cuda compilation tools, release 12.9, V12.9.86'\n")
file(CHMOD ${work}/old/nvcc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

function(configure with_cuda)
  file(REMOVE_RECURSE ${work}/old/build)
  execute_process(COMMAND ${CMAKE_COMMAND} -G ${generator} -S ${source} -B ${work}/old/build -DGPARRAY_NVCC=${work}/old/nvcc
    -DGPARRAY_WITH_CUDA=${with_cuda} -DGPARRAY_BUILD_TESTS=OFF -DGPARRAY_BUILD_EXAMPLES=OFF -DCMAKE_CXX_COMPILER=${compiler}
    OUTPUT_VARIABLE text ERROR_VARIABLE errors RESULT_VARIABLE status)
  string(REGEX REPLACE "[ \n]+" " " text "${text}${errors}")
  set(text "${text}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

set(reason "nvcc is of CUDA 12.9, and 13.0 is the oldest that will do")
configure(AUTO)
if(NOT status EQUAL 0 OR NOT text MATCHES "CUDA backend no [(][^)]*${reason}[)]")
  message(SEND_ERROR "AUTO: status ${status}\n${text}")
endif()
configure(ON)
if(status EQUAL 0 OR NOT text MATCHES "${reason}")
  message(SEND_ERROR "ON: status ${status}\n${text}")
endif()
