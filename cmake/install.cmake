# Installs headers, libraries, CMake package and pkg-config file. All paths in them are relative to the prefix,
# so that an installed tree may be moved. What a program needs to run is the component runtime, all else is development.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gparray)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(DIRECTORY include/gparray DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def" PATTERN "*.cppm")
install(TARGETS gparray EXPORT gparrayTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET gparray_static)
  # In a component and, beside a shared one, a file of its own, which a package may leave out.
  set(static_export gparrayTargets)
  if(GPARRAY_BUILD_SHARED)
    set(static_export gparrayStaticTargets)
    install(EXPORT gparrayStaticTargets NAMESPACE gparray:: DESTINATION ${package_dir} COMPONENT static)
  endif()
  install(TARGETS gparray_static EXPORT ${static_export}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT static INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(EXPORT gparrayTargets NAMESPACE gparray:: DESTINATION ${package_dir})
# In a file of its own, for only programs that format arrays need fmt.
install(TARGETS gparray_format EXPORT gparrayFormatTargets)
install(EXPORT gparrayFormatTargets NAMESPACE gparray:: DESTINATION ${package_dir})
# In another, for it is a library of its own, which a package may leave to another.
if(TARGET gparray_distributed)
  install(TARGETS gparray_distributed EXPORT gparrayDistributedTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT gparrayDistributedTargets NAMESPACE gparray:: DESTINATION ${package_dir})
endif()

# What find_package says of a component that this build lacks.
set(gparray_cuda_version "")
set(gparray_cuda_architectures "")
if(gparray_has_cuda)
  set(gparray_cuda_version ${CMAKE_CUDA_COMPILER_VERSION})
  set(gparray_cuda_architectures ${CMAKE_CUDA_ARCHITECTURES})
endif()
configure_package_config_file(cmake/gparrayConfig.cmake.in gparrayConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(gparrayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gparrayConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/gparrayConfigVersion.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
list(TRANSFORM gparray_static_libraries PREPEND "-l" OUTPUT_VARIABLE gparray_private_libraries)
list(JOIN gparray_private_libraries " " gparray_private_libraries)
configure_file(cmake/gparray.pc.in gparray.pc @ONLY)
configure_file(cmake/gparray-format.pc.in gparray-format.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gparray.pc ${CMAKE_CURRENT_BINARY_DIR}/gparray-format.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# Where Debian looks for it, and under names of their own, as two minor releases may be installed.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libgparray-dev RENAME copyright)
if(GPARRAY_BUILD_SHARED)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libgparray${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    RENAME copyright COMPONENT runtime)
endif()
unset(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME)
