// A library opened at run time, so that the program needs it neither to be built nor to be started.
// A program that is linked statically opens none: its C library need not be the system's.
#pragma once

#include <initializer_list>
#include <string>

namespace incore::tools {

class SharedLibrary {
 public:
  // Takes the first of |names| that the system has; throws std::runtime_error if it has none, or
  // if this program is linked statically.
  void open(std::initializer_list<const char*> names);

  // Sets |*out_function| to the function |name|; throws std::runtime_error if there is none.
  template <class Function>
  void find(const char* name, Function** out_function) {
    *out_function = reinterpret_cast<Function*>(symbol(name));
  }

  // The address of |name|; throws std::runtime_error if there is none.
  void* symbol(const char* name) const;

 private:
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace incore::tools
