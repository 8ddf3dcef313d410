// Every function of the hosted C interface that returns a status, called again and again, each time
// with another of its allocations failing: it must return a status, let no exception pass, leave
// nothing behind, and do its work the next time. A program of its own, since it replaces operator
// new for all that is in it.
#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "incore/vemicry.h"
#if INCORE_BUILD_RUN
#include "incore/run.h"
#include "incore/scan.h"
#endif
#if INCORE_BUILD_ASSESS
#include "incore/assess.h"
#endif

namespace {

// Shared with the processes that a call forks.
struct Shared {
  std::atomic<long> allocations_left = -1;  // until one fails; below 0: none does
  std::atomic<bool> was_optional =
      false;  // the one that failed: its caller can do without (nothrow)
};
Shared* shared = nullptr;  // before the first test
std::atomic<long> num_live = 0;

void* allocate(size_t len, size_t alignment, bool is_optional) noexcept {
  if (shared != nullptr && shared->allocations_left >= 0 && shared->allocations_left-- == 0) {
    shared->was_optional = is_optional;
    return nullptr;
  }
  void* const memory =
      alignment == 0 ? std::malloc(len == 0 ? 1 : len)
                     : std::aligned_alloc(alignment, (len + alignment - 1) / alignment * alignment);
  if (memory != nullptr) ++num_live;
  return memory;
}

void* allocate_or_throw(size_t len, size_t alignment) {
  void* const memory = allocate(len, alignment, false);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) --num_live;
  std::free(memory);
}

}  // namespace

