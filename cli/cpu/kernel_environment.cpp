#include "cli/cpu/kernel_environment.h"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/cpu/kernels.h"

namespace incore::cli {
namespace {

bool lacks_features(size_t algorithm, const std::string& name) {
  for (size_t i = 0; i < incore_cpu_num_kernels(algorithm); ++i)
    if (kernel(algorithm, i).name == name) return kernel(algorithm, i).missing != 0;
  return false;
}

}  // namespace

std::string kernel_environment_mistake() {
  const char* part = nullptr;
  size_t part_len = 0, algorithm = 0;
  const char* environment = secure_getenv("INCORE_KERNEL");
  if (environment == nullptr) return "";  // CPUID can take longer than all the rest
  const incore_status status =
      incore_cpu_check_environment(environment, &part, &part_len, &algorithm);
  if (status == INCORE_OK) return "";
  const std::string wrong = "INCORE_KERNEL: '" + std::string(part, part_len) + "' ";
  switch (status) {
    case INCORE_ERROR_FORMAT:
      return wrong + "is not of the form ALGORITHM:KERNEL, as in sha256:portable";
    case INCORE_ERROR_ALGORITHM:
      return wrong + "is no algorithm; one of: " + algorithm_names();
    case INCORE_ERROR_KERNEL:
      return fmt::format("{}is no kernel of {}; one of: {}", wrong,
                         incore_cpu_algorithm_name(algorithm), kernel_names(algorithm, false));
    default:
      return fmt::format("{}{} on this CPU; for {} one of: {}", wrong,
                         lacks_features(algorithm, std::string(part, part_len))
                             ? "cannot run"
                             : "fails its self-test",
                         incore_cpu_algorithm_name(algorithm), kernel_names(algorithm, true));
  }
}

}  // namespace incore::cli
