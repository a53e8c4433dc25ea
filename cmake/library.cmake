# The library: objects compiled once, linked into libgparray.so and into the tests of private code.

# The CPU's loops have options of their own, and so has what needs CUDA: a file's room says which are its.
include(cmake/parts.cmake)
file(GLOB_RECURSE host_sources CONFIGURE_DEPENDS src/host/*.cpp)
file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS src/*.cpp)
list(FILTER core_sources EXCLUDE REGEX "/src/(host|distributed)/")
file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS cuda/*.cpp cuda/*.cu)

# It stands for fmt's library, whose templates no other file may see.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/format/fmt_library.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# OpenBLAS is loaded at first use: from here if not from where the loader looks.
set(gparray_openblas_folder "")
if(GPARRAY_OPENBLAS)
  get_filename_component(gparray_openblas_folder ${GPARRAY_OPENBLAS} DIRECTORY)
endif()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/host/support/openblas.cpp APPEND PROPERTY
  COMPILE_DEFINITIONS GPARRAY_OPENBLAS_FOLDER="${gparray_openblas_folder}")

# What show_config() says of the build. The commit is that of the last configuration.
set(gparray_commit "")
find_program(GPARRAY_GIT git)
mark_as_advanced(GPARRAY_GIT)
if(GPARRAY_GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GPARRAY_GIT} -C ${PROJECT_SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE gparray_commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/core/show_config.cpp APPEND PROPERTY
  COMPILE_DEFINITIONS GPARRAY_COMMIT="${gparray_commit}" GPARRAY_BUILD_TYPE="$<CONFIG>")

function(gparray_add_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PRIVATE gparray_dependencies)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${name} PRIVATE $<$<BOOL:${gparray_has_cuda}>:GPARRAY_HAS_CUDA=1>)
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
    CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  # Objects in static storage are never destroyed: those of a program, which may compute, go later. g++ cannot know.
  target_compile_options(${name} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Werror=exit-time-destructors>)
  gparray_precompile(${name} ${gparray_standard_headers})
endfunction()

gparray_add_objects(gparray_objects ${core_sources})
gparray_harden(gparray_objects)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns of its own std::string once that comes from a precompiled header.
  target_compile_options(gparray_objects PRIVATE -Wno-stringop-overflow)
endif()
if(GPARRAY_UNITY_BUILD AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  include(cmake/unity.cmake)
  gparray_join_rooms(gparray_objects ${core_sources})
  # They open namespace core in the public one, where others would find private names before public ones.
  foreach(name array/dlpack files/npy kernels/raw_launch files/text_files)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/${name}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endif()

gparray_add_objects(gparray_host_objects ${gparray_host_parts} ${host_sources})
gparray_harden(gparray_host_objects LOOPS)
target_compile_options(gparray_host_objects PRIVATE ${gparray_host_options})
target_compile_definitions(gparray_host_objects PRIVATE $<$<BOOL:${GPARRAY_HAS_LIBMVEC}>:GPARRAY_LIBMVEC>)
if(GPARRAY_HAS_VQSORT)
  target_include_directories(gparray_host_objects SYSTEM PRIVATE ${GPARRAY_HIGHWAY_INCLUDE_DIR})
  # Else g++ copies tables that are constants of Highway's functions to the stack, each time one is read.
  # AddressSanitizer takes them to be there.
  if(NOT GPARRAY_SANITIZE)
    set_source_files_properties(src/host/sorting/vector_sort.cpp PROPERTIES COMPILE_OPTIONS -fmerge-all-constants)
  endif()
endif()
if(GPARRAY_QUICK_BUILD)
  include(cmake/quick_build.cmake)
endif()
set(gparray_all_objects $<TARGET_OBJECTS:gparray_objects> $<TARGET_OBJECTS:gparray_host_objects>)

if(gparray_has_cuda)
  include(cmake/kernel_sources.cmake)
  gparray_add_objects(gparray_cuda_objects ${gparray_cuda_parts} ${cuda_sources} ${gparray_embedded_kernels})
  gparray_harden(gparray_cuda_objects)
  target_include_directories(gparray_cuda_objects PRIVATE ${PROJECT_SOURCE_DIR})
  list(JOIN gparray_kernel_float_options "\",\"" float_options)
  set_source_files_properties(cuda/compiler/compile.cpp PROPERTIES
    COMPILE_DEFINITIONS "GPARRAY_KERNEL_FLOAT_OPTIONS=\"${float_options}\"")
  list(JOIN CMAKE_CUDA_ARCHITECTURES " " architectures)
  set_source_files_properties(cuda/configuration.cpp PROPERTIES COMPILE_DEFINITIONS
    "GPARRAY_NVCC_VERSION=\"${CMAKE_CUDA_COMPILER_VERSION}\";GPARRAY_CUDA_ARCHITECTURES=\"${architectures}\"")
  # Thousands of small kernels: this makes them several times smaller; each is unpacked once, when first used.
  if(NOT CMAKE_CUDA_FLAGS MATCHES "--compress-mode")
    target_compile_options(gparray_cuda_objects PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
  endif()
  target_include_directories(gparray_cuda_objects SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  list(APPEND gparray_all_objects $<TARGET_OBJECTS:gparray_cuda_objects>)
endif()

# libgparray.so and libgparray.a are made of these objects: both, or with BUILD_SHARED_LIBS=OFF the archive alone, which then is what
# the name gparray means.
function(gparray_describe_to_users target)
  target_compile_features(${target} ${ARGV1} cxx_std_20)
  target_include_directories(${target} ${ARGV1}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
if(GPARRAY_BUILD_STATIC OR NOT GPARRAY_BUILD_SHARED)
  include(cmake/static_library.cmake)
endif()
if(GPARRAY_BUILD_SHARED)
  include(cmake/shared_library.cmake)
else()
  add_library(gparray INTERFACE)
  target_link_libraries(gparray INTERFACE gparray_static)
endif()
add_library(gparray::gparray ALIAS gparray)
# For <gparray/format.hpp>: fmt beside the library, which has one of its own inside.
add_library(gparray_format INTERFACE)
add_library(gparray::format ALIAS gparray_format)
set_target_properties(gparray_format PROPERTIES EXPORT_NAME format)
target_link_libraries(gparray_format INTERFACE gparray fmt::fmt)
if(GPARRAY_BUILD_SHARED)
  include(cmake/distributed.cmake)
endif()
