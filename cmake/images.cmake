# What lies inside the program as a file: plugins for QEMU, and programs that it starts or hands out.

# The module |target| as a plugin for QEMU: small, the same for each build, and without the program's sanitizers.
function(incore_qemu_plugin target)
  set_target_properties(${target} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE -fno-sanitize=all -O2 -g0 -Wall -Wextra -Werror)
  target_link_options(${target} PRIVATE -fno-sanitize=all LINKER:-s LINKER:--build-id=none)
endfunction()

# Puts |image|, a plugin or a program built as |file|, into |target| by the assembly |source|, which names the file by |macro|.
function(incore_take_image target source image macro file)
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS "${macro}=\"${file}\"" OBJECT_DEPENDS ${file})
  add_dependencies(${target} ${image})
endfunction()
