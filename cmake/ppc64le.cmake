# powerpc64le Linux (ELFv2), run under QEMU as a POWER8. The presets name the compilers, GCC's or Clang.
set(INCORE_POWER_TRIPLE powerpc64le-linux-gnu)
set(CMAKE_SYSTEM_PROCESSOR ppc64le)
include(${CMAKE_CURRENT_LIST_DIR}/power.cmake)
