#!/usr/bin/env python3
"""Writes the compression function of SHA-256 or SHA-512 in the assembly language of POWER8.

    sha2_p8.py FLAVOUR OUTPUT

The flavour says whose conventions the text follows; 256 or 512 in the name of the output says which hash. The text
defines void sha256_block_p8(uint32_t state[8], const uint8_t *input, size_t num_blocks), or sha512_block_p8 with
uint64_t, after FIPS 180-4, sections 6.2 and 6.4. Neither pointer needs alignment.

A block is written down in the standard's order, every value with a name of its own. Then the instructions are put into
an order that suits the two vector units of POWER8, and the values are given registers.
"""
import argparse
import os
import sys
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Flavour:
    system: str
    bits: int  # of a pointer
    little_endian: bool = False


# Those for Linux are assembled by the tests, and the 64-bit ones run; the others follow the manuals, untested.
FLAVOURS = {
    "linux32": Flavour("linux", 32),
    "linux64": Flavour("linux", 64),
    "linux64le": Flavour("linux", 64, little_endian=True),
    "aix32": Flavour("aix", 32),
    "aix64": Flavour("aix", 64),
    "osx32": Flavour("osx", 32),
    "osx64": Flavour("osx", 64),
}

# General registers: r3 state, r4 input, r5 num_blocks as they come; r6 constants, r7 offset of the next of them, the
# others for the moment. Vector registers: v0 to v19 may be used freely, the others are preserved for the caller.
SCRATCH = [f"v{i}" for i in range(22)]
ZERO, SWAP_BYTES = "v22", "v23"
HASH = [f"v{i}" for i in range(24, 32)]  # H0 to H7, each leftmost in its register
PRESERVED = [f"v{i}" for i in range(20, 32)]
FRAME = 64 + 16 * len(PRESERVED)  # bytes of stack, a multiple of 16

LATENCY = {"vector": 2, "load": 5}  # cycles
UNITS = {"vector": 2, "load": 1}  # how many begin in a cycle
WINDOW = 40  # instructions from which the next is chosen: more would need more registers


@dataclass(eq=False)
class Op:
    mnemonic: str
    dest: str
    sources: list  # values, registers, and numbers as int
    note: str
    unit: str = "vector"
    needs: list = field(default_factory=list)  # operations that must come first
    followers: list = field(default_factory=list)  # those that need this one
    height: int = 0  # cycles from here to the end of the block


