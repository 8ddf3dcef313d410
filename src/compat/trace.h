/* Counters and a switch for tests, in builds with INCORE_GLADMAN_TRACE only; C, for guest programs.
 * Not for several threads.
 */
#ifndef INCORE_COMPAT_TRACE_H
#define INCORE_COMPAT_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

struct aes_trace {
  unsigned long detections;    /* times the engine was looked for, or the answer recalled */
  unsigned long engine_calls;  /* of the engine's kernel */
  unsigned long engine_blocks; /* that it processed */
  unsigned long mode_mixes;    /* calls refused in the midst of another mode's block */
  int forbid_engine;           /* set by the test: keys set from now on do without */
};

__attribute__((visibility("default"))) extern struct aes_trace aes_trace;

#ifdef __cplusplus
}
#endif

#endif /* INCORE_COMPAT_TRACE_H */
