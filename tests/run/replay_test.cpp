// `incore run` does to a program's registers, flags and memory what the emulated processor does,
// whatever their state is and however an instruction comes to the run-time.
// INCORE_PROPERTY_COUNT counts batches of kRecordsPerBatch states for each width.
#include "run/incore_run.h"
#include "run/replay_random.h"
#include "support/property.h"

namespace incore::test {
namespace {

constexpr size_t kSitesPerBatch = 48, kRecordsPerBatch = 1280;

void replay_random_states(unsigned bits) {
  static const char* const kModels[] = {"nano",
                                        "zhaoxin",
                                        "esther9",
                                        "esther",
                                        "nehemiah",
                                        "host",
                                        "nano,ecb-fetch=8,cbc-fetch=4,vector-written=on",
                                        "c5xl"};
  for_each_seed(std::size(Replay::kPaths) * std::size(kModels), [bits](uint64_t seed) {
    SeededChoices choices(seed);
    const Replay::Setting setting = {bits,
                                     kModels[seed / std::size(Replay::kPaths) % std::size(kModels)],
                                     Replay::kPaths[seed % std::size(Replay::kPaths)]};
    Replay replay(setting, choices.next());
    add_random_records(replay, choices, kSitesPerBatch, kRecordsPerBatch);
    replay.run();
  });
}

TEST(run_replay, random_states_of_64_bits) {
  replay_random_states(64);
}

TEST(run_replay, random_states_of_32_bits) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  replay_random_states(32);
}

}  // namespace
}  // namespace incore::test
