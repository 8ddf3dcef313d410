// Prints random bytes of a process, of two children that it forks, and of a program that it
// executes (itself, with an argument): one line each, the buffers of XSTORE and REP XSTORE one
// after the other.
#include <sys/wait.h>
#include <unistd.h>

#include "padlock.h"

static void print_bytes(const char* who) {
  uint8_t buffer[24 + 8];
  uint8_t* end = buffer;
  for (int i = 0; i < 2; ++i) {
    const unsigned count = xstore(&end, 0) & 31;
    CHECK(count == 8, "%s: count %u", who, count);
  }
  size_t wanted = 8;
  rep_xstore(&end, &wanted, 0);
  printf("%s ", who);
  for (const uint8_t* p = buffer; p < end; ++p) printf("%02x", *p);
  printf("\n");
  fflush(stdout);
}

static void wait_for_child(void) {
  int status;
  CHECK(wait(&status) > 0 && status == 0, "status of a child: %d", status);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    print_bytes(argv[1]);
    return 0;
  }
  print_bytes("parent");
  for (int i = 0; i < 2; ++i) {
    if (fork() == 0) {
      print_bytes(i == 0 ? "first_child" : "second_child");
      return 0;
    }
    wait_for_child();
  }
  print_bytes("parent_again");
  if (fork() == 0) {
    execl(argv[0], argv[0], "executed", (char*)0);
    return 1;
  }
  wait_for_child();
  return 0;
}
