# libgparray.so: it loads with nothing but the C and C++ libraries, and exports what is marked.

add_library(gparray SHARED ${gparray_all_objects})
target_link_libraries(gparray PRIVATE gparray_dependencies)
gparray_harden(gparray)
gparray_describe_to_users(gparray PUBLIC)
# Before 1.0 a minor release may break the ABI, so the SONAME carries it.
set_target_properties(gparray PROPERTIES
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH_USE_LINK_PATH ON)
# Its threads, and what it does when others end, need its code for as long as the process runs.
target_link_options(gparray PRIVATE LINKER:-z,nodelete)
target_link_options(gparray PRIVATE LINKER:--no-undefined,--exclude-libs,ALL)
# What is exported; tests/packaging/exported_symbols.txt lists it, and scripts/list_symbols writes that list.
set(version_namespace "v${PROJECT_VERSION_MAJOR}_${PROJECT_VERSION_MINOR}")
string(LENGTH ${version_namespace} length)
set(mangled_namespace "7gparray${length}${version_namespace}")
configure_file(cmake/exports.map.in exports.map @ONLY)
target_link_options(gparray PRIVATE LINKER:--version-script=${CMAKE_CURRENT_BINARY_DIR}/exports.map)
set_property(TARGET gparray APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/exports.map)
if(GPARRAY_SANITIZE)
  # The sanitizer runtime is linked into programs, not into libraries, and --no-undefined would miss it.
  target_link_options(gparray PRIVATE LINKER:-z,undefs)
endif()