void* operator new(size_t len) {
  return allocate_or_throw(len, 0);
}
void* operator new(size_t len, const std::nothrow_t&) noexcept {
  return allocate(len, 0, true);
}
void* operator new(size_t len, std::align_val_t alignment) {
  return allocate_or_throw(len, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  release(memory);
}

namespace incore::test {
namespace {

constexpr char kSource[] =
    "  .globl f\n"
    "f: addiu $2, $0, 7\n"
    "  vxor $v1, $v2, $v3\n"
    "  jr $31\n"
    "  nop\n"
    "  .data\n"
    "d: .word f, 2\n";
constexpr size_t kSourceLen = sizeof kSource - 1;

// What a call may work on, made anew for each, while nothing fails.
struct Fixture {
  Fixture() {
    check(incore_vemicry_assemble("f.s", kSource, kSourceLen, nullptr, &program, nullptr, 0));
    check(incore_vemicry_program_symbol(program, "f", &address));
    incore_vemicry_config banked = {};
    banked.banked = 1;
    check(incore_vemicry_machine_new(&banked, program, &machine, nullptr, 0));
    incore_vemicry_machine_count_instructions(machine, 1);
#if INCORE_BUILD_ASSESS
    incore_assess_options options = {};
    options.suites = "bytes,fips140,correlation,runs";
    options.threads = 1;
    check(incore_assess_new(&options, &assess, nullptr, 0));
#endif
  }
  ~Fixture() {
    incore_vemicry_machine_free(machine);
    incore_vemicry_program_free(program);
    incore_vemicry_program_free(made_program);
    incore_vemicry_machine_free(made_machine);
#if INCORE_BUILD_ASSESS
    incore_assess_free(assess);
    incore_assess_free(made_assess);
#endif
#if INCORE_BUILD_RUN
    incore_scan_free(made_scan);
#endif
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  static void check(incore_status status) {
    if (status != INCORE_OK) std::abort();
  }

  incore_vemicry_program* program = nullptr;
  incore_vemicry_machine* machine = nullptr;
  uint32_t address = 0;
  // What the call may make.
  incore_vemicry_program* made_program = nullptr;
  incore_vemicry_machine* made_machine = nullptr;
  incore_vemicry_outcome outcome = {};
  incore_vemicry_figures figures = {}, more_figures = {};
  incore_vemicry_trace_totals totals = {};
#if INCORE_BUILD_ASSESS
  incore_assess* assess = nullptr;
  incore_assess* made_assess = nullptr;
#endif
#if INCORE_BUILD_RUN
  incore_scan* made_scan = nullptr;
#endif
  char reason[256] = "";
};

struct Call {
  const char* function;
  incore_status usual;  // what it returns while nothing fails
  incore_status (*call)(Fixture& f);
  bool goes_on = false;  // without memory it leaves something out, and says so in its results
  const char* needs = nullptr;  // a command without which it is skipped
};

std::ostream& operator<<(std::ostream& out, const Call& call) {
  return out << call.function;
}

const std::vector<uint8_t>& elf() {
  static const std::vector<uint8_t> bytes = [] {
    const Fixture f;
    std::vector<uint8_t> result(1 << 16);
    size_t len = 0;
    Fixture::check(incore_vemicry_program_elf(f.program, result.data(), result.size(), &len));
    result.resize(len);
    return result;
  }();
  return bytes;
}

const char* const kSmallWorkload = "xor-words";

#if INCORE_BUILD_RUN
// A folder with two PowerPC programs: one that exits with 3, and one whose loader the folder lacks.
// A view must be made of it, as one of its links leads elsewhere. Removed in the end.
class PowerFolder {
 public:
  PowerFolder() {
    Fixture::check(mkdtemp(path_.data()) != nullptr ? INCORE_OK : INCORE_ERROR_IO);
    std::filesystem::create_directories(tree() + "/lib/inner");
    std::filesystem::create_symlink("/lib/inner", tree() + "/link");
    std::filesystem::create_directory(temporary());
    write(tree() + "/lib/ld64.so.2", elf_of_power(0x20000000, ""));
    program_ = path_ + "/program";
    write(program_, elf_of_power(0x10000000, "/lib/ld64.so.2"));
    without_loader_ = path_ + "/without-loader";
    write(without_loader_, elf_of_power(0x10000000, "/lib/ld64.so.1"));
    setenv("QEMU_LD_PREFIX", tree().c_str(), 1);
    setenv("TMPDIR", temporary().c_str(), 1);
  }
  ~PowerFolder() {
    unsetenv("QEMU_LD_PREFIX");
    unsetenv("TMPDIR");
    std::filesystem::remove_all(path_);
  }
  PowerFolder(const PowerFolder&) = delete;
  PowerFolder& operator=(const PowerFolder&) = delete;

  const char* program() const { return program_.c_str(); }
  const char* without_loader() const { return without_loader_.c_str(); }
  // Files that a run left behind.
  long num_left() const {
    return std::distance(std::filesystem::directory_iterator(temporary()), {});
  }

 private:
  std::string tree() const { return path_ + "/tree"; }
  std::string temporary() const { return path_ + "/tmp"; }
  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  // Ends with exit code 3.
  static constexpr uint32_t kCode[] = {0x38600003, 0x38000001, 0x44000002};  // li, li, sc
  // A program at |base| that needs |loader|, or none if that is empty.
  static std::string elf_of_power(uint64_t base, const std::string& loader) {
    const uint64_t num_segments = loader.empty() ? 1 : 2;
    const uint64_t code = sizeof(Elf64_Ehdr) + num_segments * sizeof(Elf64_Phdr);
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_PPC64;
    header.e_version = EV_CURRENT;
    header.e_entry = base + code;
    header.e_flags = 2;  // ELFv2
    header.e_ehsize = sizeof header;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = static_cast<Elf64_Half>(num_segments);
    Elf64_Phdr whole = {};
    whole.p_type = PT_LOAD;
    whole.p_flags = PF_R | PF_X;
    whole.p_vaddr = whole.p_paddr = base;
    whole.p_filesz = whole.p_memsz = code + sizeof kCode;
    whole.p_align = 0x10000;
    Elf64_Phdr name = {};
    name.p_type = PT_INTERP;
    name.p_offset = code + sizeof kCode;
    name.p_filesz = name.p_memsz = loader.size() + 1;
    std::string bytes;
    const auto append = [&](const void* data, size_t len) {
      bytes.append(static_cast<const char*>(data), len);
    };
    append(&header, sizeof header);
    if (!loader.empty()) append(&name, sizeof name);
    append(&whole, sizeof whole);
    append(kCode, sizeof kCode);
    append(loader.c_str(), loader.size() + 1);
    return bytes;
  }

  std::string path_ = std::filesystem::temp_directory_path() / "incore-memory-XXXXXX";
  std::string program_, without_loader_;
};

const PowerFolder& power_folder() {
  static const PowerFolder folder;
  return folder;
}
long num_files_left() {
  return power_folder().num_left();
}
#else
long num_files_left() {
  return 0;
}
#endif

const Call kCalls[] = {
    {"incore_vemicry_assemble", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_assemble("a.s", kSource, kSourceLen, nullptr, &f.made_program,
                                      f.reason, sizeof f.reason);
     }},
    {"incore_vemicry_assemble_with", INCORE_ERROR_FORMAT,
     [](Fixture& f) {
       const incore_vemicry_define define = {"SYMBOL", 1};
       return incore_vemicry_assemble_with(&define, 1, "a.s", "  bad SYMBOL\n", 13, nullptr,
                                           &f.made_program, f.reason, sizeof f.reason);
     }},
    {"incore_vemicry_assemble_files", INCORE_OK,
     [](Fixture& f) {
       const incore_vemicry_source source = {"a.s", "a.s", kSource, kSourceLen};
       return incore_vemicry_assemble_files(nullptr, 0, &source, 1, nullptr, &f.made_program,
                                            f.reason, sizeof f.reason);
     }},
    {"incore_vemicry_read_elf", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_read_elf(elf().data(), elf().size(), &f.made_program, f.reason,
                                      sizeof f.reason);
     }},
    {"incore_vemicry_read_flat", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_read_flat(elf().data(), 64, 0x400000, 0, &f.made_program, f.reason,
                                       sizeof f.reason);
     }},
    {"incore_vemicry_load_file", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_load_file(INCORE_SOURCE_DIR "/programs/vemicry/xor_words.s", "x.s",
                                       nullptr, &f.made_program, f.reason, sizeof f.reason);
     }},
    {"incore_vemicry_program_elf", INCORE_ERROR_LENGTH,
     [](Fixture& f) {
       size_t len = 0;
       return incore_vemicry_program_elf(f.program, nullptr, 0, &len);
     }},
    {"incore_vemicry_program_symbol", INCORE_ERROR_RANGE,
     [](Fixture& f) {
       return incore_vemicry_program_symbol(f.program, "a_label_that_is_not_there", &f.address);
     }},
    {"incore_vemicry_disassemble", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_disassemble(
           f.program, nullptr, [](void*, uint32_t, uint32_t, const char*, const char*) {}, nullptr);
     }},
    {"incore_vemicry_get_workload", INCORE_OK,
     [](Fixture&) {
       incore_vemicry_workload workload;
       return incore_vemicry_get_workload(0, &workload);
     }},
    {"incore_vemicry_measure", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_measure(kSmallWorkload, nullptr, 1, &f.figures, f.reason,
                                     sizeof f.reason);
     }},
    {"incore_vemicry_measure_with_keys", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_measure_with_keys("scalar-asm-aes128-keys",
                                               "scalar-asm-aes128-encrypt", nullptr, 1, &f.figures,
                                               &f.more_figures, f.reason, sizeof f.reason);
     }},
    {"incore_vemicry_measure_function", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_measure_function(f.program, "f", nullptr, 0, &f.figures, f.reason,
                                              sizeof f.reason);
     }},
    {"incore_vemicry_measure_call", INCORE_OK,
     [](Fixture& f) {
       incore_vemicry_call call = {};
       call.function = "f";
       return incore_vemicry_measure_call(f.program, &call, nullptr, 0, &f.figures, f.reason,
                                          sizeof f.reason);
     }},
    {"incore_vemicry_profile", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_profile(
           kSmallWorkload, nullptr, 1, [](void*, const char*, uint64_t, uint64_t, uint64_t) {},
           nullptr, f.reason, sizeof f.reason);
     }},
    {"incore_vemicry_get_rtl", INCORE_OK,
     [](Fixture&) {
       incore_vemicry_file file;
       return incore_vemicry_get_rtl(0, &file);
     }},
    {"incore_vemicry_area", INCORE_ERROR_RANGE,
     [](Fixture&) {
       incore_vemicry_config config = {};
       config.q = 99;
       double area;
       return incore_vemicry_area(&config, &area);
     }},
    {"incore_vemicry_machine_new", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_machine_new(nullptr, f.program, &f.made_machine, f.reason,
                                         sizeof f.reason);
     }},
    {"incore_vemicry_machine_run", INCORE_OK,
     [](Fixture& f) { return incore_vemicry_machine_run(f.machine, 3, &f.outcome); }},
    {"incore_vemicry_machine_run_timed", INCORE_OK,
     [](Fixture& f) {
       uint64_t cycles;
       return incore_vemicry_machine_run_timed(f.machine, 3, &f.outcome, &cycles);
     }},
    {"incore_vemicry_machine_call", INCORE_OK,
     [](Fixture& f) {
       const uint32_t arguments[6] = {};
       return incore_vemicry_machine_call(f.machine, f.address, arguments, 6, 0, &f.outcome);
     }},
    {"incore_vemicry_machine_begin_call", INCORE_OK,
     [](Fixture& f) {
       return incore_vemicry_machine_begin_call(f.machine, f.address, nullptr, 0);
     }},
    {"incore_vemicry_machine_set_breakpoint", INCORE_OK,
     [](Fixture& f) {
       const incore_status status = incore_vemicry_machine_set_breakpoint(f.machine, f.address, 1);
       return status != INCORE_OK ? status
                                  : incore_vemicry_machine_set_breakpoint(f.machine, f.address, 0);
     }},
    {"incore_vemicry_machine_time", INCORE_OK,
     [](Fixture& f) { return incore_vemicry_machine_time(f.machine, INCORE_VEMICRY_PROFILED); }},
    {"incore_vemicry_machine_times", INCORE_OK,
     [](Fixture& f) {
       uint64_t cycles, stalls[INCORE_VEMICRY_NUM_STALLS];
       const incore_status status = incore_vemicry_machine_time(f.machine, INCORE_VEMICRY_TIMED);
       return status != INCORE_OK ? status
                                  : incore_vemicry_machine_times(f.machine, &cycles, stalls);
     }},
    {"incore_vemicry_machine_profile", INCORE_OK,
     [](Fixture& f) {
       incore_status status = incore_vemicry_machine_time(f.machine, INCORE_VEMICRY_PROFILED);
       if (status == INCORE_OK) status = incore_vemicry_machine_run(f.machine, 3, &f.outcome);
       if (status != INCORE_OK) return status;
       return incore_vemicry_machine_profile(
           f.machine, 1, [](void*, const incore_vemicry_profile_row*) {}, nullptr);
     }},
    {"incore_vemicry_machine_read", INCORE_ERROR_RANGE,
     [](Fixture& f) {
       uint8_t byte;
       return incore_vemicry_machine_read(f.machine, 0, &byte, 1);
     }},
    {"incore_vemicry_machine_write", INCORE_OK,
     [](Fixture& f) {
       const uint8_t byte = 1;
       return incore_vemicry_machine_write(f.machine, f.address, &byte, 1);
     }},
    {"incore_vemicry_machine_get_register", INCORE_OK,
     [](Fixture& f) { return incore_vemicry_machine_get_register(f.machine, 1, &f.address); }},
    {"incore_vemicry_machine_set_register", INCORE_OK,
     [](Fixture& f) { return incore_vemicry_machine_set_register(f.machine, 1, 1); }},
    {"incore_vemicry_machine_get_vector", INCORE_OK,
     [](Fixture& f) { return incore_vemicry_machine_get_vector(f.machine, 1, &f.address, 1); }},
    {"incore_vemicry_machine_set_vector", INCORE_OK,
     [](Fixture& f) { return incore_vemicry_machine_set_vector(f.machine, 1, &f.address, 1); }},
    {"incore_vemicry_machine_place_table", INCORE_OK,
     [](Fixture& f) {
       const uint8_t table[256] = {};
       return incore_vemicry_machine_place_table(f.machine, 0x1000, table);
     }},
    {"incore_vemicry_trace_workload", INCORE_OK,
     [](Fixture& f) {
       const incore_vemicry_trace_options options = {
           nullptr, 0, [](void*, const incore_vemicry_traced*) { return 0; }, nullptr};
       return incore_vemicry_trace_workload(kSmallWorkload, 1, &options, &f.totals, f.reason,
                                            sizeof f.reason);
     }},
    {"incore_vemicry_trace_program", INCORE_OK,
     [](Fixture& f) {
       const incore_vemicry_trace_options options = {};
       return incore_vemicry_trace_program(f.program, "f", nullptr, 0, &options, &f.totals,
                                           f.reason, sizeof f.reason);
     }},
