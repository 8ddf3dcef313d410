// What CRAP shows: headers, samples and the bias test's table, with a form feed where a page of 45
// lines is full; and the name of the file that it saves to.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>

#include "tools/samples/crap_statistics.h"

namespace incore::tools {

// What stands in the header.
struct CrapHeader {
  std::string date, host;
  uint64_t sample_bytes = 0;
  bool is_chip = true;  // else there is no bias, divider and so on
  unsigned bias = 0, divider = 0, mode = 0;
  bool raw = false;
  unsigned sha = 0;
  std::string saved_to;  // empty: nowhere
};

// A class of text, so that it can be tested without a screen.
class CrapScreen {
 public:
  // "Sample i", with a header before it where a page begins. |kbits_per_second| is empty for a
  // source that has no rate.
  std::string sample(const CrapHeader& header, unsigned number,
                     std::optional<uint64_t> kbits_per_second);
  std::string statistics(const CrapResult& result);
  std::string form_feed();
  // The means for the eight biases, with a header.
  std::string mean_samples(const CrapHeader& header, std::span<const unsigned, 8> means);

 private:
  unsigned lines_ = 0;  // of statistics on this page
};

// Bits in a second, in thousands.
uint64_t crap_data_rate(uint64_t bytes, double seconds);

// DIR/CHIP.YYDDD.HHMM.<divider><flags>.RNG
std::string crap_file_name(const std::string& directory, const std::string& chip,
                           const std::tm& time, unsigned divider, const std::string& flags);

}  // namespace incore::tools
