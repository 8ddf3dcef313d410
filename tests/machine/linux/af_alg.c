// Asks the kernel's crypto driver DRIVER through AF_ALG, first for published answers, then for random requests in random pieces, which
// the driver ORACLE, another kind of software, must answer in the same way. A piece is copied or, by splice, taken from this program's
// own pages, so the driver meets every alignment and page end.
//
// usage: af_alg ecb|cbc|sha1|sha256 DRIVER ORACLE REQUESTS      exit 1 and one line if an answer is wrong
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kMaxBytes = 12288, kMaxKey = 32, kBlock = 16, kMaxDigest = 32 };

static unsigned long request_number;

static void fail(const char* what, ...) {
  va_list arguments;
  va_start(arguments, what);
  if (request_number) printf("request %lu: ", request_number);
  vprintf(what, arguments);
  va_end(arguments);
  puts("");
  exit(1);
}

static size_t checked(const char* call, ssize_t result) {
  if (result < 0) fail("%s: %s", call, strerror(errno));
  return (size_t)result;
}

// ---- random numbers, the same in each run

static uint64_t state = 1;

static uint32_t below(uint32_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(((state >> 32) * limit) >> 32);
}

static void fill(unsigned char* bytes, size_t size) {
  while (size--) *bytes++ = (unsigned char)below(256);
}

// Small ones often, others up to |limit|.
static size_t random_size(size_t limit) { return below(3) ? below(300) % (limit + 1) : below((uint32_t)limit + 1); }

// ---- one request

typedef struct {
  int is_cipher, decrypts;
  unsigned char key[kMaxKey], iv[kBlock];
  size_t key_size, iv_size;
  const unsigned char* data;
  size_t size;
  int in_pieces;
} Request;

// The socket of an algorithm; it takes a key, and each request is a socket of its own, which accept gives.
static int open_driver(const char* type, const char* driver) {
  struct sockaddr_alg name = {.salg_family = AF_ALG};
  snprintf((char*)name.salg_type, sizeof name.salg_type, "%s", type);
  snprintf((char*)name.salg_name, sizeof name.salg_name, "%s", driver);
  int algorithm = (int)checked("socket", socket(AF_ALG, SOCK_SEQPACKET, 0));
  if (bind(algorithm, (struct sockaddr*)&name, sizeof name)) fail("the kernel has no %s '%s': %s", type, driver, strerror(errno));
  return algorithm;
}

// The direction and the vector go before the data, as control messages.
static void send_parameters(int operation, const Request* request) {
  union {
    char bytes[CMSG_SPACE(sizeof(uint32_t)) + CMSG_SPACE(sizeof(struct af_alg_iv) + kBlock)];
    struct cmsghdr aligned;
  } control = {{0}};
  struct msghdr message = {.msg_control = control.bytes, .msg_controllen = CMSG_SPACE(sizeof(uint32_t))};
  if (request->iv_size) message.msg_controllen = sizeof control.bytes;
  struct cmsghdr* header = CMSG_FIRSTHDR(&message);
  *header = (struct cmsghdr){.cmsg_level = SOL_ALG, .cmsg_type = ALG_SET_OP, .cmsg_len = CMSG_LEN(sizeof(uint32_t))};
  *(uint32_t*)CMSG_DATA(header) = request->decrypts ? ALG_OP_DECRYPT : ALG_OP_ENCRYPT;
  if (request->iv_size) {
    header = CMSG_NXTHDR(&message, header);
    *header = (struct cmsghdr){.cmsg_level = SOL_ALG, .cmsg_type = ALG_SET_IV, .cmsg_len = CMSG_LEN(sizeof(struct af_alg_iv) + kBlock)};
    struct af_alg_iv* iv = (struct af_alg_iv*)CMSG_DATA(header);
    iv->ivlen = kBlock;
    memcpy(iv->iv, request->iv, kBlock);
  }
  checked("sendmsg", sendmsg(operation, &message, MSG_MORE));
}

static void send_piece(int operation, const unsigned char* bytes, size_t size, int is_last) {
  if (checked("send", send(operation, bytes, size, is_last ? 0 : MSG_MORE)) != size) fail("send took a part of %zu bytes", size);
}

// The kernel works on the pages of |bytes| themselves.
static void splice_piece(int operation, const unsigned char* bytes, size_t size, int is_last) {
  int ends[2];
  checked("pipe", pipe(ends));
  struct iovec vector = {(void*)(uintptr_t)bytes, size};
  if (checked("vmsplice", vmsplice(ends[1], &vector, 1, 0)) != size) fail("vmsplice took a part of %zu bytes", size);
  for (size_t done = 0; done < size;) done += checked("splice", splice(ends[0], NULL, operation, NULL, size - done, is_last ? 0 : SPLICE_F_MORE));
  close(ends[0]);
  close(ends[1]);
}

static void send_data(int* operation, const Request* request) {
  size_t done = 0;
  while (request->in_pieces && done < request->size && below(4)) {
    const size_t size = 1 + random_size(request->size - done - 1);
    (below(2) ? send_piece : splice_piece)(*operation, request->data + done, size, 0);
    done += size;
    if (!request->is_cipher && !below(4)) {  // a copy of the unfinished hash goes on instead
      const int copy = (int)checked("accept", accept(*operation, NULL, NULL));
      close(*operation);
      *operation = copy;
    }
  }
  const size_t size = request->size - done;
  (request->in_pieces && size && below(2) ? splice_piece : send_piece)(*operation, request->data + done, size, 1);
}