#if INCORE_BUILD_RUN
    {"incore_scan_file", INCORE_OK,
     [](Fixture& f) {
       return incore_scan_file("/bin/true", &f.made_scan, f.reason, sizeof f.reason);
     }},
    {"incore_scan_file", INCORE_ERROR_FORMAT,
     [](Fixture& f) {
       return incore_scan_file("/etc/passwd", &f.made_scan, f.reason, sizeof f.reason);
     }},
    {"incore_scan_get_site", INCORE_ERROR_NULL,
     [](Fixture&) { return incore_scan_get_site(nullptr, 0, nullptr); }},
    {"incore_run", INCORE_OK,
     [](Fixture&) {
       const char* const argv[] = {"/bin/sh", "-c", "exit 3", nullptr};
       static incore_run_report report;
       return incore_run(nullptr, argv, &report);
     }},
    {"incore_run", INCORE_ERROR_FORMAT,
     [](Fixture&) {
       const char* const argv[] = {"a_program_that_is_not_there", nullptr};
       static incore_run_report report;
       return incore_run(nullptr, argv, &report);
     }},
    {"incore_run", INCORE_ERROR_FORMAT,
     [](Fixture&) {
       const char* const argv[] = {power_folder().without_loader(), nullptr};
       static incore_run_report report;
       return incore_run(nullptr, argv, &report);
     }},
    {"incore_run", INCORE_OK,
     [](Fixture&) {
       const char* const argv[] = {power_folder().program(), nullptr};
       static incore_run_report report;
       incore_run_options options = {};
       options.count_power_insns = 1;
       const incore_status status = incore_run(&options, argv, &report);
       EXPECT_TRUE(status != INCORE_OK || report.exit_code == 3) << report.exit_code;
       return status;
     },
     false, "qemu-ppc64le"},
