cmake_minimum_required(VERSION 3.22)
include(${source}/cmake/architectures.cmake)

function(write_program name status)
  list(JOIN ARGN "\n" lines)
  file(WRITE ${work}/${name} "#!/bin/sh\ncat <<'END'\n${lines}\nEND\nexit ${status}\n")
  file(CHMOD ${work}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# The last arguments are what nvidia-smi prints.
function(expect wanted status)
  write_program(nvidia-smi ${status} ${ARGN})
  set(GPARRAY_NVIDIA_SMI ${work}/nvidia-smi CACHE FILEPATH "" FORCE)
  gparray_choose_architectures(chosen ${work}/nvcc)
  if(NOT chosen STREQUAL wanted)
    message(SEND_ERROR "for '${ARGN}': ${chosen}, not ${wanted}")
  endif()
endfunction()

# Of CUDA 13.0, in its own order.
write_program(nvcc 0 sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_100 sm_110 sm_103 sm_120 sm_121)
set(portable 75-real 80-real 86-real 89-real 90-real 100-real 120)
expect("${portable}" 9 "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.")
expect("${portable}" 0 "No devices were found")
expect("90-real" 0 9.0)
expect("90-real" 0 9.0 9.0)
expect("86-real;120-real" 0 12.0 8.6 8.6)
# A GPU that nvcc does not know takes what it has for the next older one; an old one has nothing.
expect("121-virtual" 0 13.5)
expect("90-virtual" 0 9.5)
expect("${portable}" 0 6.1)
expect("75-real" 0 6.1 7.5)
# An older nvcc.
write_program(nvcc 0 sm_52 sm_70 sm_75 sm_80 sm_86 sm_87 sm_89 sm_90)
expect("75-real;80-real;86-real;89-real;90" 9 "")
expect("90-virtual" 0 10.0)
