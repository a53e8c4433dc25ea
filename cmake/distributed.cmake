# gparray::distributed: a library of its own upon the public headers, for programs of several processes. It takes along what
# of src/support and of fmt it needs, hidden as in the other.
file(GLOB_RECURSE distributed_sources CONFIGURE_DEPENDS src/distributed/*.cpp)
gparray_add_objects(gparray_distributed_objects ${distributed_sources}
  src/support/cuda_folders.cpp src/support/errors.cpp src/support/fork.cpp src/support/log.cpp src/support/output_file.cpp
  src/support/shared_library.cpp src/format/fmt_library.cpp)
gparray_harden(gparray_distributed_objects)
if(COMMAND gparray_join_rooms)
  gparray_join_rooms(gparray_distributed_objects ${distributed_sources})
endif()

add_library(gparray_distributed SHARED $<TARGET_OBJECTS:gparray_distributed_objects>)
add_library(gparray::distributed ALIAS gparray_distributed)
gparray_harden(gparray_distributed)
target_link_libraries(gparray_distributed PUBLIC gparray PRIVATE gparray_dependencies)
set_target_properties(gparray_distributed PROPERTIES
  EXPORT_NAME distributed
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH "$ORIGIN")
target_link_options(gparray_distributed PRIVATE LINKER:--exclude-libs,ALL)
if(NOT GPARRAY_SANITIZE)
  target_link_options(gparray_distributed PRIVATE LINKER:--no-undefined)
endif()
configure_file(cmake/distributed_exports.map.in distributed_exports.map @ONLY)
target_link_options(gparray_distributed PRIVATE LINKER:--version-script=${CMAKE_CURRENT_BINARY_DIR}/distributed_exports.map)
set_property(TARGET gparray_distributed APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/distributed_exports.map)
