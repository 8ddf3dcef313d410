// Four threads with 25000 VSBOX each.
#include <pthread.h>

#include "power.h"

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 25000; ++i) check_vsbox();
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0, "pthread_create");
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
