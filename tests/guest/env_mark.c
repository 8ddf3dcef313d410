// INCORE_RUN=1 stands in the program's environment, and what the caller put there is still there.
#include "padlock.h"

int main(void) {
  const char* mark = getenv("INCORE_RUN");
  CHECK(mark != NULL && strcmp(mark, "1") == 0, "INCORE_RUN is %s", mark ? mark : "not set");
  const char* mine = getenv("INCORE_TEST_VARIABLE");
  CHECK(mine == NULL || strcmp(mine, "a b=c") == 0, "INCORE_TEST_VARIABLE is '%s'", mine);
  printf("%s\n", mine ? mine : "");
  return 0;
}
