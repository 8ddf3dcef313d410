// What a run of CRAP shows: its screen as it goes, or all of it as JSON at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tools/base/json.h"
#include "tools/samples/crap_options.h"
#include "tools/samples/crap_screen.h"
#include "tools/samples/crap_source.h"
#include "tools/samples/crap_statistics.h"

namespace incore::tools {

struct CrapSample {
  unsigned number = 0;  // from 1 on
  int64_t mode = 0, bias = 0, round = 0;
  uint64_t bytes = 0;
  double seconds = 0;
  std::string date = {};                  // for people
  std::optional<CrapResult> result = {};  // none with --speed
};

class CrapReport {
 public:
  // |options| are adjusted. Both must outlive the report.
  CrapReport(const CrapOptions& options, const CrapSource& source);

  // Samples go to |file| too.
  void save_to(const std::string& file) { header_.saved_to = file; }
  void begin();
  void set_msr(uint32_t value);
  void sample(const CrapSample& sample);
  // After the samples of one bias, and after those of all.
  void end_bias();
  void mean_samples(int64_t mode, int64_t round, std::span<const unsigned, kCrapBiases> means);
  // What is left of the file.
  void saved(const std::string& file, uint64_t bytes);
  void end(bool is_partial);

  bool has_samples() const { return !samples_.empty(); }

 private:
  void print(const std::string& text) const;
  void add_json(const CrapSample& sample, uint64_t rate);

  const CrapOptions& options_;
  const CrapSource& source_;
  CrapHeader header_;
  CrapScreen screen_;
  Json report_, samples_ = Json::array();
};

}  // namespace incore::tools
