// The CPU that runs the emulator, with the PadLock leaves and units of `nano`.
#include "padlock/model.h"

namespace incore::padlock {
namespace {

constexpr CpuidRow kCpuid[] = {
    // leaf, subleaf, EAX, EBX, ECX, EDX
    {0xC0000000, kAnySubleaf, 0xC0000004, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000001, kAnySubleaf, 0x000006F8, 0x00000000, 0x00000000, 0x1EC33DCC},
    {0xC0000002, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000003, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000004, kAnySubleaf, 0x0000002A, 0x08001265, 0x08571265, 0x00000000},
};

}  // namespace

const Model model_host = {
    .name = "host",
    .description = "this CPU, with the PadLock units of nano",
    .source = "CPUID of this CPU; leaves 0xC000000x from dump 0x6F8 of InstLatx64",
    .cpuid = kCpuid,
    .num_cpuid = sizeof kCpuid / sizeof kCpuid[0],
    .host_cpuid = true,
    .long_mode = true,
    .rng = true,
    .ace = true,
    .ace2 = true,
    .phe = true,
    .pmm = true,
    .ctr = true,
    .rng_msr = false,
    .fcr_msr = true,
    .ace2_enabled_flag = false,
    .ctr_erratum = false,
    .xsha_partial = true,
    .rng_bcnt_is_buffer_mask = true,
    .rng_string_filter = false,
    .rng_num_sources = 2,
    .rng_noise = RngNoise::esther,
    .ecb_fetch_blocks = 2,
    .cbc_fetch_blocks = 1,
    .clock_mhz = 1800,
    .phe2 = true,
};

}  // namespace incore::padlock
