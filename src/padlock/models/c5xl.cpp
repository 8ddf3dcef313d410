// VIA C3 Nehemiah, core C5XL, stepping 3: the first with PadLock, RNG only. Identity from a real
// dump (see source).
#include "padlock/model.h"

namespace incore::padlock {
namespace {

constexpr CpuidRow kCpuid[] = {
    // leaf, subleaf, EAX, EBX, ECX, EDX
    {0x00000000, kAnySubleaf, 0x00000001, 0x746E6543, 0x736C7561, 0x48727561},
    {0x00000001, kAnySubleaf, 0x00000693, 0x00000000, 0x00000000, 0x0380B13D},
    {0x80000000, kAnySubleaf, 0x80000006, 0x00000000, 0x00000000, 0x00000000},
    {0x80000001, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x80000002, kAnySubleaf, 0x20414956, 0x6568654E, 0x6861696D, 0x00000000},
    {0x80000003, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x80000004, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x80000005, kAnySubleaf, 0x00000000, 0x08800880, 0x40040120, 0x40040120},
    {0x80000006, kAnySubleaf, 0x00000000, 0x00000000, 0x00408120, 0x00000000},
    {0xC0000000, kAnySubleaf, 0xC0000001, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000001, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x0000001D},
};

}  // namespace

const Model model_c5xl = {
    .name = "c5xl",
    .description = "VIA C3 Nehemiah C5XL, stepping 3: RNG",
    .source = "CPUID dump 0x693 of InstLatx64; PadLock guide 1.66, chapter 1",
    .cpuid = kCpuid,
    .num_cpuid = sizeof kCpuid / sizeof kCpuid[0],
    .host_cpuid = false,
    .long_mode = false,
    .rng = true,
    .ace = false,
    .ace2 = false,
    .phe = false,
    .pmm = false,
    .ctr = false,
    .rng_msr = true,
    .fcr_msr = false,
    .ace2_enabled_flag = false,
    .ctr_erratum = false,
    .xsha_partial = false,
    .rng_bcnt_is_buffer_mask = false,
    .rng_string_filter = true,
    .rng_num_sources = 1,
    .rng_noise = RngNoise::nehemiah,
    .ecb_fetch_blocks = 2,
    .cbc_fetch_blocks = 1,
    .clock_mhz = 1200,
    .timing = TimingCore::nehemiah,
    .min_stepping = 3,
    .max_stepping = 7,
};

}  // namespace incore::padlock
