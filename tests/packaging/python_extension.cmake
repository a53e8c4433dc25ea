include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(example ${source}/examples/python_extension)
set(extension ${work}/python_extension)
file(REMOVE_RECURSE ${extension})
run(${CMAKE_COMMAND} -S ${example} -B ${extension} -G ${generator} -D CMAKE_MAKE_PROGRAM=${make_program}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=
  -D Python_EXECUTABLE=${test_python})
run(${CMAKE_COMMAND} --build ${extension})
run(${CMAKE_COMMAND} -E env PYTHONPATH=${extension} PYTHONDONTWRITEBYTECODE=1 ${test_python} ${example}/test_clusters.py)
if(NOT output MATCHES "test_numpy passed")
  message(FATAL_ERROR "test_clusters.py printed:\n${output}")
endif()