class Block:
    """One block of either hash as a list of operations on values; a value may be used as soon as it is defined."""

    def __init__(self, bits, little_endian):
        self.lanes = 4 if bits == 256 else 2  # words in a vector
        self.rounds = 64 if bits == 256 else 80
        self.size = "w" if bits == 256 else "d"
        self.load = "lxvw4x" if bits == 256 else "lxvd2x"
        self.little_endian = little_endian
        self.ops = []
        self.last_load = []
        self.note = ""
        self.compress()

    # The instructions.
    def op(self, mnemonic, *sources, dest=None, unit="vector"):
        op = Op(mnemonic, dest or f"value{len(self.ops)}", list(sources), self.note, unit)
        self.ops.append(op)
        return op.dest

    def load_next(self, base):
        """The next vector from the input or from the constants: loads keep their order, as they move the pointer."""
        value = self.op(self.load, base, unit="load")
        self.ops[-1].needs += self.last_load
        self.last_load = self.ops[-1:]
        return value

    def add(self, x, y, dest=None):
        return self.op(f"vaddu{self.size}m", x, y, dest=dest)

    def sigma(self, x, upper, which):
        return self.op(f"vshasigma{self.size}", x, upper, 15 * which)

    def shift(self, x, y, words):
        """Vector x followed by y, without its leftmost |words| words."""
        return self.op("vsldoi", x, y, words * 16 // self.lanes)

    def Ch(self, x, y, z):
        return self.op("vsel", z, y, x)

    def Maj(self, x, y, z):
        return self.op("vsel", y, z, self.op("vxor", x, y))

    # The hash.
    def message_vector(self):
        loaded = self.load_next("input")
        return self.op("vperm", loaded, loaded, SWAP_BYTES) if self.little_endian else loaded

    def next_vector(self, W):
        """Words t + 16 and following; W are the vectors of words t to t + 15."""
        n = len(W)
        w = self.add(W[0], self.sigma(self.shift(W[0], W[1], 1), 0, 0))
        w = self.add(w, self.shift(W[9 * n // 16], W[9 * n // 16 + 1], 1))
        if self.lanes == 2:
            return self.add(w, self.sigma(W[7], 0, 1))
        # Two words need the sigma1 of two of the vector before, two that of the first two. sigma1 of 0 is 0.
        w = self.add(w, self.sigma(self.shift(W[3], ZERO, 2), 0, 1))
        return self.add(w, self.sigma(self.shift(ZERO, w, 2), 0, 1))

    # quote: round
    def round(self, v, wk):
        a, b, c, d, e, f, g, h = v
        early = self.add(h, wk)
        late = self.add(self.sigma(e, 1, 1), self.Ch(e, f, g))  # T1 = early + late
        new_e = self.add(self.add(d, early), late)
        new_a = self.add(self.add(self.add(early, late), self.sigma(a, 1, 0)), self.Maj(a, b, c))
        return new_a, a, b, c, new_e, e, f, g
    # end of quote

    def compress(self):
        self.note = "message"
        W = [self.message_vector() for _ in range(16 // self.lanes)]
        v = HASH
        for t in range(0, self.rounds, self.lanes):
            self.note = f"rounds {t} to {t + self.lanes - 1}"
            wk = self.add(W[0], self.load_next("constants"))
            for i in range(self.lanes):
                self.note = f"round {t + i}"
                v = self.round(v, wk if i == 0 else self.shift(wk, wk, i))
            self.note = f"word {t + 16} on"
            W = W[1:] + ([self.next_vector(W)] if t + 16 < self.rounds else [])
        self.note = "hash value"
        for register, value in zip(HASH, v):
            self.add(register, value, dest=register)


def schedule(ops):
    """|ops| in an order that keeps the units busy: of those that can begin, the one with the longest way to the end."""
    maker = {op.dest: op for op in ops if op.dest not in HASH}
    for op in ops:
        op.needs += [maker[source] for source in op.sources if source in maker]
        for other in op.needs:
            other.followers.append(op)
    for op in reversed(ops):
        op.height = LATENCY[op.unit] + max((f.height for f in op.followers), default=0)

    waiting, result, done_at, cycle = list(ops), [], {}, 0
    while waiting:
        free = dict(UNITS)
        ready = [op for op in waiting[:WINDOW] if all(done_at.get(other, cycle + 1) <= cycle for other in op.needs)]
        for op in sorted(ready, key=lambda op: -op.height):
            if free[op.unit] > 0:
                free[op.unit] -= 1
                done_at[op] = cycle + LATENCY[op.unit]
                result.append(op)
                waiting.remove(op)
        cycle += 1
    return result


def allocate(ops):
    """Gives the values registers, in place."""
    last_use = {s: i for i, op in enumerate(ops) for s in op.sources}
    free, register = list(SCRATCH), {}
    for i, op in enumerate(ops):
        used = [s for s in dict.fromkeys(op.sources) if s in register]  # each once
        op.sources = [register.get(s, s) for s in op.sources]
        free.extend(register.pop(s) for s in used if last_use[s] == i)
        if op.dest not in HASH:
            if not free:
                sys.exit("sha2_p8.py: more values than registers; make the window smaller")
            register[op.dest] = op.dest = free.pop(0)


def round_constants(bits):
    """The fractional parts of the cube roots of the first primes (FIPS 180-4, sections 4.2.2 and 4.2.3)."""
    word = bits // 8
    primes = [n for n in range(2, 410) if all(n % i for i in range(2, n))]
    constants = []
    for prime in primes[:64 if bits == 256 else 80]:
        root = 0
        for bit in reversed(range(word + 3)):  # cube roots of the first 80 primes are below 8
            if (root | 1 << bit) ** 3 <= prime << 3 * word:
                root |= 1 << bit
        constants.append(root % 2**word)
    return constants


class Text:
    """Assembly text in a flavour's spelling."""

    def __init__(self, flavour, function):
        self.flavour, self.function, self.lines = flavour, function, []
        self.local = {"linux": ".L", "aix": "L..", "osx": "L"}[flavour.system]
        self.comment = ";" if flavour.system == "osx" else "#"

    def line(self, text, note=""):
        self.lines.append(f"\t{text:<28}{self.comment} {note}" if note else f"\t{text}")

    def label(self, name):
        self.lines.append(f"{self.local}{name}:")

    def operand(self, name):
        if not isinstance(name, str) or self.flavour.system == "osx":
            return str(name)
        return name.lstrip("rvcs")  # elsewhere a register is a plain number

    def insn(self, mnemonic, *operands, note=""):
        self.line(f"{mnemonic} {','.join(self.operand(o) for o in operands)}", note)

    def memory(self, mnemonic, vector, base, index, note=""):
        """A load or store of any alignment. It names a vector register by its number among all 64, from 32 on."""
        self.insn(mnemonic, f"vs{32 + int(vector[1:])}", base, index, note=note)

    def branch(self, mnemonic, label):
        self.line(f"{mnemonic} {self.local}{label}")

    def begin(self):
        f, name = self.flavour, self.function
        if f.system == "aix":
            pointer = ".llong" if f.bits == 64 else ".long"
            self.lines += ['\t.machine "pwr8"', "\t.toc", f"\t.globl {name}",
                           f"\t.csect {name}[DS],{3 if f.bits == 64 else 2}", f"{name}:",
                           f"\t{pointer} .{name},TOC[tc0],0",
                           f"\t.globl .{name}", "\t.csect .text[PR],7", f".{name}:"]
        elif f.system == "osx":
            self.lines += ["\t.text", f"\t.globl _{name}", "\t.align 4", f"_{name}:"]
        elif f.bits == 64 and not f.little_endian:  # ELF V1: the function's name is that of a descriptor
            self.lines += ["\t.abiversion 1", f"\t.globl {name}", f"\t.type {name},@function",
                           '\t.section ".opd","aw"', "\t.align 3", f"{name}:", f"\t.quad .L{name},.TOC.@tocbase,0",
                           "\t.text", "\t.align 4", f".L{name}:"]
        else:
            self.lines += ["\t.abiversion 2"] if f.bits == 64 else []
            self.lines += ["\t.text", f"\t.globl {name}", f"\t.type {name},@function", "\t.align 4", f"{name}:"]

    def end(self):
        if self.flavour.system != "linux":
            return
        begin = f".L{self.function}" if self.flavour.bits == 64 and not self.flavour.little_endian else self.function
        self.lines += [f"\t.size {self.function},.-{begin}", '\t.section .note.GNU-stack,"",@progbits']

    def constants(self, bits):
        self.lines.append("\t.align 4")
        self.label("constants")
        for constant in round_constants(bits):
            words = [constant] if bits == 256 else [constant >> 32, constant & 0xffffffff]
            words = reversed(words) if self.flavour.little_endian else words
            self.line(".long " + ",".join(f"0x{word:08x}" for word in words))
        if self.flavour.little_endian:
            self.label("swap_bytes")  # for vperm; loaded as words, the mask is reversed as the message is
            self.line(".byte " + ",".join(str(i) for i in range(16)))


def function(flavour, bits):
    name = f"sha{bits}_block_p8"
    text = Text(flavour, name)
    text.lines += [f"{text.comment} {name}(state, input, num_blocks): FIPS 180-4. Made by sha2_p8.py for POWER8."]
    pointer = "d" if flavour.bits == 64 else "w"
    word_len, load, store = (4, "lxvw4x", "stxvw4x") if bits == 256 else (8, "lxvd2x", "stxvd2x")
    lanes = 16 // word_len
    text.begin()

    text.insn(f"cmp{pointer}i", "r5", 0)
    text.line("beqlr")
    text.insn(f"st{pointer}u", "r1", f"{-FRAME}(r1)" if flavour.system == "osx" else f"{-FRAME}(1)")
    for i, vector in enumerate(PRESERVED):
        text.insn("li", "r11", 64 + 16 * i)
        text.memory("stxvd2x", vector, "r11", "r1")
    text.insn("mflr", "r0")
    text.branch("bcl 20,31,", "here")  # the form of a call that only asks where we are
    text.label("here")
    text.insn("mflr", "r6")
    text.insn("mtlr", "r0")
    if flavour.little_endian:
        text.insn("addi", "r8", "r6", f"{text.local}swap_bytes-{text.local}here")
        text.memory(load, SWAP_BYTES, "0", "r8")
    text.insn("addi", "r6", "r6", f"{text.local}constants-{text.local}here")
    text.insn("mtctr", "r5")
    if bits == 256:
        text.insn("vxor", ZERO, ZERO, ZERO)
    for i in range(0, 8, lanes):  # the hash value, one word in each register
        text.insn("li", "r8", i * word_len)
        text.memory(load, HASH[i], "r3", "r8")
        for j in range(1, lanes):
            text.insn("vsldoi", HASH[i + j], HASH[i], HASH[i], j * word_len)

    text.lines.append("\t.align 5")
    text.label("block")
    text.insn("li", "r7", 0)
    ops = schedule(Block(bits, flavour.little_endian).ops)
    allocate(ops)
    for op in ops:
        if op.unit == "vector":
            text.insn(op.mnemonic, op.dest, *op.sources, note=op.note)
        elif op.sources == ["input"]:
            text.memory(op.mnemonic, op.dest, "0", "r4", note=op.note)
            text.insn("addi", "r4", "r4", 16)
        else:
            text.memory(op.mnemonic, op.dest, "r6", "r7", note=op.note)
            text.insn("addi", "r7", "r7", 16)
    text.branch("bdnz", "block")

    for i in range(0, 8, lanes):
        for j in range(lanes):  # each step moves in a word from the right
            text.insn("vsldoi", HASH[i], HASH[i], HASH[i + j], word_len)
        text.insn("li", "r8", i * word_len)
        text.memory(store, HASH[i], "r3", "r8")
    for i, vector in enumerate(PRESERVED):
        text.insn("li", "r11", 64 + 16 * i)
        text.memory("lxvd2x", vector, "r11", "r1")
    text.insn("addi", "r1", "r1", FRAME)
    text.line("blr")
    text.constants(bits)
    text.end()
    return "\n".join(text.lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes SHA-256 or SHA-512 in the assembly language of POWER8.")
    parser.add_argument("flavour", choices=FLAVOURS)
    parser.add_argument("output", help="a file name with 256 or 512 in it, which selects the hash")
    args = parser.parse_args()
    hashes = [bits for bits in (256, 512) if str(bits) in os.path.basename(args.output)]
    if len(hashes) != 1:
        parser.error("the name of the output has to contain either 256 or 512")
    with open(args.output, "w") as file:
        file.write(function(FLAVOURS[args.flavour], hashes[0]))


if __name__ == "__main__":
    main()
