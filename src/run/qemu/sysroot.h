// A folder in which PowerPC programs find their loader and libraries as they would below `/`.
//
// QEMU puts the folder before each path that a program opens, and this machine's kernel does the
// rest. So an absolute link in the folder leads out of it, to this machine's files. What `dpkg -x`
// unpacks has such links, the loader among them, and of systems where /lib is a link to /usr/lib it
// has no /lib. For such a folder QEMU gets a view of it instead: a temporary folder of links, in
// which both are right.
#pragma once

#include <map>
#include <string>

namespace incore::run::qemu {

class Sysroot {
 public:
  explicit Sysroot(std::string folder) : folder_(std::move(folder)) {}
  ~Sysroot() { remove_view(); }
  Sysroot(const Sysroot&) = delete;
  Sysroot& operator=(const Sysroot&) = delete;

  // The folder for QEMU: the one given, or a view of it. Empty if |loader|, an absolute path, is
  // not in either.
  std::string folder_with(const std::string& loader);

  // The view, if there is one, is left to another process, which has a copy of this object.
  void leave_view() { view_.clear(); }
  void remove_view() noexcept;

 private:
  bool make_view();
  void mirror(const std::string& folder);
  bool is_straight(const std::string& folder);
  std::string inside(const std::string& path) const;
  void link(const std::string& target, const std::string& path) const;

  std::string folder_;
  std::string root_;  // the same without links
  std::string view_;
  std::map<std::string, bool> straight_;
};

}  // namespace incore::run::qemu
