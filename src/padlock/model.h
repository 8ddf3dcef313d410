// A CPU model: constant data, no code. models/<model>.cpp holds one each, models.def lists them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::padlock {

// One row of a CPUID dump. kAnySubleaf: the leaf ignores ECX.
inline constexpr uint32_t kAnySubleaf = 0xFFFFFFFF;
struct CpuidRow {
  uint32_t leaf, subleaf, eax, ebx, ecx, edx;
};

// Whose constants time the instructions: see timing.h. Parts of which nothing was published take
// Esther's.
enum class TimingCore : uint8_t { nehemiah, esther };

enum class RngNoise : uint8_t { nehemiah, esther };  // the tables of noise.cpp

// Its layout does not depend on the word size, so that `incore run` can hand it to 32-bit programs.
struct Model {
  alignas(8) const char* name;  // as in --cpu: c5xl nehemiah esther esther9 nano zhaoxin host
  alignas(8) const char* description;  // one line for people
  alignas(8) const char* source;       // where the dump and the facts come from

  // Identity: the dump after RESET, ordered by leaf and subleaf. Leaves 0xC0000001 EDX carries the
  // PadLock flags.
  alignas(8) const CpuidRow* cpuid;
  alignas(8) size_t num_cpuid;
  alignas(8) bool host_cpuid;  // answer leaves below 0xC0000000 from the CPU that runs the emulator
  // Runs 64-bit programs; otherwise they see its identity with the x86-64 baseline added.
  bool long_mode;

  // Units that exist. Those that exist are enabled after RESET.
  bool rng, ace, ace2, phe, pmm;
  bool ctr;                // REP XCRYPTCTR exists
  bool rng_msr;            // MSR 0x110B exists
  bool fcr_msr;            // MSR 0x1107 exists, bit 28 enables ACE, ACE2, PHE and PMM
  bool ace2_enabled_flag;  // CPUID 0xC0000001 EDX[9] follows FCR[28]; else it reads 0 (Nano)

  // Behaviour that differs from part to part.
  bool ctr_erratum;              // Esther stepping 8: see REP XCRYPTCTR
  bool xsha_partial;             // XSHA takes EAX = -1: whole blocks, no padding
  bool rng_bcnt_is_buffer_mask;  // RDMSR 0x110B BCNT: a bit per buffer (Esther), else a byte count
  bool rng_string_filter;        // FLTR, FAIL and FCNT exist (Nehemiah)
  unsigned rng_num_sources;      // noise sources, 1 or 2
  RngNoise rng_noise;            // their rates, bias and correlation
  unsigned ecb_fetch_blocks;     // source blocks that ECB loads at a time, 2 up to 8
  unsigned cbc_fetch_blocks;     // the same for the other modes, 1 up to 4

  uint32_t clock_mhz;  // of the part in the dump or the guide's tables
  TimingCore timing = TimingCore::esther;

  // The steppings that a user may give it, and the one of them that has the CTR erratum.
  static constexpr unsigned kNoStepping = 16;
  unsigned min_stepping = 0, max_stepping = 15;
  unsigned ctr_erratum_stepping = kNoStepping;

  // CBC and CFB encryption write the next vector over the first one, which the guide says they
  // spare; some reports contradict it.
  bool vector_written = false;

  // Units that came later than the guide. No MSR bit switches them.
  bool phe2 = false;  // SHA-384 and SHA-512
  bool ccs = false;   // SM3 and SM4
  // Zhaoxin: bits 5:0 of leaf 0xC0000001 EDX are CCS, RNG and SM2, and MSR 0x1257 takes the place
  // of 0x1107 (Linux, arch/x86/kernel/cpu/zhaoxin.c; KVM's commits on these flags, 2026).
  bool zhaoxin = false;
  // The Linux driver padlock-sha is kept off Zhaoxin parts for two differences: XSHA1 uses 32 bytes
  // at EDI, and with ECX = 0 neither XSHA1 nor XSHA256 does anything (commit ebba09f19807, 2026).
  bool xsha1_stores_32 = false;
  bool xsha_skips_empty = false;
};

#define X(name) extern const Model model_##name;
#include "padlock/models.def"
#undef X

// The models of models.def, in its order.
const Model* const* models(size_t* out_num_models);

// What a model is called beside its own name. A name that ends with * stands for all that begin so.
struct ModelAlias {
  const char* name;
  const Model* model;
};
// Those of model_names.def.
const ModelAlias* model_aliases(size_t* out_num_aliases);

// The model called |name|, or null.
const Model* find_model(const char* name);

// A model with fields changed by the user. |model| points into this object where anything was
// changed.
struct ModelSpec {
  static constexpr size_t kMaxRows = 96;
  Model model;
  CpuidRow rows[kMaxRows];  // model.cpuid points here
  ModelSpec() = default;
  ModelSpec(const ModelSpec&) = delete;
  ModelSpec& operator=(const ModelSpec&) = delete;
};

// parse_model_spec reads "MODEL[,FIELD=VALUE...]", such as "nano,ace2-en=on,stepping=10", into
// |out|. Returns null, or a message that says what was wrong and what is accepted, written to
// |message| (cut at |message_len|).
const char* parse_model_spec(const char* text, ModelSpec* out, char* message, size_t message_len);

// The names of the fields that parse_model_spec accepts, "stepping", "ace2-en", ..., in order;
// ended by null.
const char* const* model_field_names();

}  // namespace incore::padlock