#endif
#if INCORE_BUILD_ASSESS
    {"incore_assess_get_suite", INCORE_OK,
     [](Fixture&) {
       incore_assess_suite suite;
       return incore_assess_get_suite(0, &suite);
     }},
    {"incore_assess_new", INCORE_OK,
     [](Fixture& f) {
       return incore_assess_new(nullptr, &f.made_assess, f.reason, sizeof f.reason);
     }},
    {"incore_assess_new", INCORE_ERROR_ALGORITHM,
     [](Fixture& f) {
       incore_assess_options options = {};
       options.suites = "no-such-suite";
       return incore_assess_new(&options, &f.made_assess, f.reason, sizeof f.reason);
     }},
    {"incore_assess_get_options", INCORE_OK,
     [](Fixture& f) {
       incore_assess_options options;
       return incore_assess_get_options(f.assess, &options);
     }},
    {"incore_assess_update", INCORE_OK,
     [](Fixture& f) {
       static const uint8_t bytes[5000] = {1, 2, 3};
       return incore_assess_update(f.assess, bytes, sizeof bytes, f.reason, sizeof f.reason);
     },
     true},
    {"incore_assess_finish", INCORE_OK, [](Fixture& f) { return incore_assess_finish(f.assess); },
     true},
    {"incore_assess_get_summary", INCORE_ERROR_STATE,
     [](Fixture& f) {
       incore_assess_summary summary;
       return incore_assess_get_summary(f.assess, &summary);
     }},
    {"incore_assess_get_result", INCORE_ERROR_RANGE,
     [](Fixture& f) {
       incore_assess_result result;
       return incore_assess_get_result(f.assess, 0, &result);
     }},
    {"incore_assess_get_series", INCORE_ERROR_RANGE,
     [](Fixture& f) {
       incore_assess_series series;
       return incore_assess_get_series(f.assess, 0, &series);
     }},
    {"incore_assess_get_run", INCORE_ERROR_RANGE,
     [](Fixture& f) {
       incore_assess_run run;
       return incore_assess_get_run(f.assess, 0, &run);
     }},
    {"incore_assess_evenness", INCORE_OK,
     [](Fixture&) {
       const double p_values[] = {0.1, 0.6, 0.8};
       double evenness;
       return incore_assess_evenness(p_values, 3, &evenness);
     }},
