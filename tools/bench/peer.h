// A library that `incore bench --vs` measures beside us, in the same process and on the same data.
// One file peer_<name>.cpp, one line in peers.def. It is opened at run time, with declarations of
// our own: the program neither needs it to be built nor to be started.
#pragma once

#include <string>

#include "tools/base/shared_library.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {

struct Peer {
  const char* name;  // as after --vs
  // Opens the library. Returns its version; throws std::runtime_error with the reason if it cannot
  // be used.
  std::string (*open)();
  // Makes the peer ready for |task|, as Family::prepare does. Empty if the peer lacks it.
  Work (*prepare)(Task& task);
};

#define X(name) extern const Peer peer_##name;
#include "tools/bench/peers.def"
#undef X

// The opened peer's version.
const std::string& version_of(const Peer& peer);

// The peers of a list such as "openssl,nettle". Throws std::invalid_argument for a name that does
// not exist; says on stderr which ones are not installed, and leaves them out.
std::vector<const Peer*> open_peers(const std::string& list);

// The names of all peers.
std::vector<std::string> peer_names();

}  // namespace incore::tools
