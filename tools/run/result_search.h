// Looks for results of PadLock instructions, 16 bytes each, in the memory of programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace incore::tools {

using ResultBytes = std::array<uint8_t, 16>;

class ResultSearch {
 public:
  static constexpr size_t kNone = ~size_t{0};

  // From now on |result| is looked for. |has_words|: of a hash, whose words other programs may keep
  // in the other byte order. Returns its number, the same for the same bytes; kNone for bytes that
  // are all the same, which are found anywhere.
  size_t add(const ResultBytes& result, bool has_words);
  void forget_finds();

  // For incore_run_options: |context| is the object. 0: nothing is left to be found.
  static int look(void* context, const unsigned char* bytes, size_t len);

  size_t size() const { return found_.size(); }
  bool found(size_t number) const { return found_[number]; }
  // Whether all that look() was given was searched; there is a limit, 256 GiB.
  bool looked_at_all() const { return num_searched_ <= kMostSearched; }

 private:
  struct Sought {
    uint64_t second_half;
    size_t number;
  };
  static constexpr uint64_t kMostSearched = uint64_t{1} << 38;

  void add_form(const ResultBytes& form, size_t number);
  void look_closely(uint64_t first_half, uint64_t second_half);

  std::map<ResultBytes, size_t> numbers_;
  std::unordered_multimap<uint64_t, Sought> by_first_half_;
  std::vector<uint8_t> may_begin_ = std::vector<uint8_t>(1 << 20);  // by hash of a first half
  std::vector<bool> found_;
  size_t num_unfound_ = 0;
  uint64_t num_searched_ = 0;
};

}  // namespace incore::tools
