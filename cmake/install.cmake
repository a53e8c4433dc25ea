# Installs headers, library, CMake package and pkg-config file. All paths in them are relative to the prefix,
# so that an installed tree may be moved.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gparray)

install(DIRECTORY include/gparray DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def" PATTERN "*.cppm")
install(TARGETS gparray EXPORT gparrayTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gparrayTargets NAMESPACE gparray:: DESTINATION ${package_dir})
# In a file of its own, for only programs that format arrays need fmt.
install(TARGETS gparray_format EXPORT gparrayFormatTargets)
install(EXPORT gparrayFormatTargets NAMESPACE gparray:: DESTINATION ${package_dir})

configure_package_config_file(cmake/gparrayConfig.cmake.in gparrayConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(gparrayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gparrayConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/gparrayConfigVersion.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(cmake/gparray.pc.in gparray.pc @ONLY)
configure_file(cmake/gparray-format.pc.in gparray-format.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gparray.pc ${CMAKE_CURRENT_BINARY_DIR}/gparray-format.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
