// `incore bench sha`: SHA-1, SHA-256 and SHA-512, one message a call, and many side by side.
#include "incore/sha.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

struct Algorithm {
  const char* name;
  incore_sha_algorithm id;
};

constexpr Algorithm kAlgorithms[] = {
    {"sha1", INCORE_SHA1}, {"sha256", INCORE_SHA256}, {"sha512", INCORE_SHA512}};

Row row(const Algorithm& algorithm, size_t size, size_t messages) {
  const size_t len = size * messages;
  return {{algorithm.name,
           {},
           {},
           {},
           test_bytes(len, len),
           Bytes(messages * incore_sha_digest_len(algorithm.id)),
           messages},
          len};
}

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  const std::vector<size_t> sizes = sizes_or(options, {16, 256, 1024, 8192, 65536});
  for (const size_t messages : messages_of(options))
    for (const size_t size : sizes)
      for (const Algorithm& algorithm : kAlgorithms) list.push_back(row(algorithm, size, messages));
  return list;
}

Work digest_many(incore_sha_algorithm algorithm, Task& task) {
  const size_t len = task.in.size() / task.messages, digest_len = task.out.size() / task.messages;
  std::vector<incore_sha_message> messages;
  for (size_t i = 0; i < task.messages; ++i)
    messages.push_back({task.in.data() + i * len, len, task.out.data() + i * digest_len});
  return repeat([algorithm, messages = std::move(messages)] {
    return incore_sha_digest_many(algorithm, messages.data(), messages.size());
  });
}

Work prepare(Task& task) {
  for (const Algorithm& algorithm : kAlgorithms)
    if (task.operation == algorithm.name) {
      if (task.messages > 1) return digest_many(algorithm.id, task);
      return repeat([id = algorithm.id, &task] {
        return incore_sha_digest(id, task.in.data(), task.in.size(), task.out.data(),
                                 task.out.size());
      });
    }
  return nullptr;
}

std::string kernel(const Task& task) {
  return kernel_of(task.messages > 1 ? task.operation + "_many" : task.operation);
}

// "abc", and a message of two blocks.
const std::vector<KnownAnswer>& known_answers() {
  static const std::string abc = "616263";
  static const std::string
      two_blocks_32 =  // "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
      "6162636462636465636465666465666765666768666768696768696a68696a6b696a6b6c6a6b6c6d6b6c6d6e"
      "6c6d6e6f6d6e6f706e6f7071";
  static const std::vector<KnownAnswer> answers = {
      {"sha1", "FIPS 180-4", "", "", "", abc, "a9993e364706816aba3e25717850c26c9cd0d89d"},
      {"sha1", "FIPS 180-4", "", "", "", two_blocks_32, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
      {"sha256", "FIPS 180-4", "", "", "", abc,
       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"sha256", "FIPS 180-4", "", "", "", two_blocks_32,
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"sha512", "FIPS 180-4", "", "", "", abc,
       "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
  };
  return answers;
}

constexpr Family kFamily = {rows, prepare, kernel, known_answers};

}  // namespace

extern const Bench bench_sha = {"sha", "SHA-1, SHA-256 and SHA-512", nullptr, &kFamily};

}  // namespace incore::tools
