// PUSHF, POPF and IRET (Intel SDM, volume 2), at whose places an int3 of ours stands: they reload
// the key of the next XCRYPT. EFLAGS bit 30 reads 0 in the image that PUSHF stores, as it does
// without us (PadLock guide 1.66, chapter 1, Multi-Tasking).
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

constexpr uint64_t kStored = 0x00FCFFFF;   // all but RF and VM, which are stored as 0
constexpr uint64_t kLoaded = 0x00254DD5;   // what a program may change where IOPL < CPL
constexpr uint64_t kResumeFlag = 1 << 16;  // loaded as 0
constexpr uint64_t kNestedTask = 1 << 14, kId = 1 << 21;
constexpr bool kIs64Bit = kCodeSize == padlock::CodeSize::bits64;

// Linux's sigreturn leaves NT and ID as they are in the handler that returns, so they are set there
// as well.
void set_in_handler(uint64_t flags) {
  constexpr Word kKept = kNestedTask | kId;
#if defined(__x86_64__)
  __builtin_ia32_writeeflags_u64((__builtin_ia32_readeflags_u64() & ~kKept) | (flags & kKept));
#else
  const Word kept = static_cast<Word>(flags) & kKept;
  __builtin_ia32_writeeflags_u32((__builtin_ia32_readeflags_u32() & ~kKept) | kept);
#endif
}

void load_flags(KernelUcontext* uc, uint64_t image, uint8_t width) {
  const uint64_t loaded = width == 2 ? kLoaded & 0xFFFF : kLoaded;
  uc->eflags = static_cast<Word>((uc->eflags & ~(loaded | kResumeFlag)) | (image & loaded));
  set_in_handler(uc->eflags);
}

padlock::Trap pushf(const FlagsInsn& insn, padlock::Memory& memory, KernelUcontext* uc) {
  const uint64_t image = uc->eflags & kStored;
  const Word address = static_cast<Word>(uc->rsp - insn.width);
  if (padlock::Trap trap = memory.write(address, &image, insn.width)) return trap;
  uc->rsp = address;
  uc->rip += insn.length;
  return {};
}

padlock::Trap popf(const FlagsInsn& insn, padlock::Memory& memory, KernelUcontext* uc) {
  uint64_t image = 0;
  if (padlock::Trap trap = memory.read(uc->rsp, &image, insn.width)) return trap;
  load_flags(uc, image, insn.width);
  uc->rsp += insn.width;
  uc->rip += insn.length;
  return {};
}

// What IRET takes from the stack. Without a change of privilege 32-bit code finds no stack there.
enum { kFrameRip, kFrameCs, kFrameFlags, kFrameRsp, kFrameSs, kFrameLen = kIs64Bit ? 5 : 3 };

padlock::Trap iret(const FlagsInsn& insn, padlock::Memory& memory, KernelUcontext* uc,
                   bool* out_done) {
  uint64_t frame[5] = {};
  for (unsigned i = 0; i < kFrameLen; ++i) {
    const Word at = static_cast<Word>(uc->rsp + i * insn.width);
    if (padlock::Trap trap = memory.read(at, &frame[i], insn.width)) return trap;
  }
  const bool same_segments = static_cast<uint16_t>(frame[kFrameCs]) == uc->cs &&
                             (!kIs64Bit || static_cast<uint16_t>(frame[kFrameSs]) == uc->ss);
  *out_done = same_segments && (uc->eflags & kNestedTask) == 0;
  if (!*out_done) return {};
  load_flags(uc, frame[kFrameFlags], insn.width);
  uc->rsp = static_cast<Word>(kIs64Bit ? frame[kFrameRsp] : uc->rsp + kFrameLen * insn.width);
  uc->rip = static_cast<Word>(frame[kFrameRip]);
  return {};
}

}  // namespace

FlagsInsn decode_flags_insn(const uint8_t* bytes, size_t len) {
  bool is_rex_w = false, is_16bit = false;
  size_t at = 0;
  for (; at < len; ++at) {
    const bool is_rex = kIs64Bit && (bytes[at] & 0xF0) == 0x40;
    if (!is_rex && bytes[at] != 0x66) break;
    is_rex_w = is_rex && (bytes[at] & 8) != 0;
    is_16bit |= !is_rex;
  }
  if (at == len) return {FlagsInsn::none, 0, 0};
  const uint8_t length = static_cast<uint8_t>(at + 1);
  const uint8_t width = is_16bit ? 2 : sizeof(Word);
  switch (bytes[at]) {
    case 0x9C:
      return {FlagsInsn::pushf, length, width};
    case 0x9D:
      return {FlagsInsn::popf, length, width};
    case 0xCF:  // which REX.W alone makes 64 bits wide
      return {FlagsInsn::iret, length, static_cast<uint8_t>(is_rex_w ? 8 : is_16bit ? 2 : 4)};
    default:
      return {FlagsInsn::none, 0, 0};
  }
}

bool execute_flags_insn(const FlagsInsn& insn, padlock::Memory& memory, KernelUcontext* uc,
                        padlock::Trap* out_trap) {
  bool done = true;
  if ((uc->eflags & padlock::kEflagsAc) != 0 && uc->rsp % insn.width != 0)
    *out_trap = padlock::Trap::ac("the stack is not aligned");
  else if (insn.kind == FlagsInsn::pushf)
    *out_trap = pushf(insn, memory, uc);
  else if (insn.kind == FlagsInsn::popf)
    *out_trap = popf(insn, memory, uc);
  else
    *out_trap = iret(insn, memory, uc, &done);
  return done;
}

}  // namespace incore::run
