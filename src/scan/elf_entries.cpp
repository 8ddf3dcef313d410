// Where code begins, as far as symbols, the dynamic section and relocations say so.
#include <algorithm>

#include "scan/elf_image.h"

namespace incore::scan {
namespace {

// The relocations that can name a start of code without a symbol: an address in the image, and the
// result of a function at an address in it.
bool is_relative(Machine machine, uint64_t type) {
  constexpr uint64_t kPower = 22 /* R_PPC64_RELATIVE */;
  static_assert(R_X86_64_RELATIVE == R_386_RELATIVE);
  const bool is_x86 = machine == Machine::x86_64 || machine == Machine::i386;
  return type == (is_x86 ? R_X86_64_RELATIVE : kPower);
}
bool is_function_result(Machine machine, uint64_t type) {
  constexpr uint64_t kPower = 248 /* R_PPC64_IRELATIVE */, kPowerJump = 247 /* R_PPC64_JMP_IREL */;
  if (machine == Machine::x86_64) return type == R_X86_64_IRELATIVE;
  if (machine == Machine::i386) return type == R_386_IRELATIVE;
  return type == kPower || type == kPowerJump;
}

}  // namespace

uint64_t ElfImage::dynamic_value(uint64_t tag) const {
  for (const auto& [t, value] : dynamic_)
    if (t == tag) return value;
  return 0;
}

void ElfImage::read_symbols(std::span<const uint8_t> table, std::span<const uint8_t> names,
                            std::vector<Symbol>& out_symbols) const {
  const size_t entry_size = file_.symbol_len();
  for (; table.size() >= entry_size; table = table.subspan(entry_size)) {
    const elf::SymbolEntry symbol = file_.symbol(table.data());
    if (symbol.type != STT_FUNC && symbol.type != STT_GNU_IFUNC) continue;
    if (symbol.section == SHN_UNDEF) continue;
    const uint64_t address = code_address(symbol.address);
    if (!is_code(address)) continue;
    out_symbols.push_back({address, symbol.len, elf::string_at(names, symbol.name)});
  }
}

// DT_SYMTAB does not say how long it is. DT_HASH counts its symbols; without it, linkers place
// DT_STRTAB behind it.
size_t ElfImage::dynamic_symbol_table_len() const {
  const uint64_t table = dynamic_value(DT_SYMTAB);
  const std::span<const uint8_t> hash = bytes_at(dynamic_value(DT_HASH));
  if (dynamic_value(DT_HASH) != 0 && hash.size() >= 8)
    return load_sized(hash.data() + 4, 4, format().big_endian) * file_.symbol_len();
  const uint64_t names = dynamic_value(DT_STRTAB);
  return names > table ? names - table : 0;
}

std::vector<Symbol> ElfImage::functions() const {
  std::vector<Symbol> symbols;
  bool has_dynsym = false;
  for (const Section& section : sections_) {
    if (section.type != SHT_SYMTAB && section.type != SHT_DYNSYM) continue;
    has_dynsym |= section.type == SHT_DYNSYM;
    if (section.link < sections_.size())
      read_symbols(section.bytes, sections_[section.link].bytes, symbols);
  }
  if (!has_dynsym && dynamic_value(DT_SYMTAB) != 0) {
    const std::span<const uint8_t> table = bytes_at(dynamic_value(DT_SYMTAB));
    read_symbols(table.first(std::min(table.size(), dynamic_symbol_table_len())),
                 bytes_at(dynamic_value(DT_STRTAB)), symbols);
  }
  // Of two symbols at one address, the one with a size tells more.
  std::stable_sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
    return a.address != b.address ? a.address < b.address : a.size > b.size;
  });
  return symbols;
}