// Reads |size| bytes; those of a cipher in pieces of whole blocks.
static void receive(int operation, const Request* request, unsigned char* out, size_t size) {
  for (size_t done = 0; done < size;) {
    size_t piece = size - done;
    if (request->is_cipher && request->in_pieces && below(2)) piece = kBlock * (1 + below((uint32_t)(piece / kBlock)));
    const size_t count = checked("read", read(operation, out + done, piece));
    if (!count) fail("read gave nothing after %zu of %zu bytes", done, size);
    done += count;
  }
}

static void ask(int algorithm, const Request* request, unsigned char* out, size_t out_size) {
  if (request->is_cipher) checked("setting the key", setsockopt(algorithm, SOL_ALG, ALG_SET_KEY, request->key, (socklen_t)request->key_size));
  int operation = (int)checked("accept", accept(algorithm, NULL, NULL));
  if (request->is_cipher) send_parameters(operation, request);
  send_data(&operation, request);
  receive(operation, request, out, out_size);
  close(operation);
}

// ---- published answers

typedef struct {
  const char *name, *key, *data, *answer, *source;
} Published;

static const char kCounting[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
static const char kFips197Data[] = "00112233445566778899aabbccddeeff";
static const char kSp800Data[] = "6bc1bee22e409f96e93d7e117393172a";

static const Published kPublished[] = {
    {"ecb", "000102030405060708090a0b0c0d0e0f", kFips197Data, "69c4e0d86a7b0430d8cdb78070b4c55a", "FIPS 197, C.1"},
    {"ecb", "000102030405060708090a0b0c0d0e0f1011121314151617", kFips197Data, "dda97ca4864cdfe06eaf70a0ec0d7191", "FIPS 197, C.2"},
    {"ecb", kCounting, kFips197Data, "8ea2b7ca516745bfeafc49904b496089", "FIPS 197, C.3"},
    {"cbc", "2b7e151628aed2a6abf7158809cf4f3c", kSp800Data, "7649abac8119b246cee98e9b12e9197d", "SP 800-38A, F.2.1"},
    {"cbc", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", kSp800Data, "4f021db243bc633d7178183a9fa071e8", "SP 800-38A, F.2.3"},
    {"cbc", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", kSp800Data, "f58c4c04d6e5f1ba779eabfb5f7bfbd6",
     "SP 800-38A, F.2.5"},
    {"sha1", "", "616263", "a9993e364706816aba3e25717850c26c9cd0d89d", "FIPS 180-2, A.1"},
    {"sha256", "", "616263", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "FIPS 180-2, B.1"},
};

static size_t from_hex(const char* hex, unsigned char* bytes) {
  const size_t size = strlen(hex) / 2;
  for (size_t i = 0; i < size; i++) sscanf(hex + 2 * i, "%2hhx", bytes + i);
  return size;
}

static int try_published(int algorithm, const char* name) {
  int count = 0;
  for (size_t i = 0; i < sizeof kPublished / sizeof *kPublished; i++) {
    const Published* published = &kPublished[i];
    if (strcmp(published->name, name)) continue;
    unsigned char data[kBlock], answer[kMaxDigest], out[kMaxDigest];
    Request request = {.is_cipher = *published->key != 0, .iv_size = strcmp(name, "cbc") ? 0 : kBlock, .data = data};
    request.key_size = from_hex(published->key, request.key);
    request.size = from_hex(published->data, data);
    from_hex(kCounting, out);
    memcpy(request.iv, out, kBlock);  // of all examples
    const size_t size = from_hex(published->answer, answer);
    ask(algorithm, &request, out, size);
    if (memcmp(out, answer, size)) fail("not the answer of %s", published->source);
    count++;
  }
  return count;
}

// ---- random requests

static void try_random(int driver, int oracle, const char* name, size_t digest_size) {
  static unsigned char data[kMaxBytes + 64], got[kMaxBytes + 64], expected[kMaxBytes];
  Request request = {.is_cipher = !digest_size, .data = data + below(64), .in_pieces = 1};
  request.size = random_size(kMaxBytes);
  if (request.is_cipher) {
    request.size = request.size / kBlock * kBlock + kBlock;
    if (request.size > kMaxBytes) request.size = kMaxBytes;
    request.key_size = 16 + 8 * below(3);
    request.decrypts = (int)below(2);
    request.iv_size = strcmp(name, "cbc") ? 0 : kBlock;
    fill(request.key, sizeof request.key);
    fill(request.iv, sizeof request.iv);
  }
  fill(data, sizeof data);
  const size_t size = request.is_cipher ? request.size : digest_size;
  unsigned char* const out = got + below(64);
  ask(driver, &request, out, size);
  request.in_pieces = 0;
  ask(oracle, &request, expected, size);
  if (!memcmp(out, expected, size)) return;
  size_t at = 0;
  while (out[at] == expected[at]) at++;
  fail("%zu bytes%s, key of %zu bits: byte %zu differs", request.size, request.decrypts ? " decrypted" : "", 8 * request.key_size, at);
}

int main(int argc, char** argv) {
  if (argc != 5) return fputs("usage: af_alg ecb|cbc|sha1|sha256 DRIVER ORACLE REQUESTS\n", stderr), 2;
  const size_t digest_size = !strcmp(argv[1], "sha1") ? 20 : !strcmp(argv[1], "sha256") ? 32 : 0;
  const char* const type = digest_size ? "hash" : "skcipher";
  const int driver = open_driver(type, argv[2]), oracle = open_driver(type, argv[3]);
  const int published = try_published(driver, argv[1]);
  if (!published) fail("nothing is published here for %s", argv[1]);
  const unsigned long requests = strtoul(argv[4], NULL, 10);
  while (request_number < requests) {
    request_number++;
    try_random(driver, oracle, argv[1], digest_size);
  }
  printf("%s: %d published answers, %lu random requests as %s\n", argv[2], published, requests, argv[3]);
  return 0;
}
