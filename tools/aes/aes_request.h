// What is asked of `incore aes`, in texts, and the job that it makes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/aes/aes_job.h"

namespace incore::tools {

struct AesRequest {
  std::string direction, mode;  // empty: not given
  std::optional<std::string> key, key_file, iv, aad;
  std::string in = "-", out = "-";
  std::optional<size_t> tag_len, unit_len;
  bool no_padding = false;

  AesRequest() = default;
  AesRequest(const AesRequest&) = delete;
  ~AesRequest();  // wipes the key
};

inline constexpr size_t kUsualTagLen = 16;

std::vector<std::string> aes_mode_names();

// What is wrong with the options together; empty if nothing is.
std::string contradiction(const AesRequest& options);

// Reads the key, iv and associated data of |options|, which contradict each other in nothing.
// Throws std::runtime_error, which says what is wrong.
void fill_job(const AesRequest& options, AesJob& job);

}  // namespace incore::tools
