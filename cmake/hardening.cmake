# What makes a defect of the library harder to use against the program that loads it, where it costs nothing in the loops:
# canaries on the stack, checked calls of the C library, marked targets of indirect jumps, and tables of addresses that cannot be
# written after the library is loaded. tests/packaging/library.cmake reads the result. Sanitizers look closer, and want the plain calls.
option(GPARRAY_HARDENING "Compile and link the library with the compiler's protections" ON)

# gparray_harden(TARGET [LOOPS]): an object or a shared library of ours. Loops get no canaries: they made FFTs of 64 points, whose
# buffers are on the stack, a fifth slower. Elsewhere -strong added 25 ns to a call of 165, the plain option, for texts, 12.
function(gparray_harden target)
  if(NOT GPARRAY_HARDENING OR GPARRAY_SANITIZE)
    return()
  endif()
  set(options "")
  if(NOT ARGV1 STREQUAL "LOOPS")
    set(options -fstack-protector)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND options -fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(APPEND options -mbranch-protection=standard)
  endif()
  # Needs an optimiser; a distribution may have set it to another number.
  set(fortify -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  list(JOIN options "," host_options)
  list(JOIN fortify "," host_fortify)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${options}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_options}>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:${fortify}>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:-Xcompiler=${host_fortify}>)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "OBJECT_LIBRARY")
    target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  endif()
endfunction()
