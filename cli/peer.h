// A library that `incore bench --vs` measures beside us, in the same process and on the same data.
// One file peer_<name>.cpp, one line in peers.def. It is opened at run time, with declarations of
// our own: the program neither needs it to be built nor to be started.
#pragma once

#include <string>

#include "bench_task.h"

namespace incore::cli {

struct Peer {
  const char* name;  // as after --vs
  // Opens the library. Returns its version; throws std::runtime_error with the reason if it cannot
  // be used.
  std::string (*open)();
  // Makes the peer ready for |task|, as Family::prepare does. Empty if the peer lacks it.
  Work (*prepare)(Task& task);
};

#define X(name) extern const Peer peer_##name;
#include "peers.def"
#undef X

// The opened peer's version.
const std::string& version_of(const Peer& peer);

// The peers of a list such as "openssl,nettle". Throws std::invalid_argument for a name that does
// not exist; says on stderr which ones are not installed, and leaves them out.
std::vector<const Peer*> open_peers(const std::string& list);

// The names of all peers, separated by |separator|.
std::string peer_names(const char* separator);

// A library opened at run time.
class SharedLibrary {
 public:
  // Takes the first of |names| that the system has; throws std::runtime_error if it has none.
  void open(std::initializer_list<const char*> names);

  // Sets |*out_function| to the function |name|; throws std::runtime_error if there is none.
  template <class Function>
  void find(const char* name, Function** out_function) {
    *out_function = reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace incore::cli
