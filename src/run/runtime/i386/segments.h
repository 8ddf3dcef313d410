// Segments of 32-bit programs, as the assembler file needs them too.
#ifndef INCORE_RUN_SEGMENTS_H
#define INCORE_RUN_SEGMENTS_H

// __USER_DS of a 64-bit kernel, which programs and signal handlers begin with: all of memory, from
// 0.
#define kUserDs 0x2B

#endif
