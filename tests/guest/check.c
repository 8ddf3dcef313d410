// guest_check CASE does what the check CASE of `incore run --check` reports, and nothing else that
// is wrong; guest_check CASE-ok does the same as it should be done. CASE-thread and CASE-child do
// it wrong in a thread and in a forked child.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>

#include "check/other_cases.h"
#include "check/xcrypt_cases.h"

static const struct {
  const char* name;
  void (*run)(int ok);
} kCases[] = {
#define CASE(name) \
  { #name, name }
    CASE(unusable_unit),       CASE(repne_prefix),    CASE(missing_rep),
    CASE(operand_size_prefix), CASE(misaligned_data), CASE(misaligned_operand),
    CASE(stale_key),           CASE(cipher_bit),      CASE(key_size),
    CASE(reserved_bits),       CASE(nehemiah_bits),   CASE(intermediate_keys),
    CASE(sixteen_rounds),      CASE(digest_in_place), CASE(scratch_space),
    CASE(key_slots),           CASE(key_schedule),    CASE(over_read),
    CASE(short_destination),   CASE(partial_overlap), CASE(overwritten_key),
    CASE(counter_wrap),        CASE(ctr_erratum),     CASE(keystream_reuse),
    CASE(vector_reuse),        CASE(null_operand),    CASE(xstore_quality),
    CASE(xstore_overrun),      CASE(xsha_start),      CASE(xsha_buffer),
    CASE(montmul_size),        CASE(montmul_start),   CASE(montmul_result),
    CASE(montmul_modulus),     CASE(montmul_overlap),
#undef CASE
};

static void* run_wrong(void* run) {
  (*(void (**)(int))run)(0);
  return NULL;
}

static void run_case(void (*run)(int ok), const char* how) {
  if (strcmp(how, "-thread") == 0) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run_wrong, &run) == 0, "no thread");
    pthread_join(thread, NULL);
  } else if (strcmp(how, "-child") == 0) {
    const pid_t child = fork();
    if (child == 0) run(0);
    if (child != 0) waitpid(child, NULL, 0);
  } else {
    run(strcmp(how, "-ok") == 0);
  }
}

int main(int argc, char** argv) {
  CHECK(argc == 2, "usage: check CASE[-ok|-thread|-child]");
  const size_t len = strcspn(argv[1], "-");
  for (size_t i = 0; i < sizeof kCases / sizeof kCases[0]; ++i) {
    if (strlen(kCases[i].name) != len || memcmp(kCases[i].name, argv[1], len) != 0) continue;
    run_case(kCases[i].run, argv[1] + len);
    return 0;
  }
  CHECK(0, "no case '%s'", argv[1]);
}
