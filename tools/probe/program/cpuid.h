// CPUID: one question, and all that it answers.
#pragma once

#include <stdint.h>

struct CpuidRegisters {
  uint32_t eax, ebx, ecx, edx;
};

struct CpuidRegisters ask_cpuid(uint32_t leaf, uint32_t subleaf);
// As members of an object, those of which |mask| names bits.
void write_cpuid_registers(struct CpuidRegisters r, struct CpuidRegisters mask);
void write_cpuid(void);  // the member "cpuid" of the document
