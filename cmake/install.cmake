# cmake --install: headers, libincore and libincore_gladman (shared with soname, and static), the program with its manual pages, incore.pc for
# pkg-config and incore-config.cmake for find_package(incore). Both find the files relative to where they lie, so that an
# installed tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(INCORE_INSTALLED_LIBRARIES incore_shared incore_static incore_compat incore_compat_static)
install(TARGETS ${INCORE_INSTALLED_LIBRARIES}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# run.h, scan.h and vemicry.h are of libraries that are not installed: the program has them inside.
install(DIRECTORY include/incore DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "run.h" EXCLUDE PATTERN "scan.h" EXCLUDE
  PATTERN "vemicry.h" EXCLUDE)

file(RELATIVE_PATH INCORE_PC_TO_PREFIX
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" INCORE_PC_TO_PREFIX "${INCORE_PC_TO_PREFIX}")
configure_file(cmake/incore.pc.in incore.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/incore.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/incore-config.cmake.in incore-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/incore
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(incore-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/incore-config.cmake ${PROJECT_BINARY_DIR}/incore-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/incore)

if(INCORE_BUILD_CLI)
  install(TARGETS incore_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
    install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/scripts/make-man.py\"
      \"${PROJECT_BINARY_DIR}/incore\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\"
      COMMAND_ERROR_IS_FATAL ANY)")
  endif()
endif()
