# run(COMMAND...): runs it without CUDA on the path; the test fails with its output if it fails.
set(prefix ${work}/moved)

function(run)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=CUDACXX --unset=CUDA_HOME --unset=CUDA_PATH
      --unset=LD_LIBRARY_PATH PATH=/usr/local/bin:/usr/bin:/bin ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(run_consumer program)
  run(${program})
  if(NOT output MATCHES "gparray works")
    message(FATAL_ERROR "${program} printed:\n${output}")
  endif()
endfunction()

# build_consumer(FOLDER PREFIX OPTION...): configures consumer/ against what is installed there, builds and runs it.
function(build_consumer folder prefix)
  file(REMOVE_RECURSE ${work}/${folder})
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/consumer -B ${work}/${folder} -G ${generator}
    -D CMAKE_MAKE_PROGRAM=${make_program} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix} -D gparray_wanted=${version} ${ARGN})
  run(${CMAKE_COMMAND} --build ${work}/${folder})
  run_consumer(${work}/${folder}/consumer)
endfunction()
