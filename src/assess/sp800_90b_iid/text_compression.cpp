#include "assess/sp800_90b_iid/text_compression.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace incore::assess::sp800_90b {
namespace {

// NIST's tool asks for blocks of 500,000; bzip2 leaves room at their ends.
constexpr size_t kBlockLen = 500'000 - 19;
constexpr size_t kShortBlock = 64;  // sorted as characters
constexpr size_t kLongestWord = 4;
constexpr uint64_t kStreamBits = 4 * 8 + 48 + 32;   // "BZh5"; end and checksum
constexpr uint64_t kHeaderBits = 48 + 32 + 1 + 24;  // of a block: begin, checksum, flag, origin

// Which characters occur, as bzip2 lists them: 16 bits, and 16 for each 16 characters in use.
struct Characters {
  std::array<bool, 256> used{};
  unsigned num() const { return static_cast<unsigned>(std::count(used.begin(), used.end(), true)); }
  uint64_t list_bits() const {
    uint64_t bits = 16;
    for (size_t row = 0; row < 256; row += 16)
      if (std::find(used.begin() + static_cast<ptrdiff_t>(row),
                    used.begin() + static_cast<ptrdiff_t>(row + 16),
                    true) != used.begin() + static_cast<ptrdiff_t>(row + 16))
        bits += 16;
    return bits;
  }
};

}  // namespace

TextCompression::TextCompression(std::span<const uint8_t> alphabet) {
  for (const uint8_t value : alphabet) words_.push_back(std::to_string(value) + " ");
}

size_t TextCompression::compressed_len(std::span<const uint8_t> symbols) {
  uint64_t bits = kStreamBits;
  for (Block block{}; !block.last; bits += block_bits(symbols, block))
    block = next_block(symbols, block.end, block.more);
  return (bits + 7) / 8;
}

// A block takes whole runs of equal characters until it is full.
TextCompression::Block TextCompression::next_block(std::span<const uint8_t> symbols, size_t begin,
                                                   size_t skip) const {
  Block block{.begin = begin, .skip = skip, .end = begin, .more = skip, .len = 0, .last = false};
  // Whole words, as long as they cannot fill it.
  while (block.end < symbols.size() && block.len + kLongestWord < kBlockLen) {
    block.len += words_[symbols[block.end++]].size() - block.more;
    block.more = 0;
  }
  // Then run by run. The text ends without a space.
  const auto at = [&](size_t word, size_t character) {
    const std::string& text = words_[symbols[word]];
    const bool last = word + 1 == symbols.size();
    return character < text.size() - last ? text[character] : '\0';
  };
  const auto left = [&] {  // more than one character
    return block.end < symbols.size() && (at(block.end, block.more) != '\0') +
                                                 (at(block.end, block.more + 1) != '\0') +
                                                 (block.end + 1 < symbols.size()) >
                                             1;
  };
  while (block.end < symbols.size() && block.len < kBlockLen) {
    const char character = at(block.end, block.more);
    for (; character != '\0' && at(block.end, block.more) == character; ++block.more) ++block.len;
    if (at(block.end, block.more) != '\0') continue;
    ++block.end;
    block.more = 0;
  }
  // One last character goes into a full block too: bzip2 looks only when it reads on.
  if (!left() && block.end < symbols.size()) {
    ++block.len;
    block.end = symbols.size();
    block.more = 0;
  }
  block.last = block.end == symbols.size();
  return block;
}

std::string TextCompression::text_of(std::span<const uint8_t> symbols, const Block& block) const {
  std::string text;
  for (size_t i = block.begin; i < block.end; ++i) text += words_[symbols[i]];
  if (block.more != 0) text += words_[symbols[block.end]].substr(0, block.more);
  text.erase(0, block.skip);
  if (block.last) text.pop_back();
  return text;
}

