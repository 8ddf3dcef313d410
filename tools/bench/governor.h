// The policy by which Linux chooses a CPU's clock: figures taken under any but "performance" depend
// on what ran before (POWER8 guide, chapter 8, Powersave).
#pragma once

#include <string>

namespace incore::tools {

// The governor of |cpu|, such as "powersave"; "unknown" where the system does not say. |sysfs| is
// where that file system is, usually /sys.
std::string governor_of(const std::string& sysfs, int cpu);

// What to tell a user who measures on |cpu|; empty if nothing is wrong.
std::string governor_warning(const std::string& governor, int cpu);

}  // namespace incore::tools
