# cmake -D linker=.. -D nm=.. -D objcopy=.. -D parts=FILE -D joined=FILE.o -P join_objects.cmake: links the objects that a file lists
# into one, in which what is not gparray's own is local. Templates and inline functions stay: the linker keeps one of each, and a group
# of them must keep its names.
cmake_policy(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${status}): ${command}\n${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${linker} -r -o ${joined} @${parts})
run(${nm} --extern-only --defined-only ${joined})
string(REGEX MATCHALL "[^\n]+" symbols "${output}")
list(FILTER symbols INCLUDE REGEX " [ABDRTS] ")
list(FILTER symbols EXCLUDE REGEX " _Z[A-Z]*7gparray")
list(TRANSFORM symbols REPLACE "^.* " "")
list(JOIN symbols "\n" symbols)
file(WRITE ${joined}.local "${symbols}\n")
run(${objcopy} --localize-symbols=${joined}.local ${joined})
