# cmake --install: libincore, libincore_gladman and libincore_hosted (shared with soname, and static) with their headers, the program with its
# manual pages, files for pkg-config and incore-config.cmake for find_package(incore). Both find the files relative to where
# they lie, so that an installed tree may be moved. The target incore_installed builds what is installed, and no more.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(INCORE_INSTALLED_TARGETS incore_shared incore_static incore_compat incore_compat_static)
if(INCORE_BUILD_CLI)
  list(APPEND INCORE_INSTALLED_TARGETS incore_cli incore_hosted_shared incore_hosted_static)
endif()
add_custom_target(incore_installed DEPENDS ${INCORE_INSTALLED_TARGETS})
install(TARGETS ${INCORE_INSTALLED_TARGETS}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

file(RELATIVE_PATH INCORE_PC_TO_PREFIX
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" INCORE_PC_TO_PREFIX "${INCORE_PC_TO_PREFIX}")
# pkg-config's file |name| of the library |library|, whose headers lie in |folder| of the include directory; |more| are further
# lines of it.
function(install_pkg_config name library folder description more)
  configure_file(cmake/pkg-config.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
install_pkg_config(incore incore "" "${PROJECT_DESCRIPTION}" "")
install_pkg_config(incore-gladman incore_gladman /incore/compat "Brian Gladman's AES API over the kernels of Incore" "")
if(INCORE_BUILD_CLI)
  set(INCORE_HOSTED_LIBRARIES m ${CMAKE_DL_LIBS} stdc++)
  if(INCORE_BUILD_RUN)
    list(PREPEND INCORE_HOSTED_LIBRARIES Zydis)
  endif()
  if(INCORE_BUILD_ASSESS)
    list(PREPEND INCORE_HOSTED_LIBRARIES divsufsort)
  endif()
  list(TRANSFORM INCORE_HOSTED_LIBRARIES PREPEND -l OUTPUT_VARIABLE libraries)
  list(JOIN libraries " " libraries)
  install_pkg_config(incore-hosted incore_hosted "" "What incore run, scan, rng analyze and vemicry do, as functions"
    "Requires: incore\nLibs.private: ${libraries}\n")
endif()

configure_package_config_file(cmake/incore-config.cmake.in incore-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/incore
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(incore-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/incore-config.cmake ${PROJECT_BINARY_DIR}/incore-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/incore)

if(INCORE_BUILD_CLI)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
    install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/scripts/make-help-files.py\"
      \"${PROJECT_BINARY_DIR}/incore\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\"
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\"
      COMMAND_ERROR_IS_FATAL ANY)")
  endif()
endif()
