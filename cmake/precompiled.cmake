# incore_precompile(TARGET PRIVATE HEADERS...): what most files of the target include is parsed once;
# incore_precompile(TARGET REUSE_FROM OTHER) takes what another target with the same options has parsed.
# A compiler cache is worth more, and keeps nothing that depends on this.
# Without <string> where code is compiled with -O2 and more: from there GCC 12 warns falsely of its own std::string.
function(incore_precompile target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()
