/* The names of Brian Gladman's brg_types.h: integers and return types of his headers, and how his
 * modes view buffers. The guard is his too, so that his own file may stand on the include path.
 */
#ifndef _BRG_TYPES_H
#define _BRG_TYPES_H

#include <limits.h>
#include <stdint.h>

#define ptrint_t intptr_t /* takes a pointer */

/* Constants from hexadecimal digits: li_32(0123abcd). */
#define li_32(h) UINT32_C(0x##h)
#define li_64(h) UINT64_C(0x##h)

#ifndef RETURN_VALUES
#define RETURN_VALUES
#define VOID_RETURN void
#define INT_RETURN int
#endif

/* How far |x| is behind the next lower multiple of |n|, a power of two; and that and the next
 * higher one as pointers. */
#define ALIGN_OFFSET(x, n) ((ptrint_t)(x) & ((n)-1))
#define ALIGN_FLOOR(x, n) ((uint8_t*)(x)-ALIGN_OFFSET(x, n))
#define ALIGN_CEIL(x, n) ((uint8_t*)(x) + (-(ptrint_t)(x) & ((n)-1)))

/* Types by their size in bits: a type |x|; a type |x| of an array with |bsize| bytes; casts of a
 * value and of a pointer. */
#define UI_TYPE(size) uint##size##_t
#define UNIT_TYPEDEF(x, size) typedef UI_TYPE(size) x
#define BUFR_TYPEDEF(x, size, bsize) typedef UI_TYPE(size) x[(bsize) / ((size) / 8)]
#define UNIT_CAST(x, size) ((UI_TYPE(size))(x))
#define UPTR_CAST(x, size) ((UI_TYPE(size)*)(x))

#endif /* _BRG_TYPES_H */
