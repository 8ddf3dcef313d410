#!/usr/bin/env python3
"""Checks the #include lines against who may include whom.

RULES is the whole policy: for each folder, which of our own files and which kinds of outside headers its files may
include. A folder may always include its own files. Prints file:line and what is allowed; exit 1 if anything is wrong, also if
a rule is about a folder without files.
"""
import argparse
import fnmatch
import os
import re
import sys

# folder: (our own files, as patterns from the top of the tree; kinds of outside headers)
# The library needs libc only, so its folders take no header of the C++ run-time (no <string>, <vector>, <iostream>).
RULES = {
    "include": ([], ["c"]),
    "src/base": ([], ["c", "libc", "freestanding"]),
    "src/cpu": (["src/base/*"], ["c", "libc", "freestanding", "intrinsics"]),
    "src/crypto": (["src/base/*", "src/cpu/*"], ["c", "libc", "freestanding", "intrinsics"]),
    "src/padlock": (["src/base/*", "src/cpu/*", "src/crypto/*"], ["c", "freestanding"]),
    "src/elf": (["src/base/*"], ["c", "libc", "freestanding", "hosted"]),
    "src/vemicry": (["src/base/*", "src/crypto/*_steps.h", "src/elf/*", "include/incore/gf2.h"], ["c", "freestanding", "hosted"]),
    "src/rng": (["src/base/*", "src/cpu/*", "src/crypto/*"], ["c", "libc", "freestanding", "intrinsics"]),
    "src/assess": (["src/base/*", "include/incore/assess.h"], ["c", "freestanding", "hosted", "statistics"]),
    "src/scan": (["src/base/*", "src/elf/*"], ["c", "libc", "freestanding", "hosted", "zydis"]),
    "src/run": (["src/base/*", "src/cpu/*", "src/crypto/*", "src/padlock/*", "src/elf/*", "src/scan/*"],
                ["c", "libc", "freestanding", "hosted", "intrinsics", "elfutils"]),
    "src/capi": (["src/base/*", "src/cpu/*", "src/crypto/*", "src/padlock/*", "src/rng/*", "include/*"],
                 ["c", "libc", "freestanding"]),
    "src/capi/hosted": (["src/base/*", "src/padlock/*", "src/scan/*", "src/run/*", "src/assess/*", "src/vemicry/*", "include/*"],
                        ["c", "libc", "freestanding", "hosted"]),
    "src/compat": (["src/base/*", "src/cpu/*", "src/crypto/*", "include/incore/compat/*"], ["c", "libc", "freestanding"]),
    # What commands are made of: downwards only, and never a command.
    "tools/fmt": ([], ["fmt"]),
    "tools/base": (["include/*"], ["c", "libc", "freestanding", "hosted", "fmt", "json"]),
    "tools/aes": (["tools/base/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/hash": (["tools/base/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/report": (["tools/base/*", "include/incore/crc.h"], ["c", "freestanding", "hosted", "fmt"]),
    "tools/numbers": (["tools/base/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/random": (["tools/base/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/run": (["tools/base/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/boot": (["tools/base/*", "tools/run/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/scan": (["tools/base/*", "include/*"], ["c", "freestanding", "hosted", "fmt"]),
    "tools/probe": (["tools/base/*", "tools/run/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/probe/program": ([], ["c"]),
    "tools/samples": (["tools/base/*", "tools/numbers/*", "tools/random/*", "include/*"],
                      ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/vemicry": (["tools/base/*", "include/*"], ["c", "libc", "freestanding", "hosted", "fmt"]),
    "tools/sweep": (["tools/base/*", "tools/hash/*", "tools/report/*", "tools/vemicry/*", "include/*"],
                    ["c", "libc", "freestanding", "hosted", "fmt", "toml"]),
    "tools/assess_report": (["tools/base/*", "tools/report/*", "include/*"], ["c", "freestanding", "hosted", "fmt"]),
    "tools/bench": (["tools/base/*", "tools/numbers/*", "tools/vemicry/*", "include/*"],
                    ["c", "libc", "freestanding", "hosted", "fmt"]),
    "cli": (["tools/*", "include/*"], ["c", "libc", "freestanding", "hosted", "cli11", "fmt"]),
    "examples": (["include/*"], ["c", "libc"]),
}

# kind of outside header: its names, as patterns
KINDS = {
    "c": "assert ctype errno float inttypes limits setjmp signal stdarg stdbool stddef stdint stdio stdlib string time",
    "libc": "sys/* arpa/inet.h netinet/* linux/* asm/* auxv.h dirent.h dlfcn.h elf.h fcntl.h fnmatch.h ftw.h link.h poll.h pthread.h sched.h spawn.h termios.h syscall.h "
            "ucontext.h unistd.h",
    "freestanding": "algorithm array atomic bit compare concepts initializer_list limits new numbers span tuple type_traits "
                    "utility version",
    "hosted": "any bitset charconv chrono cmath complex condition_variable cxxabi.h deque exception filesystem fstream functional iomanip ios "
              "iostream istream iterator list map memory mutex numeric optional ostream queue random regex set sstream "
              "stdexcept string string_view system_error thread unordered_map unordered_set variant vector",
    "intrinsics": "altivec.h cpuid.h emmintrin.h immintrin.h nmmintrin.h smmintrin.h tmmintrin.h wmmintrin.h x86intrin.h",
    "statistics": "boost/math/* bzlib.h divsufsort.h",
    "zydis": "Zydis/*",
    "elfutils": "elfutils/*",
    "cli11": "CLI/*",
    "fmt": "fmt/*",
    "json": "nlohmann/*",
    "toml": "toml++/*",
}
C_HEADERS = KINDS["c"].split()
KINDS["c"] = " ".join([f"{name}.h" for name in C_HEADERS] + [f"c{name}" for name in C_HEADERS])

SUFFIXES = (".c", ".cpp", ".h", ".def", ".inc", ".S")
# GCC since 13 wants <initializer_list> for these, which a header of containers brings along, if a file has one.
BRACED_LOOP = re.compile(r"\s*for \(.* : \{")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def rule_of(path):
    """The folder of RULES that |path| lies in, or None."""
    folders = [folder for folder in RULES if path.startswith(folder + "/")]
    return max(folders, key=len, default=None)


def own_file(root, includer, name):
    """The file of ours that |name| means in |includer|, from the top of the tree; None if it is no file of ours."""
    for base in (os.path.dirname(includer), "src", "include", "include/incore/compat", ""):
        path = os.path.normpath(os.path.join(base, name))
        if not path.startswith("..") and os.path.isfile(os.path.join(root, path)):
            return path
    return None


def kind_of(name):
    for kind, patterns in KINDS.items():
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split()):
            return kind
    return None


def complaint(root, includer, bracket, name):
    """What is wrong with |includer| including |name|, or None."""
    folder = rule_of(includer)
    own, kinds = RULES[folder]
    # A file of ours hides an outside header only between quotes or below incore/.
    target = own_file(root, includer, name) if bracket == '"' or name.startswith("incore/") else None
    if target is None and bracket == '"':
        return f'"{name}" is no file of this tree; other headers stand between < and >'
    if target is not None:
        if rule_of(target) == folder or any(fnmatch.fnmatchcase(target, pattern) for pattern in own):
            return None
        return f"may not include {target}; allowed: {', '.join([folder + '/*'] + own)}"
    kind = kind_of(name)
    if kind in kinds:
        return None
    what = f"the kind '{kind}'" if kind else "no known kind"
    return f"may not include <{name}>, of {what}; allowed kinds: {', '.join(kinds)}"


def check(root):
    """Returns the complaints of the tree at |root|, and how many files were read."""
    complaints, num_files, empty = [], 0, set(RULES)
    for top in sorted({folder.split("/")[0] for folder in RULES}):
        for directory, subfolders, files in os.walk(os.path.join(root, top)):
            subfolders.sort()
            for file in sorted(files):
                path = os.path.relpath(os.path.join(directory, file), root)
                if not file.endswith(SUFFIXES):
                    continue
                num_files += 1
                empty.discard(rule_of(path))
                if rule_of(path) is None:
                    complaints.append(f"{path}:1: lies in no folder that the rules know: {', '.join(RULES)}")
                    continue
                with open(os.path.join(root, path), encoding="utf-8") as text:
                    named = False
                    for number, line in enumerate(text, 1):
                        match = INCLUDE.match(line)
                        wrong = match and complaint(root, path, match.group(1), match.group(2))
                        named = named or bool(match and match.group(2) == "initializer_list")
                        if BRACED_LOOP.match(line) and not named and "hosted" not in RULES[rule_of(path)][1]:
                            wrong = "a loop over {...} needs #include <initializer_list>"
                        if wrong:
                            complaints.append(f"{path}:{number}: {wrong}")
    complaints += [f"{folder}/: the rules know this folder, but no source file is in it" for folder in sorted(empty)]
    return complaints, num_files


def main():
    parser = argparse.ArgumentParser(description="Checks #include lines against who may include whom.")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."),
                        help="the tree to check (this one)")
    complaints, num_files = check(parser.parse_args().root)
    for line in complaints:
        print(line)
    if num_files == 0:
        print("check-includes: no source files found", file=sys.stderr)
    return 1 if complaints or num_files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
