# The compiler that builds gparray, and the flags that every file of ours gets.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "gparray needs g++ 12 or newer, and ${CMAKE_CXX_COMPILER} is "
    "${CMAKE_CXX_COMPILER_VERSION}. Install g++-12 and configure with -DCMAKE_CXX_COMPILER=g++-12.")
endif()

if(NOT GPARRAY_SANITIZE MATCHES "^(address|thread)?$")
  message(FATAL_ERROR "GPARRAY_SANITIZE is '${GPARRAY_SANITIZE}'; it may be empty, address or thread.")
endif()

# There are none, and CMake 3.28 and later would run the preprocessor over each file a second time to find that out.
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

# Carries what all of our own targets share: flags that never reach a user's program.
add_library(gparray_flags INTERFACE)
target_compile_features(gparray_flags INTERFACE cxx_std_20)

# Contraction would make a fused expression differ from its steps in the last bit; nvcc must agree with g++.
# NVRTC gets the same flags for the kernels that it compiles at run time: cuda/compiler/compile.cpp.
set(gparray_kernel_float_options -fmad=false)
target_compile_options(gparray_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off ${gparray_kernel_float_options} --expt-relaxed-constexpr>)
# As a plain option, for CMake before 3.26 does not know that nvcc has C++20.
target_compile_options(gparray_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(gparray_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 warns of its own std::string (GCC bug 105651).
    target_compile_options(gparray_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Loops that must not branch say | of two bools; braces that a list may leave out; and libstdc++ 12 uses what
    # it calls deprecated.
    target_compile_options(gparray_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-bitwise-instead-of-logical
      -Wno-unknown-warning-option -Wno-missing-braces -Wno-deprecated-declarations -Wno-pass-failed>)
  endif()
endif()

# g++ collects its garbage before it has much: that took a twentieth of the time, and memory is there.
target_compile_options(gparray_flags INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:--param=ggc-min-heapsize=400000>)

if(GPARRAY_SANITIZE STREQUAL "address")
  # AddressSanitizer finds what is read through a null pointer, and to look for it twice took a seventh of the compiler's time.
  set(sanitizer_flags -fsanitize=address,undefined -fno-sanitize=null,object-size,vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
elseif(GPARRAY_SANITIZE STREQUAL "thread")
  set(sanitizer_flags -fsanitize=thread -fno-omit-frame-pointer)
endif()
if(GPARRAY_LIBFUZZER)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT GPARRAY_SANITIZE STREQUAL "address")
    message(FATAL_ERROR "GPARRAY_LIBFUZZER needs clang and GPARRAY_SANITIZE=address; the preset fuzz has both.")
  endif()
  list(APPEND sanitizer_flags -fsanitize=fuzzer-no-link)
endif()
if(GPARRAY_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # As g++ has it: a macro says what is on, and calls of functions in tables and conversions of numbers too large are not looked at.
  string(TOUPPER ${GPARRAY_SANITIZE} sanitizer)
  list(APPEND sanitizer_flags -D__SANITIZE_${sanitizer}__=1 -fno-sanitize=function,float-cast-overflow)
  if(GPARRAY_SANITIZE STREQUAL "address")
    # Nor what of a function's stack is used after its end: programs took twice as long.
    list(APPEND sanitizer_flags -fsanitize-address-use-after-return=never)
  endif()
endif()
if(GPARRAY_SANITIZE)
  # Other builds warn of the same.
  target_compile_options(gparray_flags INTERFACE ${sanitizer_flags} -w)
  target_link_options(gparray_flags INTERFACE ${sanitizer_flags})
endif()
# What a sanitized program needs in its environment: OpenBLAS synchronises in ways that ThreadSanitizer cannot see.
set(gparray_sanitizer_environment
  UBSAN_OPTIONS=print_stacktrace=1
  TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/thread_sanitizer.txt)
if(GPARRAY_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Names functions in reports; clang knows that of its own version alone.
  find_program(GPARRAY_SYMBOLIZER llvm-symbolizer)
  mark_as_advanced(GPARRAY_SYMBOLIZER)
  if(GPARRAY_SYMBOLIZER)
    string(APPEND gparray_sanitizer_environment ":external_symbolizer_path=${GPARRAY_SYMBOLIZER};ASAN_SYMBOLIZER_PATH=${GPARRAY_SYMBOLIZER}")
  endif()
endif()

# What the loops in src/host are compiled with. They are written to be vectorised, so they are optimised
# even where the rest is not; not in Debug and not under a sanitizer, where steps and reports matter more.
set(gparray_host_options -fno-math-errno -fno-trapping-math -ffp-contract=off -fopenmp-simd)
if(NOT GPARRAY_SANITIZE)
  list(APPEND gparray_host_options $<$<NOT:$<CONFIG:Debug>>:-O3>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # No peeling: an element's bits must not depend on its offset in the array.
  list(APPEND gparray_host_options --param=vect-max-peeling-for-alignment=0)
  # A loop of few instructions that lies across two lines of the instruction cache is slower, and where it lies depends on what
  # the linker puts before it.
  list(APPEND gparray_host_options -falign-loops=32)
endif()

# gparray_precompile(TARGET HEADER...): parses what many files of a target include only once.
set(gparray_standard_headers <algorithm> <array> <atomic> <cmath> <complex> <cstdint> <cstring> <functional> <limits>
  <memory> <mutex> <numeric> <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>
  <fmt/format.h>)
# gparray_precompile(TARGET REUSE_FROM OTHER): takes those of a target with the same flags.
function(gparray_precompile target)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
    # Without this, ccache compiles anew whatever includes a precompiled header.
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()
