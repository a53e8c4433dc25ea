# gparray_join_rooms(TARGET SOURCE...): compiles the files of a room together: what takes time is what all of them include and
# instantiate. Names in anonymous namespaces must differ within a room.
function(gparray_join_rooms target)
  foreach(source IN LISTS ARGN)
    string(REGEX MATCH "/src/(.*)/[^/]*$" room ${source})
    string(REPLACE "/" "_" room ${CMAKE_MATCH_1})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes an anonymous namespace outside the main file for a header's.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
