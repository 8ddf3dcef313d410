// A library for dlopen_client: CPUID in its constructor and in a function, XCRYPT at a site of its
// own.
#include "../padlock.h"

static uint32_t vendor_in_constructor;

__attribute__((constructor)) static void ask_cpu(void) {
  vendor_in_constructor = cpuid(0, 0).ebx;
}

// The first four letters of the vendor, as the constructor and the caller's thread see them; 0 if
// they differ.
uint32_t client_vendor(void) {
  return vendor_in_constructor == cpuid(0, 0).ebx ? vendor_in_constructor : 0;
}

void client_encrypt(const void* key, const void* in, void* out, size_t blocks) {
  static const struct control_word kControl = {.bits = kRounds10};
  reload_key();
  xcrypt_ecb(NULL, key, &kControl, in, out, blocks);
}
