#include "vemicry/tables/tables.h"

#include <algorithm>
#include <cstdio>

#include "vemicry/insn.h"
#include "vemicry/operands.h"

namespace incore::vemicry {
namespace {

constexpr const char* kMade =
    "// Made from the instruction records of src/vemicry by `make vemicry-tables`.\n";

std::vector<const Insn*> vector_insns() {
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  return {all, all + kNumVectorInsns};
}

// Those that a function code tells, in its order; the others access control registers.
std::vector<const Insn*> insns_by_function() {
  std::vector<const Insn*> found = vector_insns();
  std::erase_if(found, [](const Insn* insn) { return (insn->word & ~63u) != vector_word(0); });
  std::sort(found.begin(), found.end(),
            [](const Insn* a, const Insn* b) { return a->word < b->word; });
  return found;
}

std::string function_text(const Insn& insn, const char* prefix) {
  char text[16];
  std::snprintf(text, sizeof text, "%s%02x", prefix, Word{insn.word}.funct());
  return text;
}

std::string capitals(const char* mnemonic) {
  std::string text = mnemonic;
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

bool has_operand(const Insn& insn, std::string_view name) {
  const OperandList list = operands_of(insn.operands);
  return std::any_of(list.begin(), list.end(), [&](const Operand& o) { return o.name == name; });
}

// "vload vd, (r), n"
std::string written(const Insn& insn) {
  std::string text = std::string(insn.mnemonic) + " ";
  for (const char* c = insn.operands; *c != '\0'; ++c)
    text += *c == ',' ? ", " : std::string(1, *c);
  return text;
}

std::string verilog_codes() {
  std::string text =
      std::string("// Operations inside the vector unit: the function codes of the ") +
      "encoding (VeMICry paper, appendix A),\n// and behind them what has no code " +
      "of its own.\n" + kMade + "`ifndef VEMICRY_OPS_VH\n`define VEMICRY_OPS_VH\n";
  for (const Insn* insn : insns_by_function())
    text += "`define OP_" + capitals(insn->mnemonic) + " " + function_text(*insn, "6'h") + "\n";
  return text +
         "`define OP_COPY 6'h38           // VTRANSP with n = 0\n"
         "`define OP_READ_CONTROL 6'h39   // CFC2, MFVCR among them; n is the control register\n"
         "`define OP_WRITE_CONTROL 6'h3a  // CTC2, MTVCR among them\n"
         "`endif\n";
}

std::string verilog_fields() {
  std::string text =
      std::string(
          "// What vemicry_decode.v knows of each function code: does the instruction have ") +
      "vk, R, vd, vj, n;\n// does n count or number words; does it read vd; is it PIVI " +
      "(section 4.3)?\n" + kMade;
  for (const Insn* insn : insns_by_function()) {
    const bool has_n = has_operand(*insn, "n");
    const bool facts[] = {has_operand(*insn, "vk"),
                          has_operand(*insn, "r") || has_operand(*insn, "(r)"),
                          has_operand(*insn, "vd"),
                          has_operand(*insn, "vj"),
                          has_n,
                          has_n && counts_words(*insn),
                          (insn->reads & kVd) != 0,
                          insn->insn_class == Class::pivi};
    text += "`OP_" + capitals(insn->mnemonic) + ": fields = 9'b1_";
    for (size_t i = 0; i < std::size(facts); ++i) {
      if (i == 5) text += '_';
      text += facts[i] ? '1' : '0';
    }
    text += ";\n";
  }
  return text;
}

std::string encoding_table() {
  std::string text = "| funct | instruction |\n|---|---|\n";
  for (const Insn* insn : insns_by_function())
    text += "| " + function_text(*insn, "0x") + " | `" + written(*insn) + "` |\n";
  return text;
}

std::string meaning_table() {
  std::string text = "| instruction | effect |\n| --- | --- |\n";
  for (const Insn* insn : vector_insns())
    text += "| `" + written(*insn) + "` | " + insn->meaning + " |\n";
  return text;
}

std::string class_table() {
  std::string text = "| class | instructions |\n| --- | --- |\n";
  const std::pair<Class, const char*> kClasses[] = {
      {Class::givi, "GIVI"}, {Class::pivi, "PIVI"}, {Class::mavi, "MAVI"}};
  for (const auto& [insn_class, name] : kClasses) {
    std::string names;
    for (const Insn* insn : vector_insns()) {
      const bool copies = (insn->traits & kCopyIfZero) != 0 && insn_class == Class::givi;
      if (insn->insn_class != insn_class && !copies) continue;
      names +=
          (names.empty() ? "" : ", ") + capitals(insn->mnemonic) + (copies ? " with n = 0" : "");
    }
    text += std::string("| ") + name + " | " + names + " |\n";
  }
  return text;
}

}  // namespace

std::vector<Table> tables() {
  return {{"rtl/vemicry/vemicry_ops.vh", nullptr, verilog_codes()},
          {"rtl/vemicry/vemicry_fields.vh", nullptr, verilog_fields()},
          {"docs/vemicry/assembler.md", "encodings", encoding_table()},
          {"docs/vemicry/machine.md", "instructions", meaning_table()},
          {"docs/vemicry/pipeline.md", "classes", class_table()}};
}

bool put_in(const Table& table, std::string* document) {
  if (table.table == nullptr) {
    *document = table.text;
    return true;
  }
  const std::string marker = std::string("<!-- table: ") + table.table + " -->\n";
  size_t begin = document->find(marker);
  if (begin == std::string::npos) return false;
  begin += marker.size();
  const size_t end = document->find("\n\n", begin - 1);  // an empty line ends a table
  if (end == std::string::npos) return false;
  document->replace(begin, end + 1 - begin, table.text);
  return true;
}

}  // namespace incore::vemicry
