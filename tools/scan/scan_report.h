// What `incore scan` tells of a file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "incore/scan.h"
#include "tools/base/json.h"

namespace incore::tools {

struct FileSites {
  std::string file;
  std::string machine;
  std::vector<incore_scan_site> shown;
  std::map<std::string, int> counts;  // by mnemonic, without the doubtful ones
  size_t num_doubtful = 0;            // places that may be data
};

// |all|: with the places that may be data.
FileSites sites_of(const std::string& file, const incore_scan* scan, bool all);

void print_sites(const FileSites& sites);
Json sites_json(const FileSites& sites);

}  // namespace incore::tools
