# Plugins for QEMU, which loads them from the program that holds them as it does its own.

# The module |target| as such a plugin: small, the same for each build, and without the program's sanitizers.
function(incore_qemu_plugin target)
  set_target_properties(${target} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE -fno-sanitize=all -O2 -g0 -Wall -Wextra -Werror)
  target_link_options(${target} PRIVATE -fno-sanitize=all LINKER:-s LINKER:--build-id=none)
endfunction()

# Puts |module| into |target| by the assembly |source|, which names its file by |macro|.
function(incore_take_image target source module macro)
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES
    COMPILE_DEFINITIONS "${macro}=\"$<TARGET_FILE:${module}>\"" OBJECT_DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/${module}.so")
  add_dependencies(${target} ${module})
endfunction()
