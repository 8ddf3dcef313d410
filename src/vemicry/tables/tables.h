// What other files of the tree say of the vector instructions, made from the instructions' records.
#pragma once

#include <string>
#include <vector>

namespace incore::vemicry {

// A file of the tree, or the table in it that stands below the line <!-- table: |table| -->.
struct Table {
  const char* file;   // from the top of the tree
  const char* table;  // null: the whole file
  std::string text;   // lines, each with its end
};

std::vector<Table> tables();

// |document| with the lines of |table| that the records give. Returns false, and changes nothing,
// if it has no place for them.
bool put_in(const Table& table, std::string* document);

}  // namespace incore::vemicry
