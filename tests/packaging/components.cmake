include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(project ${work}/components)
file(REMOVE_RECURSE ${project})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/components -B ${project} -G ${generator} -D CMAKE_MAKE_PROGRAM=${make_program}
  -D CMAKE_PREFIX_PATH=${prefix} -D has_cuda=${has_cuda} -D has_static=${has_static} "-D architectures=${architectures}")
