/* What the plugin in QEMU and the supplier of instructions tell each other, over a socket of
 * packets. The plugin waits for an answer of one byte to each message. */
#ifndef INCORE_TOOLS_BOOT_SITE_MESSAGE_H
#define INCORE_TOOLS_BOOT_SITE_MESSAGE_H

#include <stdint.h>

enum incore_site_kind {
  INCORE_SITE_PADLOCK = 1,    /* |cpu| is about to execute the PadLock instruction at |address| */
  INCORE_SITE_MSR_NUMBER = 2, /* |cpu| is about to execute an instruction at |address| that has the
                                 number of one of PadLock's MSRs as a constant */
  INCORE_SITE_MSR = 3,        /* code was translated that holds RDMSR or WRMSR at |address| */
  INCORE_SITE_OWN_MSR = 4     /* the same, behind such a constant */
};

struct incore_site_message {
  uint32_t kind;
  uint32_t cpu;     /* its index; 0 where none is named */
  uint64_t address; /* virtual */
};

#endif /* INCORE_TOOLS_BOOT_SITE_MESSAGE_H */
