# Compiles the files of a room of the core together: what takes time is what all of them include and instantiate.
# Names in anonymous namespaces must differ within a room.

foreach(source IN LISTS core_sources)
  string(REGEX MATCH "/src/(.*)/[^/]*$" room ${source})
  string(REPLACE "/" "_" room ${CMAKE_MATCH_1})
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
endforeach()
# They open namespace core in the public one, where others would find private names before public ones.
foreach(name array/dlpack files/npy kernels/raw_launch files/text_files)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/${name}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
set_target_properties(gparray_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
# g++ takes an anonymous namespace outside the main file for a header's.
target_compile_options(gparray_objects PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
