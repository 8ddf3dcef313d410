// Asks strongSwan's plugin padlock for random bytes of the best quality. Where there is no PadLock,
// it has none.
#include <library.h>

int main(int argc, char** argv) {
  uint8_t bytes[64];
  if (argc != 2) return 2;
  library_init(NULL, "true_rng");  // says that it has no configuration, and does without
  plugin_loader_add_plugindirs(argv[1], "padlock");
  if (!lib->plugins->load(lib->plugins, "padlock")) return 2;
  rng_t* rng = lib->crypto->create_rng(lib->crypto, RNG_TRUE);
  if (rng) {
    printf("%s\n", rng->get_bytes(rng, sizeof bytes, bytes) ? "random bytes" : "none");
    rng->destroy(rng);
  }
  library_deinit();
  return 0;
}
