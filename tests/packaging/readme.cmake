# The first program of README.md, built by its CMakeLists.txt and by its command, prints what the page says.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${work}/readme)

file(READ ${source}/README.md page)
# page_block(VARIABLE BEGINNING): the text of the first block whose first lines are these.
function(page_block variable beginning)
  string(FIND "${page}" "${beginning}" from)
  if(from EQUAL -1)
    message(FATAL_ERROR "README.md has no block that begins with\n${beginning}")
  endif()
  string(SUBSTRING "${page}" ${from} -1 text)
  string(FIND "${text}" "\n" first_line)
  math(EXPR first_line "${first_line} + 1")
  string(SUBSTRING "${text}" ${first_line} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
page_block(program "```cpp\n")
page_block(expected "```\n[[ 0.")
page_block(project "```cmake\n")
page_block(command "```sh\ng++")

function(check_output what)
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "built by ${what}, the program prints\n${output}and README.md says\n${expected}")
  endif()
endfunction()

file(WRITE ${work}/readme/program.cpp "${program}")
file(WRITE ${work}/readme/CMakeLists.txt "${project}")
run(${CMAKE_COMMAND} -S ${work}/readme -B ${work}/readme/build -G ${generator} -D CMAKE_MAKE_PROGRAM=${make_program}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work}/readme/build)
run(${work}/readme/build/program)
check_output("its CMakeLists.txt")

if(pkg_config)
  # The g++ of the page is the compiler of this build, as only one of them may be new enough.
  string(REGEX REPLACE "^g\\+\\+" "${compiler}" command "${command}")
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
  run(sh -c "cd ${work}/readme && ${command}")
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${prefix}/${libdir} ${work}/readme/program)
  check_output("its command")
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/without_fmt -B ${work}/readme/without_fmt -G ${generator}
  -D CMAKE_MAKE_PROGRAM=${make_program} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
