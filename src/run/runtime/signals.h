// What signals.cpp shares with the machines' own parts of signal handling, <machine>/signals.cpp.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

// ---- signals.cpp ----

// Changes, tells, or both, what the program wants for |signal|; the pointers may be null. A result
// or a negative errno, as of rt_sigaction.
long change_action(int signal, KernelSigaction* new_action, KernelSigaction* old_action);

bool is_owned(int signal);
// Whether any thread believes to have owned signals blocked.
bool blocks_owned_signals();

// The signals that the thread believes to have blocked.
uint64_t blocked_signals(const KernelUcontext& uc);
void set_blocked_signals(KernelUcontext* uc, uint64_t set);

// rt_sigprocmask
long on_sigprocmask(KernelUcontext* uc, int how, uint64_t new_set, uint64_t old_set,
                    uint64_t mask_len);

// mmap, or mmap2, with what follows of new code.
long on_mmap(const uint64_t (&arguments)[6]);

// ---- <machine>/signals.cpp ----

// How the program's handler is entered, whose frame the kernel made for ours.
NextStep enter_handler(const KernelSigaction& action, uint64_t mask, KernelSiginfo* info,
                       KernelUcontext* uc);

// A call that only this machine has; false: the filter should not have brought it here.
bool on_old_system_call(const SystemCall& call, KernelUcontext* uc, long* out_result);

// An exec: the thread makes it with the supervisor's help, or it has failed. False: it is none.
bool on_exec(const SystemCall& call, KernelUcontext* uc);

// A call has come here. One that often does may be served without a signal from then on.
void note_call(const SystemCall& call, const KernelUcontext& uc);

// A call by another machine's table, from code of this program all the same.
long foreign_system_call(KernelUcontext* uc);

}  // namespace incore::run