std::vector<ElfImage::Relocation> ElfImage::relocations() const {
  const bool wide = format().is_64bit;
  std::vector<Relocation> found;
  const auto read = [&](std::span<const uint8_t> table, bool has_addend) {
    const size_t entry_size = has_addend ? (wide ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela))
                                         : (wide ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel));
    for (; table.size() >= entry_size; table = table.subspan(entry_size)) {
      const uint8_t* entry = table.data();
      const uint64_t info = ELF_FIELD(format(), entry, Rel, r_info);
      const uint64_t type = wide ? ELF64_R_TYPE(info) : ELF32_R_TYPE(info);
      if (!is_relative(machine_, type) && !is_function_result(machine_, type)) continue;
      const uint64_t offset = ELF_FIELD(format(), entry, Rel, r_offset);
      found.push_back(
          {offset, type,
           has_addend ? ELF_FIELD(format(), entry, Rela, r_addend) : pointer_at(offset)});
    }
  };
  bool by_section = false;
  for (const Section& section : sections_) {
    if (section.type != SHT_RELA && section.type != SHT_REL) continue;
    by_section = true;
    read(section.bytes, section.type == SHT_RELA);
  }
  if (by_section) return found;
  const auto read_dynamic = [&](uint64_t table_tag, uint64_t size_tag, bool has_addend) {
    const std::span<const uint8_t> table = bytes_at(dynamic_value(table_tag));
    read(table.first(std::min<uint64_t>(table.size(), dynamic_value(size_tag))), has_addend);
  };
  read_dynamic(DT_RELA, DT_RELASZ, true);
  read_dynamic(DT_REL, DT_RELSZ, false);
  read_dynamic(DT_JMPREL, DT_PLTRELSZ, dynamic_value(DT_PLTREL) == DT_RELA);
  return found;
}

void ElfImage::find_pointers() {
  for (const Relocation& r : relocations())
    if (is_relative(machine_, r.type)) pointers_.emplace_back(r.offset, r.addend);
  std::sort(pointers_.begin(), pointers_.end());
}

uint64_t ElfImage::code_address(uint64_t address) const {
  if (!is_power() || is_code(address)) return address;
  const auto pointer = std::lower_bound(pointers_.begin(), pointers_.end(),
                                        std::pair<uint64_t, uint64_t>(address, 0));
  if (pointer != pointers_.end() && pointer->first == address) return pointer->second;
  return pointer_at(address);
}

std::vector<uint64_t> ElfImage::entries() const {
  std::vector<uint64_t> addresses = {entry_, dynamic_value(DT_INIT), dynamic_value(DT_FINI)};
  std::vector<Range> arrays;
  const auto add_array = [&](uint64_t address, uint64_t size) {
    const uint64_t end = address + std::min<uint64_t>(size, bytes_at(address).size());
    arrays.push_back({address, end});
    for (uint64_t p = address; p + (format().is_64bit ? 8 : 4) <= end;
         p += format().is_64bit ? 8 : 4)
      addresses.push_back(pointer_at(p));
  };
  add_array(dynamic_value(DT_PREINIT_ARRAY), dynamic_value(DT_PREINIT_ARRAYSZ));
  add_array(dynamic_value(DT_INIT_ARRAY), dynamic_value(DT_INIT_ARRAYSZ));
  add_array(dynamic_value(DT_FINI_ARRAY), dynamic_value(DT_FINI_ARRAYSZ));
  for (const Section& section :
       sections_)  // static programs have the arrays, but no dynamic section
    if (section.type == SHT_INIT_ARRAY || section.type == SHT_FINI_ARRAY ||
        section.type == SHT_PREINIT_ARRAY)
      add_array(section.address, section.bytes.size());

  for (const Relocation& r : relocations()) {
    const bool in_array = std::any_of(arrays.begin(), arrays.end(),
                                      [&](const Range& array) { return array.contains(r.offset); });
    if (is_function_result(machine_, r.type) || (is_relative(machine_, r.type) && in_array))
      addresses.push_back(r.addend);
  }
  for (uint64_t& address : addresses) address = code_address(address);
  std::erase_if(addresses, [&](uint64_t address) { return !is_code(address); });
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

}  // namespace incore::scan
