# fmt from its headers. Its own CMake package lies in a folder of the host's architecture, where builds for others do not look.
if(NOT TARGET incore_fmt)
  find_path(INCORE_FMT_INCLUDE fmt/format.h REQUIRED)
  add_library(incore_fmt STATIC ${PROJECT_SOURCE_DIR}/tools/fmt/fmt.cpp)
  target_include_directories(incore_fmt SYSTEM PUBLIC ${INCORE_FMT_INCLUDE})
endif()
