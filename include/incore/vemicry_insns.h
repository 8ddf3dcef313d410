/* The vector instructions of VeMICry for C programs that GCC compiles for MIPS-I. GCC knows no
 * vector registers, so a register is a number, a constant; so are counts. Statements keep their
 * order among each other. docs/vemicry/machine.md says what each does.
 *
 *     vemicry_vload(0, words, 0);
 *     vemicry_vxor(1, 0, 0);
 *     vemicry_vstore(words, 1, 0);
 */
#ifndef INCORE_VEMICRY_INSNS_H
#define INCORE_VEMICRY_INSNS_H

#include <stdint.h>

#if defined(__mips__) && defined(__GNUC__)

/* The word's 25 bits behind COP2 and CO; a number that does not fit is an error. Scalar operands
 * are in $8. */
#define VEMICRY_FIELD_(value, max, shift) \
  (((value) << (shift)) * (int)sizeof(char[(value) >= 0 && (value) <= (max) ? 1 : -1]))
#define VEMICRY_WORD_(r, vd, vj, n, funct)                                               \
  (VEMICRY_FIELD_(r, 15, 20) | VEMICRY_FIELD_(vd, 15, 16) | VEMICRY_FIELD_(vj, 15, 12) | \
   VEMICRY_FIELD_(n, 63, 6) | (funct))
#define VEMICRY_SCALAR_ 8
#define VEMICRY_VECTORS_(k, vd, vj, n, funct) \
  __asm__ volatile("c2 %0" : : "i"(VEMICRY_WORD_(k, vd, vj, n, funct)))
#define VEMICRY_TAKES_(value, vd, vj, n, funct)                                                    \
  do {                                                                                             \
    register uint32_t vemicry_scalar_ __asm__("$8") = (uint32_t)(value);                           \
    __asm__ volatile("c2 %1"                                                                       \
                     :                                                                             \
                     : "r"(vemicry_scalar_), "i"(VEMICRY_WORD_(VEMICRY_SCALAR_, vd, vj, n, funct)) \
                     : "memory");                                                                  \
  } while (0)

#define vemicry_vxor(vd, vj, vk) VEMICRY_VECTORS_(vk, vd, vj, 0, 0x00)
#define vemicry_vbcrotr(vd, vj, n) VEMICRY_VECTORS_(0, vd, vj, n, 0x01)
#define vemicry_vmpmul(vd, vj) VEMICRY_VECTORS_(0, vd, vj, 0, 0x02)
#define vemicry_vaddu(vd, vj, vk) VEMICRY_VECTORS_(vk, vd, vj, 0, 0x10)
#define vemicry_vtransp(vd, vj, n) VEMICRY_VECTORS_(0, vd, vj, n, 0x13)
#define vemicry_vwshl(vd, vj, n) VEMICRY_VECTORS_(0, vd, vj, n, 0x14)
#define vemicry_vwshr(vd, vj, n) VEMICRY_VECTORS_(0, vd, vj, n, 0x15)

#define vemicry_vsaddu(vd, vj, value) VEMICRY_TAKES_(value, vd, vj, 0, 0x03)
#define vemicry_vspmult(vd, vj, value) VEMICRY_TAKES_(value, vd, vj, 0, 0x11)
#define vemicry_vsamult(vd, vj, value) VEMICRY_TAKES_(value, vd, vj, 0, 0x12)
#define vemicry_vload(vd, address, n) VEMICRY_TAKES_(address, vd, 0, n, 0x20)
#define vemicry_vstore(address, vj, n) VEMICRY_TAKES_(address, 0, vj, n, 0x21)
#define vemicry_vbyteld(vd, address, n) VEMICRY_TAKES_(address, vd, 0, n, 0x22)
#define vemicry_vsmove(vd, value, n) VEMICRY_TAKES_(value, vd, 0, n, 0x30)

/* Word n - 1 of vj; CAR if n = 0. */
#define vemicry_vextract(vj, n)                                              \
  (__extension__({                                                           \
    register uint32_t vemicry_scalar_ __asm__("$8");                         \
    __asm__ volatile("c2 %1"                                                 \
                     : "=r"(vemicry_scalar_)                                 \
                     : "i"(VEMICRY_WORD_(VEMICRY_SCALAR_, 0, vj, n, 0x31))); \
    vemicry_scalar_;                                                         \
  }))

/* Control registers: VCR, the vector length, CAR. */
#define VEMICRY_TO_(value, number) __asm__ volatile("ctc2 %0, $" #number : : "r"(value))
#define VEMICRY_FROM_(number)                                        \
  (__extension__({                                                   \
    uint32_t vemicry_control_;                                       \
    __asm__ volatile("cfc2 %0, $" #number : "=r"(vemicry_control_)); \
    vemicry_control_;                                                \
  }))
#define vemicry_mtvcr(value) VEMICRY_TO_(value, 0)
#define vemicry_mfvcr() VEMICRY_FROM_(0)
#define vemicry_set_length(words) VEMICRY_TO_(words, 2)
#define vemicry_length() VEMICRY_FROM_(2)
#define vemicry_car() VEMICRY_FROM_(1)

#endif

#endif /* INCORE_VEMICRY_INSNS_H */
