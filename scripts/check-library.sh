#!/usr/bin/env bash
# Checks what libincore.so in BUILD_DIR asks of its users: libc and nothing else, and no exported name but incore_*. It, and
# libincore_gladman.so where that is built, must be bound when they are loaded; no two files may share what is each one's own.
set -euo pipefail
build=${1:?usage: check-library.sh BUILD_DIR}
library=$build/libincore.so
[ -r "$library" ] || { echo "check-library: no $library; build it first" >&2; exit 2; }

failed=0
complain() {
  echo "check-library: $library $1: $(tr '\n' ' ' <<<"$2")"
  failed=1
}

needed=$(readelf --dynamic --wide "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
others=$(grep -v '^libc\.so' <<<"$needed" || true)
[ -z "$others" ] || complain "needs other libraries than libc" "$others"

# Undefined and not weak: must be a versioned symbol of libc. A C++ run-time symbol is none, whoever would supply it.
undefined=$(nm --dynamic --undefined-only "$library" | awk '$1 == "U" { print $2 }')
foreign=$(grep -vE '@GLIBC_' <<<"$undefined" | grep . || true)
[ -z "$foreign" ] || complain "takes symbols that libc does not have" "$foreign"
cxx=$(nm --dynamic --undefined-only "$library" | awk '{ print $NF }' |
      grep -E '^(_Z|__cxa_|__gxx_|_Unwind_)' | grep -vE '^__cxa_(finalize|atexit)(@|$)' || true)
[ -z "$cxx" ] || complain "takes symbols of the C++ run-time" "$cxx"

exported=$(nm --dynamic --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }')
strangers=$(grep -v '^incore_' <<<"$exported" | grep . || true)
[ -z "$strangers" ] || complain "exports names that are not incore_*" "$strangers"
grep -q '^incore_version$' <<<"$exported" || complain "does not export" incore_version
grep -q '^__stack_chk_fail@' <<<"$undefined" || complain "does not notice a stack that is overrun" "(-fstack-protector-strong)"

# What belongs to one file must not be weak: of several of one name the linker keeps one. GCC 14 makes such ones.
if [ -e "$build/libincore.a" ]; then
  merged=$(nm "$build/libincore.a" | awk '$2 ~ /^[VWu]$/ && $3 ~ /_GLOBAL__N_/ { print $3 }' | sort -u)
  [ -z "$merged" ] || complain "has weak symbols of unnamed namespaces" "$merged"
fi

# A call that the dynamic linker binds at first use leaves registers with secrets on the stack.
for library in "$library" "$build/libincore_gladman.so"; do
  [ -e "$library" ] || continue
  readelf --dynamic --wide "$library" | grep -qE 'FLAGS.*\bNOW\b' || complain "is not bound when it is loaded" "(-z now)"
  readelf --segments --wide "$library" | grep -q GNU_RELRO || complain "keeps what was bound writable" "(-z relro)"
done

exit $failed
