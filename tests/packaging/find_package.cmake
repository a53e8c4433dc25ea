include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(consumer ${work}/find_package)
file(REMOVE_RECURSE ${consumer})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${consumer} -G ${generator} -D CMAKE_MAKE_PROGRAM=${make_program}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix} -D gparray_wanted=${version})
run(${CMAKE_COMMAND} --build ${consumer})
run_consumer(${consumer}/consumer)
