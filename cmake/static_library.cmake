# libgparray.a, of the objects of libgparray.so, for programs that are to be one file. It holds one object, in which all calls
# between ours are resolved, with CUDA's runtime in it; so a program links nothing but libraries of the system, nothing of ours is
# left out for want of a caller, and fmt and the CUDA runtime inside do not clash with those of the program.

set(gparray_joined_object ${CMAKE_CURRENT_BINARY_DIR}/gparray_joined.o)
set(parts ${gparray_all_objects})
if(gparray_has_cuda)
  list(APPEND parts $<TARGET_FILE:CUDA::cudart_static>)
endif()
# In a file, as a command cannot be that long.
file(GENERATE OUTPUT gparray_joined.txt CONTENT "$<JOIN:$<FILTER:${parts},EXCLUDE,[.]gch$>,\n>\n")
add_custom_command(OUTPUT ${gparray_joined_object}
  COMMAND ${CMAKE_COMMAND} -D linker=${CMAKE_LINKER} -D nm=${CMAKE_NM} -D objcopy=${CMAKE_OBJCOPY}
    -D parts=${CMAKE_CURRENT_BINARY_DIR}/gparray_joined.txt -D joined=${gparray_joined_object}
    -P ${PROJECT_SOURCE_DIR}/cmake/join_objects.cmake
  DEPENDS ${gparray_all_objects} ${PROJECT_SOURCE_DIR}/cmake/join_objects.cmake ${CMAKE_CURRENT_BINARY_DIR}/gparray_joined.txt
  COMMENT "Joining the library's objects" VERBATIM)
set_source_files_properties(${gparray_joined_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)

add_library(gparray_static STATIC ${gparray_joined_object})
add_library(gparray::gparray_static ALIAS gparray_static)
gparray_describe_to_users(gparray_static INTERFACE)
set_target_properties(gparray_static PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME gparray)
# By the linker's names: an installed package must not ask where these are.
set(gparray_static_libraries pthread ${CMAKE_DL_LIBS} m)
if(gparray_has_cuda)
  list(APPEND gparray_static_libraries rt)
endif()
target_link_libraries(gparray_static INTERFACE ${gparray_static_libraries})
