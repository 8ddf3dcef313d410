#include "run/group.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "run/injector.h"

namespace incore::run {
namespace {

template <class... Arguments>
long call_outer(Call call, Arguments... arguments) {
  const long result = syscall(kCallNumber, static_cast<long>(call), arguments...);
  return result < 0 ? -errno : result;
}

}  // namespace

void GroupMemory::map() {
  if (fd() < 0) return;
  void* const memory = mmap(nullptr, kSharedLen, PROT_READ | PROT_WRITE, MAP_SHARED, fd(), 0);
  if (memory == MAP_FAILED) return;
  stats_ = static_cast<Stats*>(memory);
  known_files_ = reinterpret_cast<KnownFiles*>(static_cast<uint8_t*>(memory) + kStatsLen);
}

GroupMemory::~GroupMemory() {
  if (stats_ != nullptr) munmap(stats_, kSharedLen);
}

int GroupMemory::create() {
  Descriptor memory(memfd_create("incore-run", MFD_CLOEXEC));
  return memory.get() >= 0 && ftruncate(memory.get(), kGroupMemoryLen) == 0 ? memory.release() : -1;
}

void GroupMemory::tell(const FileIdentity& identity, std::span<const uint64_t> sites) {
  const size_t num_files = told_.size();  // what the memory says may be a program's work
  if (num_files == std::size(known_files_->files) ||
      sites.size() > std::size(known_files_->sites) - num_told_sites_ ||
      !told_.insert(identity).second)
    return;
  std::copy(sites.begin(), sites.end(), known_files_->sites + num_told_sites_);
  known_files_->files[num_files] = {identity, num_told_sites_, static_cast<uint32_t>(sites.size())};
  num_told_sites_ += static_cast<uint32_t>(sites.size());
  known_files_->num_files.store(static_cast<uint32_t>(num_files + 1), std::memory_order_release);
}

const std::vector<uint8_t>& GroupMemory::image(bool is_32bit, const Config& config) {
  std::vector<uint8_t>& image = images_[is_32bit];
  if (!image.empty()) return image;
  image = runtime_image(is_32bit, config);
  const auto place = static_cast<off_t>(image_offset(is_32bit));
  if (pwrite(fd(), image.data(), image.size(), place) != static_cast<ssize_t>(image.size()))
    throw std::bad_alloc();
  return image;
}

OuterRun::OuterRun(const Config& config)
    : group_(call_outer(Call::open_group, &config, sizeof config)) {
  if (group_ == -ENOSYS) group_ = 0;
}

OuterRun::~OuterRun() {
  if (group_ > 0) call_outer(Call::close_group, group_);
}

bool OuterRun::enter() const {
  return call_outer(Call::enter_group, group_) == 0;
}

int OuterRun::memory_fd() const {
  return static_cast<int>(call_outer(Call::group_fd, group_));
}

std::vector<Finding> OuterRun::findings() const {
  std::string bytes;
  for (;;) {
    const long len = call_outer(Call::findings, group_, bytes.data(), bytes.size());
    if (len < 0) return {};
    const bool came = static_cast<size_t>(len) <= bytes.size();
    bytes.resize(static_cast<size_t>(len));
    if (came) return to_findings(bytes);
  }
}

Group::Group(const Config& of, const OuterRun* outer) : config(of) {
  Descriptor fd(outer != nullptr ? outer->memory_fd() : GroupMemory::create());
  memory = std::make_shared<GroupMemory>(fd);
}

}  // namespace incore::run
