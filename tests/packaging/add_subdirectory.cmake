# Configures the tree as a subproject and compiles a user's file against it. The library itself is not built
# again: subproject/CMakeLists.txt checks what its targets say.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(consumer ${work}/add_subdirectory)
file(REMOVE_RECURSE ${consumer})
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -G ${generator} -D CMAKE_MAKE_PROGRAM=${make_program}
  -D CMAKE_CXX_COMPILER=${compiler} -D gparray_source=${source})
run(${configure} -B ${consumer})
file(READ ${consumer}/include_directories.txt includes)
set(flags "")
foreach(directory IN LISTS includes)
  list(APPEND flags -I ${directory})
endforeach()
run(${compiler} -std=c++20 -fsyntax-only ${flags} ${CMAKE_CURRENT_LIST_DIR}/consumer/main.cpp)
run(${configure} -B ${consumer}/static -D BUILD_SHARED_LIBS=OFF)
