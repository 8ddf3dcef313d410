# powerpc64 Linux (big-endian, ELFv1), run under QEMU as a POWER8. The presets name the compilers, GCC's or Clang.
set(INCORE_POWER_TRIPLE powerpc64-linux-gnu)
set(CMAKE_SYSTEM_PROCESSOR ppc64)
include(${CMAKE_CURRENT_LIST_DIR}/power.cmake)
