# Compiles small files of the core together: what takes time is what all of them include and instantiate.
#
# A file's group follows from its name alone, so that a new file meets no others than those of its group: its
# family, if that is large, else its first letter. Names in anonymous namespaces must differ within a group.

set(large_families fft|linalg|manipulation|random|solver|sparse|user)
foreach(source IN LISTS core_sources)
  if(source MATCHES "/src/core/((${large_families})_|.)[^/]*$")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP core_${CMAKE_MATCH_1})
  elseif(source MATCHES "/src/([^/]+)/[^/]*$")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endif()
endforeach()
# They open namespace core in the public one, where others would find private names before public ones.
foreach(name array_questions dlpack npy raw_launch text_files)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/${name}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
set_target_properties(gparray_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
# g++ takes an anonymous namespace outside the main file for a header's.
target_compile_options(gparray_objects PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
