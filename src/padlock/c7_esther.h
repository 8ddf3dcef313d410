// VIA C7 Esther, core C5J: what its models share, esther (stepping 8) and esther9 (stepping 9).
// Identity from a real dump of stepping 9.
#pragma once

#include "padlock/model.h"

namespace incore::padlock {
namespace {

template <uint32_t stepping>
constexpr CpuidRow kCpuid[] = {
    // leaf, subleaf, EAX, EBX, ECX, EDX
    {0x00000000, kAnySubleaf, 0x00000001, 0x746E6543, 0x736C7561, 0x48727561},
    {0x00000001, kAnySubleaf, 0x000006A0 | stepping, 0x00010800, 0x00000181, 0xA7C9BBFF},
    {0x80000000, kAnySubleaf, 0x80000006, 0x00000000, 0x00000000, 0x00000000},
    {0x80000001, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00100000},
    {0x80000002, kAnySubleaf, 0x20202020, 0x20202020, 0x20202020, 0x20202020},
    {0x80000003, kAnySubleaf, 0x56202020, 0x45204149, 0x65687473, 0x72702072},
    {0x80000004, kAnySubleaf, 0x7365636F, 0x20726F73, 0x30303531, 0x007A484D},
    {0x80000005, kAnySubleaf, 0x00000000, 0x08800880, 0x40040140, 0x40040140},
    {0x80000006, kAnySubleaf, 0x00000000, 0x00000000, 0x0080A140, 0x00000000},
    {0xC0000000, kAnySubleaf, 0xC0000002, 0x00000000, 0x00000000, 0x00000000},
    {0xC0000001, kAnySubleaf, 0x00000000, 0x00000000, 0x00000000, 0x00003FCC},
    {0xC0000002, kAnySubleaf, 0x00002C00, 0x08000F13, 0x08100F13, 0x43C00000},
};

template <size_t num_cpuid>
constexpr Model esther(const char* name, const char* description, const char* source,
                       const CpuidRow (&cpuid)[num_cpuid], bool ctr_erratum) {
  return {
      .name = name,
      .description = description,
      .source = source,
      .cpuid = cpuid,
      .num_cpuid = num_cpuid,
      .host_cpuid = false,
      .long_mode = false,
      .rng = true,
      .ace = true,
      .ace2 = true,
      .phe = true,
      .pmm = true,
      .ctr = true,
      .rng_msr = true,
      .fcr_msr = true,
      .ace2_enabled_flag = true,
      .ctr_erratum = ctr_erratum,
      .xsha_partial = false,
      .rng_bcnt_is_buffer_mask = true,
      .rng_string_filter = false,
      .rng_num_sources = 2,
      .rng_noise = RngNoise::esther,
      .ecb_fetch_blocks = 2,
      .cbc_fetch_blocks = 1,
      .clock_mhz = 1600,
      .ctr_erratum_stepping = 8,
  };
}

}  // namespace
}  // namespace incore::padlock
