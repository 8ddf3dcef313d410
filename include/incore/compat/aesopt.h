/* The build options of Brian Gladman's AES that Incore's replacement knows. Whoever builds
 * libincore_gladman sets them; for a program that uses it they mean nothing. As his, this header
 * brings aes.h along.
 *
 * Section 2, VIA ACE (the AES unit of PadLock):
 * - USE_VIA_ACE_IF_PRESENT: look for the unit at run time; the ordinary code serves where it is
 *   missing or not enabled. The library does so on every x86 if nothing is said. As in his header
 *   the name is defined by itself on 32-bit x86 only: programs ask it whether his assembler code
 *   for the unit, which is 32-bit, may be compiled.
 * - ASSUME_VIA_ACE_PRESENT: do not look, take it for granted. On a processor without it the
 *   first call that processes whole blocks ends in an invalid opcode.
 * - NO_VIA_ACE (ours): never use it.
 *
 * ASM_X86_V1C, ASM_X86_V2C, ASM_X86_V2 and ASM_AMD64_C choose his assembler code. Here they choose
 * nothing, as Incore picks its kernel by the CPU; but the two whose key schedule the unit cannot
 * use are refused together with it, as his code refuses them.
 */
#ifndef INCORE_COMPAT_AESOPT_H
#define INCORE_COMPAT_AESOPT_H

#include "aes.h"
#include "brg_endian.h"

#if !defined(USE_VIA_ACE_IF_PRESENT) && !defined(ASSUME_VIA_ACE_PRESENT) && !defined(NO_VIA_ACE)
#if defined(__i386__) && !defined(ASM_X86_V2) && !defined(ASM_AMD64_C)
#define USE_VIA_ACE_IF_PRESENT
#endif
#endif

#if defined(USE_VIA_ACE_IF_PRESENT) || defined(ASSUME_VIA_ACE_PRESENT)
#if defined(NO_VIA_ACE)
#error "NO_VIA_ACE contradicts USE_VIA_ACE_IF_PRESENT and ASSUME_VIA_ACE_PRESENT"
#endif
#if defined(ASM_X86_V2) || defined(ASM_AMD64_C)
#error "ASM_X86_V2 and ASM_AMD64_C have no support for VIA ACE"
#endif
#endif

#endif /* INCORE_COMPAT_AESOPT_H */
