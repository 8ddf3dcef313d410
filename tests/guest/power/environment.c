// Prints two variables of its environment and its own name.
#include "power.h"

int main(int argc, char** argv) {
  CHECK(argc >= 1, "no name");
  for (const char* name = "INCORE_RUN"; name != NULL;
       name = strcmp(name, "INCORE_RUN") == 0 ? "INCORE_TEST_VARIABLE" : NULL) {
    const char* const value = getenv(name);
    puts(value != NULL ? value : "not set");
  }
  puts(argv[0]);
  return 0;
}
