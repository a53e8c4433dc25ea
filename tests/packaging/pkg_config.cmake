# A bare compiler command, as in a Makefile.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
run(${pkg_config} --cflags --libs gparray)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${compiler} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/main.cpp -o ${work}/pkg_config_consumer
  ${flags} -Wl,-rpath,${prefix}/${libdir})
run_consumer(${work}/pkg_config_consumer)
run(${pkg_config} --modversion gparray)
string(STRIP "${output}" output)
if(NOT output STREQUAL version)
  message(FATAL_ERROR "gparray.pc says version ${output}, and the library is ${version}")
endif()