uint64_t TextCompression::block_bits(std::span<const uint8_t> symbols, const Block& block) {
  transformed_.clear();
  if (block.len < kShortBlock)
    transform_short(symbols, block);
  else
    transform(symbols, block);
  Characters characters;
  for (const uint8_t character : transformed_) characters.used[character] = true;
  std::array<uint8_t, 256> number{};
  uint8_t next = 0;
  for (size_t i = 0; i < number.size(); ++i)
    if (characters.used[i]) number[i] = next++;
  for (uint8_t& character : transformed_) character = number[character];
  return kHeaderBits + characters.list_bits() + coding_.block_bits(transformed_, characters.num());
}

void TextCompression::transform_short(std::span<const uint8_t> symbols, const Block& block) {
  const std::string text = text_of(symbols, block);
  std::vector<std::string> rotated;
  for (size_t i = 0; i < text.size(); ++i) rotated.push_back(text.substr(i) + text.substr(0, i));
  std::sort(rotated.begin(), rotated.end());
  for (const std::string& each : rotated) transformed_.push_back(static_cast<uint8_t>(each.back()));
}

void TextCompression::transform(std::span<const uint8_t> symbols, const Block& block) {
  // What the block ends with and what it begins with make one word, up to its first space.
  std::string joined = words_[symbols[block.begin]].substr(block.skip);
  size_t end = block.end;
  if (block.more != 0) {
    joined.insert(0, words_[symbols[block.end]].substr(0, block.more));
  } else if (block.last) {
    std::string last = words_[symbols[--end]];
    last.pop_back();
    joined.insert(0, last);
  }

  // Words by their order as text.
  std::map<std::string, uint16_t> rank_of;
  for (const std::string& word : words_) rank_of.emplace(word, 0);
  rank_of.emplace(joined, 0);
  std::vector<std::string> word_of_rank;
  for (auto& [word, rank] : rank_of) {
    rank = static_cast<uint16_t>(word_of_rank.size());
    word_of_rank.push_back(word);
  }
  std::vector<uint16_t> rank_of_symbol;
  for (const std::string& word : words_) rank_of_symbol.push_back(rank_of[word]);
  ranks_.clear();
  ranks_.push_back(rank_of[joined]);
  for (size_t i = block.begin + 1; i < end; ++i) ranks_.push_back(rank_of_symbol[symbols[i]]);

  // Each end of a word is a bucket, in the order of texts.
  std::vector<uint32_t> count_of_rank(word_of_rank.size());
  for (const uint16_t rank : ranks_) ++count_of_rank[rank];
  std::map<std::string, uint32_t> bucket_of;
  for (size_t rank = 0; rank < word_of_rank.size(); ++rank)
    for (size_t i = 0; i < word_of_rank[rank].size(); ++i)
      bucket_of[word_of_rank[rank].substr(i)] += count_of_rank[rank];
  uint32_t begin = 0;
  for (auto& [rest, count] : bucket_of) begin += std::exchange(count, begin);
  transformed_.resize(begin);
  struct Writes {  // for each end of a word: its bucket's next place, and what stands before it
    size_t num;
    std::array<uint32_t*, 2 * kLongestWord> next;
    std::array<uint8_t, 2 * kLongestWord> character;
  };
  std::vector<Writes> writes_of_rank;
  for (const std::string& word : word_of_rank) {
    Writes& writes = writes_of_rank.emplace_back();
    writes.num = word.size();
    for (size_t i = 0; i < word.size(); ++i) {
      writes.next[i] = &bucket_of[word.substr(i)];
      writes.character[i] = static_cast<uint8_t>(i ? word[i - 1] : ' ');
    }
  }

  const auto k = static_cast<unsigned>(word_of_rank.size());
  for (const uint32_t rotation : rotations_.sort(ranks_, k)) {
    const size_t before = (rotation == 0 ? ranks_.size() : rotation) - 1;
    const Writes& writes = writes_of_rank[ranks_[before]];
    for (size_t i = 0; i < writes.num; ++i) transformed_[(*writes.next[i])++] = writes.character[i];
  }
}

}  // namespace incore::assess::sp800_90b
