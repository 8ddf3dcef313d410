# fmt as headers only. Its own CMake package lies in a folder of the host's architecture, where builds for others do not look.
if(NOT TARGET incore_fmt)
  find_path(INCORE_FMT_INCLUDE fmt/format.h REQUIRED)
  add_library(incore_fmt INTERFACE)
  target_compile_definitions(incore_fmt INTERFACE FMT_HEADER_ONLY=1)
  target_include_directories(incore_fmt SYSTEM INTERFACE ${INCORE_FMT_INCLUDE})
endif()
