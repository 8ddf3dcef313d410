#include "tools/base/shared_library.h"

#ifndef INCORE_STATIC_PROGRAM
#include <dlfcn.h>
#endif
#include <fmt/format.h>

#include <stdexcept>

namespace incore::tools {

#ifdef INCORE_STATIC_PROGRAM

void SharedLibrary::open(std::initializer_list<const char*> names) {
  throw std::runtime_error(
      fmt::format("this incore is linked statically and cannot load {}", *names.begin()));
}

void* SharedLibrary::symbol(const char*) const {
  return nullptr;  // nothing was opened
}

#else

void SharedLibrary::open(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (handle_ != nullptr) return;
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    name_ = name;
  }
  if (handle_ == nullptr)
    throw std::runtime_error(fmt::format("{} is not installed", *names.begin()));
}

void* SharedLibrary::symbol(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr) throw std::runtime_error(fmt::format("{} has no {}", name_, name));
  return found;
}

#endif

}  // namespace incore::tools
