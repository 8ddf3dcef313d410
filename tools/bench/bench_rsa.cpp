// `incore bench rsa`: RSA's private operation with CRT and its check, and the public one. The keys
// are those of the known answers. Numbers of a task: n, e, p, q, dp, dq, q_inv.
#include <memory>

#include "incore/rsa.h"
#include "tools/bench/bench_answers.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  for (const KnownAnswer& known : long_known_answers()) {
    if (!known.operation.starts_with("rsa-")) continue;
    if (options.brief && !known.operation.ends_with("private")) continue;
    Task task{known.operation, {}, {}, {}, from_hex(known.in), Bytes(known.out.size() / 2), 1, {}};
    for (const std::string& number : known.numbers) task.numbers.push_back(from_hex(number));
    list.push_back({task, 0});
  }
  return list;
}

struct Key {
  std::vector<uint8_t> workspace;
  incore_rsa_key key;
  ~Key() { incore_rsa_key_wipe(&key); }
};

incore_rsa_number number(const Bytes& bytes) {
  return {bytes.data(), bytes.size()};
}

Work prepare(Task& task) {
  const auto key = std::make_shared<Key>();
  const std::vector<Bytes>& n = task.numbers;
  const size_t bits = bit_length(n.at(0));
  if (task.operation.ends_with("private")) {
    key->workspace.resize(incore_rsa_private_workspace_len(bits));
    const incore_rsa_parts parts = {number(n[0]),    number(n[1]),    number(n.at(2)),
                                    number(n.at(3)), number(n.at(4)), number(n.at(5)),
                                    number(n.at(6))};
    require_ok(incore_rsa_key_set_private(&key->key, &parts, key->workspace.data(),
                                          key->workspace.size()));
    return repeat([key, &task] {
      return incore_rsa_private(&key->key, task.in.data(), task.in.size(), task.out.data(),
                                task.out.size());
    });
  }
  key->workspace.resize(incore_rsa_public_workspace_len(bits));
  require_ok(incore_rsa_key_set_public(&key->key, number(n[0]), number(n[1]), key->workspace.data(),
                                       key->workspace.size()));
  return repeat([key, &task] {
    return incore_rsa_public(&key->key, task.in.data(), task.in.size(), task.out.data(),
                             task.out.size());
  });
}

std::string kernel(const Task&) {
  return kernel_of("mont");
}

constexpr Family kFamily = {rows, prepare, kernel, long_known_answers};

}  // namespace

extern const Bench bench_rsa = {"rsa", "RSA, private and public operation", nullptr, &kFamily};

}  // namespace incore::tools