#endif
};

class capi_hosted_out_of_memory : public testing::TestWithParam<Call> {
 protected:
  static void SetUpTestSuite() {
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared = new (memory) Shared;
  }
};

INSTANTIATE_TEST_SUITE_P(, capi_hosted_out_of_memory, testing::ValuesIn(kCalls),
                         [](const auto& tested) {
                           return std::string(tested.param.function) + "_" +
                                  incore_status_name(tested.param.usual) + "_" +
                                  std::to_string(tested.index);
                         });

long num_descriptors() {
  long num = 0;
  for (int fd = 0; fd < 256; ++fd) num += fcntl(fd, F_GETFD) != -1 ? 1 : 0;
  return num;
}

bool is_installed(const std::string& command) {
  return std::system(("command -v " + command + " > /dev/null").c_str()) == 0;
}

// The status while allocation |number| fails, counted from 0; whether it came to that is left in
// |*out_failed|, and how many allocations and open files the call left behind in |*out_leaked|.
incore_status call_without(const Call& call, long number, bool* out_failed, long* out_leaked) {
  const long held_before = num_live + num_descriptors();
  incore_status status;
  {
    Fixture f;
    shared->was_optional = false;
    shared->allocations_left = number;
    status = call.call(f);
    *out_failed = number >= 0 && shared->allocations_left < 0;
    shared->allocations_left = -1;
  }
  *out_leaked = num_live + num_descriptors() - held_before;
  return status;
}

