#include "tools/samples/crap_screen.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace incore::tools {
namespace {

constexpr unsigned kLinesOfSample = 6, kLinesOfPage = 45;

std::string title(const CrapHeader& header) {
  return fmt::format("\tCENTAUR RNG ANALYSIS PACKAGE {}\n", header.date);
}

std::string details(const CrapHeader& header) {
  constexpr uint64_t kMegabyte = 1 << 20;
  const bool whole = header.sample_bytes % kMegabyte == 0;
  std::string text = whole ? fmt::format("\t{} MB", header.sample_bytes / kMegabyte)
                           : fmt::format("\t{} byte", header.sample_bytes);
  text += fmt::format(" samples from {}\n", header.host);
  if (header.is_chip) {
    const char* const device = header.mode == 0 ? "A" : header.mode == 1 ? "B" : "AB";
    text += fmt::format("\tDCBIAS={} EDX DIVIDER={} DEV={}", header.bias, header.divider, device);
    if (header.raw) text += " RAW BITS";
  }
  if (header.sha != 0) text += fmt::format("{}SHA-1={}", header.is_chip ? " " : "\t", header.sha);
  if (!header.saved_to.empty()) text += fmt::format("\n\tRNG data saved to {}", header.saved_to);
  return text + "\n\t-----\n";
}

}  // namespace

std::string CrapScreen::sample(const CrapHeader& header, unsigned number,
                               std::optional<uint64_t> kbits_per_second) {
  std::string text = lines_ == 0 ? title(header) + details(header) : "";
  text += fmt::format("\n\tSample {}.", number);
  if (kbits_per_second) text += fmt::format(" RNG datarate: {} kbits/sec", *kbits_per_second);
  return text + "\n";
}

std::string CrapScreen::statistics(const CrapResult& result) {
  lines_ += kLinesOfSample;
  const std::string text = fmt::format(
      "\t\tChi-square: {:7.2f} PVALUE: {:.5f}\n"
      "\t\t   [Total] {:7.2f}         {:.5f}\n"
      "\t\t                    KSTEST: {:.5f}\n"
      "\t\t-----\n",
      result.chi_square, result.p_value, result.total_chi_square, result.total_p_value,
      result.evenness);
  return lines_ > kLinesOfPage ? text + form_feed() : text;
}

std::string CrapScreen::form_feed() {
  lines_ = 0;
  return "\f\n";
}

std::string CrapScreen::mean_samples(const CrapHeader& header, std::span<const unsigned, 8> means) {
  std::string text = title(header) + "\n\t-----\n\n\n";
  for (size_t bias = 0; bias < means.size(); ++bias)
    text += fmt::format("\tMTBF DC BIAS = {}: {}\n", bias, means[bias]);
  return text + form_feed();
}

uint64_t crap_data_rate(uint64_t bytes, double seconds) {
  return seconds > 0 ? static_cast<uint64_t>(8 * static_cast<double>(bytes) / seconds / 1000) : 0;
}

std::string crap_file_name(const std::string& directory, const std::string& chip,
                           const std::tm& time, unsigned divider, const std::string& flags) {
  return fmt::format("{}/{}.{:%y%j.%H%M}.{}{}.RNG", directory, chip, time, divider, flags);
}

}  // namespace incore::tools
