// Zhaoxin KaiXian KX-U6780A (ZX-E): Nano's units with PHE2, and CCS (SM3, SM4). Identity from the
// dump of a real part, whose vendor is CentaurHauls like that of all dumped parts; ZX-C and ZX-D
// exist with "  Shanghai  ", which `vendor=shanghai` gives.
#include "padlock/model.h"

namespace incore::padlock {
namespace {

constexpr CpuidRow kCpuid[] = {
    // leaf, subleaf, EAX, EBX, ECX, EDX
    {0x00000000, kAnySubleaf, 0x0000000D, 0x746E6543, 0x736C7561, 0x48727561},
    {0x00000001, kAnySubleaf, 0x000307B1, 0x00080800, 0x7FDA63EB, 0xBFCBFBFF},
    {0x00000002, kAnySubleaf, 0x635AF001, 0x00000000, 0x00000000, 0x000000FF},
    {0x00000003, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x00000004, 0, 0x1C000121, 0x01C0003F, 0x0000003F, 0x00000000},
    {0x00000004, 1, 0x1C000122, 0x01C0003F, 0x0000003F, 0x00000000},
    {0x00000004, 2, 0x1C00C143, 0x03C0003F, 0x00000FFF, 0x00000003},
    {0x00000005, kAnySubleaf, 0x00000040, 0x00000040, 0x00000003, 0x00022220},
    {0x00000006, kAnySubleaf, 0x00000003, 0x00000000, 0x00000000, 0x00000000},
    {0x00000007, 0, 0x00000000, 0x200C258B, 0x00000004, 0x24000000},
    {0x00000008, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x00000009, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x0000000A, kAnySubleaf, 0x07300402, 0x00000000, 0x00000000, 0x00000603},
    {0x0000000B, 0, 0x00000000, 0x00000001, 0x00000100, 0x00000000},
    {0x0000000B, 1, 0x00000003, 0x00000008, 0x00000201, 0x00000000},
    {0x0000000C, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x0000000D, 0, 0x00000007, 0x00000340, 0x00000340, 0x00000000},
    {0x0000000D, 1, 0x00000001, 0x00000000, 0x00000000, 0x00000000},
    {0x0000000D, 2, 0x00000100, 0x00000240, 0x00000000, 0x00000000},
    {0x80000000, kAnySubleaf, 0x80000008, 0x00000000, 0x00000000, 0x00000000},
    {0x80000001, kAnySubleaf, 0x00000000, 0x00000000, 0x00000121, 0x2C100800},
    {0x80000002, kAnySubleaf, 0x20202020, 0x20202020, 0x20202020, 0x5A202020},
    {0x80000003, kAnySubleaf, 0x584F4148, 0x4B204E49, 0x69586961, 0x4B206E61},
    {0x80000004, kAnySubleaf, 0x36552D58, 0x41303837, 0x372E3240, 0x007A4847},
    {0x80000005, kAnySubleaf, 0x04200420, 0x06600660, 0x20080140, 0x20080140},
    {0x80000006, kAnySubleaf, 0x00000000, 0x00000000, 0x10008140, 0x00000000},
    {0x80000007, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000100},
    {0x80000008, kAnySubleaf, 0x00003028, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000000, kAnySubleaf, 0xC0000004, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000001, kAnySubleaf, 0x000307B1, 0x00000000, 0x00000000, 0x1EC33DFC},
    {0xC0000002, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000003, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000004, kAnySubleaf, 0x00000024, 0x180036A5, 0x186936A5, 0x00000000},
};

}  // namespace

const Model model_zhaoxin = {
    .name = "zhaoxin",
    .description = "Zhaoxin KaiXian KX-U6780A: 64-bit; RNG, ACE2, PHE, PHE2, PMM, CCS",
    .source =
        "CPUID dump 0x307B1 of InstLatx64; Zhaoxin's GMI User Manual 1.0 for CCS; Linux and KVM "
        "for MSR and flags; Nano where nothing else is known",
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
    .clock_mhz = 2700,
    .phe2 = true,
    .ccs = true,
    .zhaoxin = true,
    .xsha1_stores_32 = true,
    .xsha_skips_empty = true,
};

}  // namespace incore::padlock
