/* Status codes of the Incore library, and the rules that all its functions keep.
 *
 * - A function that can fail returns incore_status; INCORE_OK is 0. Results come through pointers,
 * and on failure nothing has been written to them.
 * - `_len` counts bytes, `num_` counts elements, `out_` marks what is written. Order: context,
 * input, output.
 * - A pointer may be NULL only where its function says so, or where its length is 0.
 * - Contexts are plain structures that the caller owns; nothing is allocated. They hold secrets:
 * pass them to their `_wipe` function when done. `_wipe(NULL)` does nothing.
 * - Input and output may be the same buffer where the function says "in place"; any other overlap
 * is an error of the caller that is reported as INCORE_ERROR_OVERLAP.
 * - Functions on different contexts may run at the same time; functions on one context may not.
 */
#ifndef INCORE_STATUS_H
#define INCORE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define INCORE_API __attribute__((visibility("default")))
#define INCORE_NODISCARD __attribute__((warn_unused_result))
#else
#define INCORE_API
#define INCORE_NODISCARD
#endif

/* The type of an enumeration that functions take. A caller in C may make one of any number, and
 * even what is refused is read before: C++ allows that where the type is fixed. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define INCORE_FIXED_INT : int
#else
#define INCORE_FIXED_INT
#endif

/* The one table of statuses: X(code, name, value, sentence). */
#define INCORE_STATUS_TABLE(X)                                                               \
  X(INCORE_OK, "ok", 0, "done")                                                              \
  X(INCORE_ERROR_NULL, "null", 1, "a required pointer is NULL")                              \
  X(INCORE_ERROR_KEY_LENGTH, "key-length", 2,                                                \
    "the key length is not one that the algorithm takes")                                    \
  X(INCORE_ERROR_LENGTH, "length", 3, "the data length is not one that the mode takes")      \
  X(INCORE_ERROR_OVERLAP, "overlap", 4, "input and output overlap without being the same")   \
  X(INCORE_ERROR_STATE, "state", 5, "the context is not ready for this call")                \
  X(INCORE_ERROR_ALGORITHM, "algorithm", 6, "the algorithm is unknown")                      \
  X(INCORE_ERROR_KERNEL, "kernel", 7,                                                        \
    "INCORE_KERNEL names a kernel or algorithm that is unknown or that this CPU cannot run") \
  X(INCORE_ERROR_RANGE, "range", 8, "a value is outside the range that the function takes")  \
  X(INCORE_ERROR_MODEL, "model", 9, "the processor model or one of its fields is unknown")   \
  X(INCORE_ERROR_IO, "io", 10, "reading or writing failed")                                  \
  X(INCORE_ERROR_FORMAT, "format", 11, "the input is not in the expected format")            \
  X(INCORE_ERROR_UNSUPPORTED, "unsupported", 12, "this machine or build cannot do that")     \
  X(INCORE_ERROR_TAG, "tag", 13, "the authentication tag does not match the message")        \
  X(INCORE_ERROR_FAULT, "fault", 14, "the result failed its check; nothing was released")    \
  X(INCORE_ERROR_MEMORY, "memory", 15, "there is not enough memory")

typedef enum incore_status INCORE_FIXED_INT {
#define INCORE_STATUS_ENUMERATOR(code, name, value, sentence) code = value,
  INCORE_STATUS_TABLE(INCORE_STATUS_ENUMERATOR)
#undef INCORE_STATUS_ENUMERATOR
} incore_status;

/* incore_status_name returns the short name of |status|, such as "key-length"; "unknown" for other
 * values. */
INCORE_API const char* incore_status_name(incore_status status);

/* incore_status_message returns one sentence on |status| without a full stop. Never NULL. */
INCORE_API const char* incore_status_message(incore_status status);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_STATUS_H */
