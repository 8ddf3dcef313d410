#include "tools/bench/peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace incore::tools {
namespace {

#define X(name) &peer_##name,
const Peer* const kPeers[] = {
#include "tools/bench/peers.def"
};
#undef X

std::map<const Peer*, std::string> versions;

}  // namespace

const std::string& version_of(const Peer& peer) {
  return versions.at(&peer);
}

std::vector<std::string> peer_names() {
  std::vector<std::string> names;
  for (const Peer* peer : kPeers) names.emplace_back(peer->name);
  return names;
}

std::vector<const Peer*> open_peers(const std::string& list) {
  std::vector<const Peer*> peers;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const auto* const found = std::find_if(std::begin(kPeers), std::end(kPeers),
                                           [&](const Peer* peer) { return name == peer->name; });
    if (found == std::end(kPeers))
      throw std::invalid_argument(
          fmt::format("--vs: no peer '{}'; accepted are: {}", name, fmt::join(peer_names(), " ")));
    if (std::find(peers.begin(), peers.end(), *found) == peers.end()) peers.push_back(*found);
  }
  std::erase_if(peers, [](const Peer* peer) {
    try {
      versions[peer] = peer->open();
      return false;
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "incore bench: no comparison with {}: {}\n", peer->name, error.what());
      return true;
    }
  });
  return peers;
}

}  // namespace incore::tools