TEST_P(capi_hosted_out_of_memory, is_a_status_wherever_it_happens) {
  const Call& call = GetParam();
  if (call.needs != nullptr && !is_installed(call.needs)) GTEST_SKIP() << "no " << call.needs;
  (void)elf();  // made once, as is the folder
  ASSERT_EQ(num_files_left(), 0);
  bool failed;
  long leaked;
  ASSERT_EQ(call_without(call, -1, &failed, &leaked), call.usual);
  long number = 0;
  for (;; ++number) {
    const incore_status status = call_without(call, number, &failed, &leaked);
    ASSERT_EQ(leaked, 0) << "allocation " << number;
    ASSERT_EQ(num_files_left(), 0) << "allocation " << number;
    if (!failed) {
      ASSERT_EQ(status, call.usual);
      break;
    }
    const bool may_go_on = call.goes_on || shared->was_optional;
    if (!may_go_on || status != call.usual) {
      ASSERT_STREQ(incore_status_name(status), "memory") << "allocation " << number;
    }
  }
  RecordProperty("allocations", static_cast<int>(number));
  ASSERT_EQ(call_without(call, -1, &failed, &leaked), call.usual);
}

TEST(capi_hosted, all_functions_with_a_status_are_called) {
  std::set<std::string> called;
  for (const Call& call : kCalls) called.insert(call.function);
  std::vector<std::string> headers = {"vemicry"};
#if INCORE_BUILD_RUN
  headers.insert(headers.end(), {"run", "scan"});
#endif
#if INCORE_BUILD_ASSESS
  headers.push_back("assess");
#endif
  for (const std::string& header : headers) {
    std::ifstream file(INCORE_SOURCE_DIR "/include/incore/" + header + ".h");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::regex declaration(R"(INCORE_NODISCARD\s+incore_status\s+(incore_\w+)\()");
    size_t num = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end;
         ++at, ++num)
      EXPECT_TRUE(called.count((*at)[1])) << (*at)[1] << " of " << header << ".h is not in kCalls";
    EXPECT_NE(num, 0u) << header;
  }
}

}  // namespace
}  // namespace incore::test
