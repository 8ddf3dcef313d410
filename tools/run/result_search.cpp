#include "tools/run/result_search.h"

#include <algorithm>
#include <cstring>

namespace incore::tools {
namespace {

uint64_t load(const unsigned char* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

size_t hash(uint64_t first_half) {
  return first_half * 0x9E3779B97F4A7C15u >> 44;  // 20 bits, as may_begin_ has places
}

ResultBytes with_words_swapped(ResultBytes bytes, size_t word_len) {
  for (size_t i = 0; i < bytes.size(); i += word_len)
    std::reverse(bytes.begin() + i, bytes.begin() + i + word_len);
  return bytes;
}

}  // namespace

size_t ResultSearch::add(const ResultBytes& result, bool has_words) {
  if (std::count(result.begin(), result.end(), result[0]) == static_cast<ptrdiff_t>(result.size()))
    return kNone;
  const auto [entry, is_new] = numbers_.try_emplace(result, found_.size());
  if (!is_new) return entry->second;
  found_.push_back(false);
  ++num_unfound_;
  add_form(result, entry->second);
  if (has_words)
    for (const size_t word_len : {4, 8})
      add_form(with_words_swapped(result, word_len), entry->second);
  return entry->second;
}

void ResultSearch::add_form(const ResultBytes& form, size_t number) {
  const uint64_t first_half = load(form.data());
  by_first_half_.insert({first_half, {load(form.data() + sizeof first_half), number}});
  may_begin_[hash(first_half)] = 1;
}

void ResultSearch::forget_finds() {
  found_.assign(found_.size(), false);
  num_unfound_ = found_.size();
  num_searched_ = 0;
}

int ResultSearch::look(void* context, const unsigned char* bytes, size_t len) {
  ResultSearch& search = *static_cast<ResultSearch*>(context);
  if (search.num_unfound_ == 0) return 0;
  search.num_searched_ += len;
  if (!search.looked_at_all()) return 0;
  const uint8_t* const may_begin = search.may_begin_.data();
  for (size_t i = 0; i + sizeof(ResultBytes) <= len; ++i)
    if (const uint64_t first_half = load(bytes + i); may_begin[hash(first_half)] != 0)
      search.look_closely(first_half, load(bytes + i + sizeof first_half));
  return search.num_unfound_ != 0;
}

void ResultSearch::look_closely(uint64_t first_half, uint64_t second_half) {
  const auto [begin, end] = by_first_half_.equal_range(first_half);
  for (auto at = begin; at != end; ++at) {
    if (at->second.second_half != second_half || found_[at->second.number]) continue;
    found_[at->second.number] = true;
    --num_unfound_;
  }
}

}  // namespace incore::tools
