# The library for other projects: libcavity.a, the public headers, and what find_package(cavity) and pkg-config read.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CAVITY_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/cavity)

install(TARGETS cavity_core EXPORT cavityTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/cavity DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT cavityTargets NAMESPACE cavity:: DESTINATION ${CAVITY_PACKAGE_DIR} COMPONENT library)

configure_package_config_file(cmake/cavityConfig.cmake.in ${PROJECT_BINARY_DIR}/cavityConfig.cmake
  INSTALL_DESTINATION ${CAVITY_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cavityConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cavityConfig.cmake ${PROJECT_BINARY_DIR}/cavityConfigVersion.cmake
  DESTINATION ${CAVITY_PACKAGE_DIR} COMPONENT library)

# Relative, so that a prefix can be chosen or moved after the build.
file(RELATIVE_PATH CAVITY_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/cavity.pc.in ${PROJECT_BINARY_DIR}/cavity.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cavity.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
