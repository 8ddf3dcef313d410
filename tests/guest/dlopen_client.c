// A library with PadLock instructions is opened, used and closed again and again, with something
// else mapped in its place in between, as OpenSSL does with its engines.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/mman.h>

#include "padlock.h"

typedef uint32_t (*vendor_function)(void);
typedef void (*encrypt_function)(const void*, const void*, void*, size_t);

static void* symbol(void* library, const char* name) {
  void* address = dlsym(library, name);
  CHECK(address != NULL, "%s", dlerror());
  return address;
}

int main(void) {
  uint8_t key[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  for (int round = 0; round < 50; ++round) {
    void* library = dlopen(GUEST_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL, "%s", dlerror());
    const vendor_function vendor = (vendor_function)symbol(library, "client_vendor");
    const encrypt_function encrypt = (encrypt_function)symbol(library, "client_encrypt");
    CHECK(vendor() == cpuid(0, 0).ebx, "the library sees another CPU");
    for (int i = 0; i < 50; ++i) {
      memset(out, 0, sizeof out);
      encrypt(key, in, out, 4);
      check_hex("xcrypt-ecb in the library", out, kSpEcb, 64);
    }
    void* const page = (void*)((uintptr_t)encrypt & ~(uintptr_t)4095);
    CHECK(dlclose(library) == 0, "%s", dlerror());
    if (round % 2 == 0) continue;
    // The code is gone; the address now holds data.
    CHECK(mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1,
               0) == page,
          "mmap");
    for (int i = 0; i < 4096; ++i) CHECK(((uint8_t*)page)[i] == 0, "a fresh page is not zero");
    memset(page, 0xc3, 4096);
    CHECK(munmap(page, 4096) == 0, "munmap");
  }
  return 0;
}
