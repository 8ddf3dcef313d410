// What kind of kernel a file is.
#pragma once

#include <string>

namespace incore::tools {

struct KernelFile {
  bool is_linux = false;   // else multiboot
  bool long_mode = false;  // 64-bit code
};

// Looks at the file |path|: a Linux kernel image (the kernel's Documentation/arch/x86/boot.rst), or
// one that says in its first 8 KiB that it is for multiboot. What is wrong, in words, or nothing.
std::string look_at_kernel(const std::string& path, KernelFile* out_kernel);

// The same of the file's first bytes.
bool recognize_kernel(const std::string& bytes, KernelFile* out_kernel);

}  // namespace incore::tools
