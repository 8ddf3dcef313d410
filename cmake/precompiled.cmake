# incore_precompile(TARGET PRIVATE HEADERS...): what most files of the target include is parsed once;
# incore_precompile(TARGET REUSE_FROM OTHER) takes what another target with the same options has parsed. A program is compiled like a
# library then, by -fPIC, as GCC takes no parsed headers of the one for the other.
# A compiler cache is worth more, and keeps nothing that depends on this. The code that comes out may differ (the order of functions), so
# that the program for the tarball, which must come out the same with a cache and without, does without.
# From a parsed <string> GCC 12 warns falsely of its own std::string, also by names that warnings.cmake keeps.
function(incore_precompile target)
  if(ARGV1 STREQUAL REUSE_FROM)
    target_compile_options(${target} PRIVATE -fPIC)  # also with a cache: the same code either way
  endif()
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT INCORE_STATIC_PROGRAM)
    target_precompile_headers(${target} ${ARGN})
    if("<string>" IN_LIST ARGN AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
  endif()
endfunction()

# What most files of libincore and of the run-time include. GCC forgets which of its warnings the intrinsics' header turns off.
set(INCORE_KERNEL_HEADERS <atomic> <cstring> <utility>)
