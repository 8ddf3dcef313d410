// VIA Nano L3050, core CNB (Isaiah): 64-bit, XSHA on whole blocks, no MSR 0x110B. Identity from
// real dumps (see source). Leaf 4 comes from a sister part: the C library of GNU/Linux sizes its
// copy routines by it, and older ones fail without.
#include "padlock/model.h"

namespace incore::padlock {
namespace {

constexpr CpuidRow kCpuid[] = {
    // leaf, subleaf, EAX, EBX, ECX, EDX
    {0x00000000, kAnySubleaf, 0x0000000A, 0x746E6543, 0x736C7561, 0x48727561},
    {0x00000001, kAnySubleaf, 0x000006F8, 0x00010800, 0x008863A9, 0xAFC9FBFF},
    {0x00000002, kAnySubleaf, 0x02B3B001, 0x00000000, 0x00000000, 0x2C04307D},
    {0x00000003, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x00000004, 0, 0x1C000021, 0x03C0003F, 0x0000003F, 0x00000000},
    {0x00000004, 1, 0x1C000022, 0x03C0003F, 0x0000003F, 0x00000000},
    {0x00000004, 2, 0x1C000043, 0x07C0003F, 0x000001FF, 0x00000000},
    {0x00000005, kAnySubleaf, 0x00000040, 0x00000040, 0x00000003, 0x00022220},
    {0x00000006, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x00000007, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x00000008, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x00000009, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x0000000A, kAnySubleaf, 0x06280202, 0x00000000, 0x00000000, 0x00000503},
    {0x80000000, kAnySubleaf, 0x80000008, 0x00000000, 0x00000000, 0x00000000},
    {0x80000001, kAnySubleaf, 0x00000000, 0x00000000, 0x00000001, 0x20100800},
    {0x80000002, kAnySubleaf, 0x20202020, 0x20202020, 0x20202020, 0x20202020},
    {0x80000003, kAnySubleaf, 0x20202020, 0x20202020, 0x41495620, 0x6E614E20},
    {0x80000004, kAnySubleaf, 0x334C206F, 0x40303530, 0x30303831, 0x007A484D},
    {0x80000005, kAnySubleaf, 0x00000000, 0x08800880, 0x40100140, 0x40100140},
    {0x80000006, kAnySubleaf, 0x00000000, 0x00000000, 0x04008140, 0x00000000},
    {0x80000007, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x80000008, kAnySubleaf, 0x00003024, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000000, kAnySubleaf, 0xC0000004, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000001, kAnySubleaf, 0x000006F8, 0x00000000, 0x00000000, 0x1EC33DCC},
    {0xC0000002, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000003, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000004, kAnySubleaf, 0x0000002A, 0x08001265, 0x08571265, 0x00000000},
};

}  // namespace

const Model model_nano = {
    .name = "nano",
    .description = "VIA Nano L3050, stepping 8: 64-bit; RNG, ACE2, PHE, PHE2, PMM",
    .source =
        "CPUID dump 0x6F8 of InstLatx64, leaf 4 from 0x6FC; Linux drivers for what the guide does "
        "not cover",
    .cpuid = kCpuid,
    .num_cpuid = sizeof kCpuid / sizeof kCpuid[0],
    .host_cpuid = false,
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
