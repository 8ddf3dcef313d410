# One program for any x86-64 Linux: the C library, libdw and all else are inside. Debian has no static Zydis and divsufsort;
# scripts/make-static-libraries.sh makes them in the folder `static` of the build.
#
# A program that is linked with glibc statically must load no library (dlopen, NSS, modules of iconv, locales): the library would
# need the very glibc that the program was linked with. This program loads none: INCORE_STATIC_PROGRAM leaves out both uses of
# dlopen, and no locale but "C" is ever set. The linker warns of each function that would, and warnings are errors.
set(INCORE_STATIC_LIBRARIES ${PROJECT_BINARY_DIR}/static)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
find_library(INCORE_DIVSUFSORT_LIBRARY divsufsort PATHS ${INCORE_STATIC_LIBRARIES} NO_DEFAULT_PATH REQUIRED)
find_library(INCORE_ZYDIS_LIBRARY Zydis PATHS ${INCORE_STATIC_LIBRARIES} NO_DEFAULT_PATH REQUIRED)
add_library(Zydis::Zydis STATIC IMPORTED)
set_target_properties(Zydis::Zydis PROPERTIES IMPORTED_LOCATION ${INCORE_ZYDIS_LIBRARY})

find_library(INCORE_DW_LIBRARY dw REQUIRED)
find_library(INCORE_ELF_LIBRARY elf REQUIRED)
find_library(INCORE_Z_LIBRARY z REQUIRED)  # compressed debug information
set(INCORE_STATIC_LIBDW ${INCORE_DW_LIBRARY} ${INCORE_ELF_LIBRARY} ${INCORE_Z_LIBRARY})

add_compile_definitions(INCORE_STATIC_PROGRAM)
# The same bytes wherever it is built.
add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}=. -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
set(INCORE_STATIC_LINK_OPTIONS -static-pie -s LINKER:--fatal-warnings LINKER:--gc-sections LINKER:--build-id=none)
