"""What the build tells the tests of this folder (CMakeLists.txt), and the tools of the same target."""
import os
import pathlib
import re
import subprocess
import tempfile

BUILD = pathlib.Path(os.environ["POWER8_BUILD"])
COMPILER = os.environ["POWER8_COMPILER"].split()
EMULATOR = os.environ["POWER8_EMULATOR"].split()
LITTLE_ENDIAN = EMULATOR[0].endswith("ppc64le")
TRIPLE = "powerpc64le-linux-gnu" if LITTLE_ENDIAN else "powerpc64-linux-gnu"
ROOT = pathlib.Path(__file__).parents[2]
INCLUDES = [f"-I{ROOT}/src", f"-I{ROOT}/include"]


def tool(name, *arguments):
    """The output of a tool of the GNU binutils."""
    return subprocess.run([f"{TRIPLE}-{name}", *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def compile_source(text, *flags, compiler=None, output="-fsyntax-only"):
    """Compiles |text| as C++20. |output| is a file to link or assemble to, or checks the syntax only."""
    output = [output] if output == "-fsyntax-only" else ["-o", str(output)]
    return subprocess.run([*(compiler or COMPILER), "-std=c++20", *INCLUDES, *flags, "-x", "c++", "-", *output],
                          input=text, capture_output=True, text=True, check=False)


def disassemble(text, *flags):
    """The instructions of each function of |text|, compiled, as lists of words: mnemonic, operands."""
    with tempfile.TemporaryDirectory() as folder:
        result = compile_source(text, "-O3", "-mcpu=power8", "-c", *flags, output=f"{folder}/x.o")
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return functions(f"{folder}/x.o")


def functions(path):
    """The same for an object file."""
    found, name = {}, None
    for line in tool("objdump", "-d", "-C", "-M", "power8", "--no-show-raw-insn", path).splitlines():
        label = re.match(r"[0-9a-f]+ <\.?(.*)>:", line)
        if label:
            name = label.group(1)
            found[name] = []
        elif name and "\t" in line:
            found[name].append(line.split("\t", 1)[1].replace(",", " ").split())
    return found
