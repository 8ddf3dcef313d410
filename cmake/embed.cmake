# incore_embed(TARGET SYMBOL FILES...): puts the files into the target as an array SYMBOL of records {name, bytes, length}, without their
# folders; a name of 0 ends it.
function(incore_embed target symbol)
  set(text "")
  set(table "")
  set(number 0)
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    string(APPEND text
      ".section .rodata\n1${number}: .asciz \"${name}\"\n2${number}: .incbin \"${file}\"\n3${number}:\n")
    string(APPEND table ".quad 1${number}b, 2${number}b, 3${number}b - 2${number}b\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(assembly ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  file(CONFIGURE OUTPUT ${assembly} CONTENT "${text}
.section .data.rel.ro,\"aw\"
.balign 8
.globl ${symbol}
.hidden ${symbol}
${symbol}:
${table}.quad 0, 0, 0
.section .note.GNU-stack,\"\",%progbits
")
  target_sources(${target} PRIVATE ${assembly})
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS "${ARGN}")
endfunction()
