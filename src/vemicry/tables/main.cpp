// vemicry_tables [--check] ROOT: puts what the instruction records say into the files of the tree
// at ROOT that repeat it; with --check it changes nothing and tells what differs.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>

#include "vemicry/tables/tables.h"

namespace incore::vemicry {
namespace {

// Exit code: 0 all is as the records say, or was made so; 1 it differs; 2 the tree is another one.
int run(const std::string& root, bool only_check) {
  int result = 0;
  for (const Table& table : tables()) {
    const std::string path = root + "/" + table.file;
    std::ifstream in(path, std::ios::binary);
    const std::string before{std::istreambuf_iterator<char>(in), {}};
    std::string after = before;
    if (!put_in(table, &after)) {
      std::fprintf(stderr,
                   "vemicry_tables: %s has no line <!-- table: %s --> with a table and an empty "
                   "line below\n",
                   path.c_str(), table.table);
      return 2;
    }
    if (after == before) continue;
    if (only_check) {
      std::fprintf(stderr,
                   "%s differs from the instruction records: `make vemicry-tables` renews it\n",
                   table.file);
      result = 1;
      continue;
    }
    std::ofstream out(path, std::ios::binary);
    if (!(out << after).flush()) {
      std::fprintf(stderr, "vemicry_tables: cannot write to %s\n", path.c_str());
      return 2;
    }
    std::printf("%s: renewed\n", table.file);
  }
  return result;
}

}  // namespace
}  // namespace incore::vemicry

int main(int argc, char** argv) {
  const bool only_check = argc > 1 && std::string_view(argv[1]) == "--check";
  if (argc != 2 + only_check) {
    std::fprintf(stderr, "usage: vemicry_tables [--check] ROOT\n");
    return 2;
  }
  return incore::vemicry::run(argv[argc - 1], only_check);
}
