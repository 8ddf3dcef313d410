/* A getauxval that answers in the system's place, to be preloaded. HIDE=crypto clears the crypto
 * bit of AT_HWCAP2, HIDE=word makes a system that does not know the entry. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

unsigned long getauxval(unsigned long type) {
  unsigned long (*real)(unsigned long);
  void* found = dlsym(RTLD_NEXT, "getauxval");
  memcpy(&real, &found, sizeof real);
  const char* hide = getenv("HIDE");
  if (type != AT_HWCAP2 || hide == NULL) return real(type);
  if (strcmp(hide, "crypto") == 0) return real(type) & ~0x02000000ul;
  errno = ENOENT;
  return 0;
}
