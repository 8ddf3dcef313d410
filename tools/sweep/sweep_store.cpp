#include "tools/sweep/sweep_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "tools/base/json.h"
#include "tools/base/quote.h"
#include "tools/sweep/sweep_tables.h"

namespace incore::tools {
namespace {

// One line of the file, before the outcome; its text is the point's key.
Json key_of(const SweepPlan& plan, const SweepPoint& point, const std::string& fingerprint) {
  Json key = point_json(plan, point);
  key["fingerprint"] = fingerprint;
  return key;
}

// Takes the outcome out of |json|; false: it has none.
bool take_outcome(Json& json, SweepOutcome* out_outcome) {
  for (const auto& [name, field] :
       {std::pair{"instructions", &out_outcome->instructions},
        std::pair{"cycles", &out_outcome->cycles}, std::pair{"bytes", &out_outcome->num_bytes}}) {
    if (!json.contains(name)) continue;
    if (json[name].kind() != Json::Kind::natural) return false;
    *field = json[name].natural();
    json.erase(name);
  }
  if (json.contains("refusal")) {
    if (json["refusal"].kind() != Json::Kind::text) return false;
    out_outcome->refusal = json["refusal"].text();
    json.erase("refusal");
  }
  return out_outcome->instructions != 0 || !out_outcome->refusal.empty();
}

}  // namespace

SweepStore::~SweepStore() {
  if (fd_ >= 0) close(fd_);
}

std::string SweepStore::open(const std::string& path) {
  path_ = path;
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) return fmt::format("cannot open {}: {}", in_quotes(path), std::strerror(errno));
  struct stat status;
  if (fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode))
    return in_quotes(path) + " is no regular file";
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0) return "another sweep is writing to " + in_quotes(path);
  std::ifstream file(path);
  bool complete = true;
  for (std::string line; std::getline(file, line);) {
    complete = !file.eof();
    if (!complete) break;
    Json json = Json::parse(line);
    SweepOutcome outcome;
    if (take_outcome(json, &outcome)) outcomes_[json.line()] = outcome;
  }
  if (!complete && write(fd_, "\n", 1) != 1)
    return fmt::format("cannot write {}: {}", in_quotes(path), std::strerror(errno));
  return "";
}

const SweepOutcome* SweepStore::find(const SweepPlan& plan, const SweepPoint& point,
                                     const std::string& fingerprint) const {
  const auto found = outcomes_.find(key_of(plan, point, fingerprint).line());
  return found == outcomes_.end() ? nullptr : &found->second;
}

std::string SweepStore::add(const SweepPlan& plan, const SweepPoint& point,
                            const std::string& fingerprint, const SweepOutcome& outcome) {
  Json json = key_of(plan, point, fingerprint);
  if (outcome.refusal.empty()) {
    json["instructions"] = outcome.instructions;
    json["cycles"] = outcome.cycles;
    json["bytes"] = outcome.num_bytes;
  } else {
    json["refusal"] = outcome.refusal;
  }
  const std::string line = json.line() + "\n";
  const ssize_t written = write(fd_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return "";
  return fmt::format("cannot write {}: {}", in_quotes(path_),
                     written < 0 ? std::strerror(errno) : "no space");
}

}  // namespace incore::tools
