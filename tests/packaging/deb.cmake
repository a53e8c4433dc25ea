# Debian's packages, of the build folder: what they hold and depend on, and a program built with what they bring.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(folder ${work}/deb)
file(REMOVE_RECURSE ${folder})
string(REGEX REPLACE "^([0-9]+\\.[0-9]+).*" "\\1" soversion ${version})

# Uncompressed, for that takes a minute. The folder of the build is its own, as cpack writes a configuration there.
get_filename_component(cpack ${CMAKE_COMMAND} DIRECTORY)
run(${cpack}/cpack -G DEB --config ${build}/CPackConfig.cmake -B ${folder} -D CPACK_DEBIAN_COMPRESSION_TYPE=none)
file(GLOB runtime ${folder}/libgparray${soversion}_${version}_*.deb)
file(GLOB development ${folder}/libgparray-dev_${version}_*.deb)

# depends(FILE REGEX): what one of the packages needs.
function(depends package wanted)
  run(dpkg-deb --field ${package} Depends)
  if(NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "${package} depends on ${output}")
  endif()
endfunction()
depends(${runtime} "libc6 .*libstdc\\+\\+6 ")
# The others are gparray-info's.
depends(${development} "^libgparray${soversion} \\(= ${version}\\)(, (libc6|libgcc-s1|libstdc\\+\\+6) \\([^)]*\\))*\n$")

run(dpkg-deb --contents ${runtime})
if(NOT output MATCHES "/libgparray[.]so[.]${version}\n" OR NOT output MATCHES "/copyright\n" OR output MATCHES "include/|[.]so ->|[.]a\n")
  message(FATAL_ERROR "what programs need to run is, and nothing else belongs there:\n${output}")
endif()
foreach(package ${runtime} ${development})
  run(dpkg-deb --extract ${package} ${folder}/root)
endforeach()
run(${folder}/root/usr/bin/gparray-info --version)
if(NOT output MATCHES "${version}")
  message(FATAL_ERROR "gparray-info --version says ${output}")
endif()
build_consumer(deb/consumer ${folder}/root/usr)
