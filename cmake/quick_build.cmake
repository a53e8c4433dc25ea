# The library for the processor at hand alone: of the three levels for which src/host/support/clones.hpp has loops compiled, one.
# The bits of results are the same. What has no loops of its own is compiled with less optimisation.

include(CheckCXXSourceRuns)
target_compile_definitions(gparray_host_objects PRIVATE GPARRAY_ONE_PROCESSOR)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  foreach(level 4 3)
    check_cxx_source_runs("
      int main() { __builtin_cpu_init(); return !__builtin_cpu_supports(\"x86-64-v${level}\"); }" GPARRAY_PROCESSOR_V${level})
    if(GPARRAY_PROCESSOR_V${level})
      target_compile_options(gparray_host_objects PRIVATE -march=x86-64-v${level})
      break()
    endif()
  endforeach()
endif()
# The last -O counts.
if(CMAKE_CROSSCOMPILING)
  # Not to be fast, but to be looked at, in an emulator.
  target_compile_options(gparray_objects PRIVATE $<$<CONFIG:Release>:-O0;-U_FORTIFY_SOURCE>)
  target_compile_options(gparray_host_objects PRIVATE $<$<CONFIG:Release>:-O1>)
else()
  target_compile_options(gparray_objects PRIVATE $<$<CONFIG:Release>:-O1>)
endif()
