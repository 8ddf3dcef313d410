#include "tools/bench/governor.h"

#include <fmt/format.h>

#include <fstream>

namespace incore::tools {

std::string governor_of(const std::string& sysfs, int cpu) {
  std::ifstream file(
      fmt::format("{}/devices/system/cpu/cpu{}/cpufreq/scaling_governor", sysfs, cpu));
  std::string governor;
  return file >> governor ? governor : "unknown";
}

std::string governor_warning(const std::string& governor, int cpu) {
  if (governor == "performance" || governor == "unknown") return "";
  return fmt::format(
      "warning: the clock of CPU {} is governed by '{}', so figures may be too low; as root, write "
      "'performance' to /sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor",
      cpu, governor, cpu);
}

}  // namespace incore::tools
