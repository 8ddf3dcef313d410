"""What a built program is made of besides Incore's own sources, by evidence of the build: the linker's map names the static libraries,
the program itself the shared ones, ninja's records the headers. dpkg says whose they are, packaging/licences.tsv under which licence.
"""
import dataclasses
import fnmatch
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
LICENCES = ROOT / "packaging" / "licences.tsv"
# Licences under which a part may be in a program under Apache-2.0. LGPL asks that users can link again with another version: NOTICE
# says how they do. The exceptions of GCC and Linux let programs of any licence contain these parts.
FITTING = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC", "MIT", "Zlib", "LGPL-2.1-or-later", "LGPL-3.0-or-later",
           "GPL-3.0-or-later WITH GCC-exception-3.1", "GPL-2.0-only WITH Linux-syscall-note"}


class Unknown(Exception):
    """A file of no package, or a package that packaging/licences.tsv does not have."""


@dataclasses.dataclass
class Part:
    """A source package of the distribution, of which something is in the binary."""
    source: str
    version: str
    name: str
    licence: str
    home: str
    packages: set = dataclasses.field(default_factory=set)    # binary packages that the files came from
    archives: set = dataclasses.field(default_factory=set)    # static libraries and start files
    shared: set = dataclasses.field(default_factory=set)      # shared libraries, which the binary asks for
    has_headers: bool = False

    @property
    def is_inside(self):
        return bool(self.archives) or self.has_headers


def fits(licence):
    """Whether the SPDX expression |licence|, of names, AND and OR, allows the part in a program under Apache-2.0."""
    return any(all(name.strip(" ()") in FITTING for name in choice.split(" AND ")) for choice in licence.split(" OR "))


def read_licences():
    """The rows of the table: (pattern of the source package, name, licence, home)."""
    rows = [line.split("\t") for line in LICENCES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    for row in rows:
        if len(row) != 4:
            raise Unknown(f"{LICENCES}: not four columns: {row}")
    return rows


def output_of(*command, folder=None):
    return subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout


def linked_files(map_text, build):
    """The static libraries of which the linker took something, and the object files, that its map names."""
    members = map_text.split("\nDiscarded input sections", 1)[0].split("\nAs-needed library", 1)[0]
    archives = re.findall(r"^(\S+\.a)\(", members, re.MULTILINE)
    objects = re.findall(r"^LOAD (\S+\.o)$", map_text, re.MULTILINE)
    return {(build / file).resolve() for file in archives + objects}


def shared_libraries(binary):
    """The files of the shared libraries that the binary asks for by itself."""
    names = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", binary))
    if not names:
        return set()
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", output_of("ldd", binary), re.MULTILINE))
    return {pathlib.Path(found[name]).resolve() for name in names if name in found}


def headers(build, binary):
    """The headers outside of this tree that the objects of the binary were compiled with."""
    inputs = set(output_of("ninja", "-t", "inputs", binary.relative_to(build), folder=build).split())
    found = set()
    wanted = False
    for line in output_of("ninja", "-t", "deps", folder=build).splitlines():
        if line.startswith(" "):
            file = line.strip()
            if wanted and file.startswith("/") and not file.startswith((f"{ROOT}/", f"{build}/")):
                found.add(pathlib.Path(file).resolve())
        else:
            wanted = line.split(":", 1)[0] in inputs
    return found


def owners(files):
    """The binary package of each file, by dpkg."""
    result = {}
    if files:
        answer = subprocess.run(["dpkg", "-S", *map(str, sorted(files))], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        for line in answer.stdout.splitlines():
            packages, file = line.rsplit(": ", 1)
            result[pathlib.Path(file)] = packages.split(", ")[0].split(":")[0]
    for file in files:
        if file not in result:  # dpkg may know it by its name before /lib became a link to /usr/lib
            short = pathlib.Path(re.sub("^/usr", "", str(file)))
            answer = subprocess.run(["dpkg", "-S", short], capture_output=True, text=True, check=False)
            if answer.returncode != 0:
                raise Unknown(f"{file} belongs to no package")
            result[file] = answer.stdout.split(":")[0]
    return result


def sources_of(packages):
    """The source package and its version of each installed binary package."""
    if not packages:
        return {}
    lines = output_of("dpkg-query", "-W", "-f", "${Package} ${source:Package} ${source:Version}\n", *sorted(packages)).split("\n")
    return {words[0]: (words[1], words[2]) for words in map(str.split, lines) if words}


def own_archives(build):
    """What scripts/make-static-libraries.sh made: for each file (source package, version, binary package with its licence)."""
    record = build / "static" / "made-from"
    lines = record.read_text().splitlines() if record.exists() else []
    return {(build / "static" / words[0]).resolve(): tuple(words[1:4]) for words in map(str.split, lines) if words[0].startswith("lib")}


def collect(files_of_kind, made, licences):
    """The parts that the files belong to. |files_of_kind| has "archives", "shared" and "headers"; |made| as own_archives() says."""
    parts = {}

    def part_of(source, version, package):
        if source not in parts:
            row = next((row for row in licences if fnmatch.fnmatchcase(source, row[0])), None)
            if row is None:
                raise Unknown(f"{source} ({package}) is not in packaging/licences.tsv")
            parts[source] = Part(source, version, *row[1:])
        parts[source].packages.add(package)
        return parts[source]

    packaged = {file for files in files_of_kind.values() for file in files} - made.keys()
    owner = owners(packaged)
    source = sources_of(set(owner.values()))
    for kind, files in files_of_kind.items():
        for file in files:
            part = part_of(*made[file]) if file in made else part_of(*source[owner[file]], owner[file])
            if kind == "headers":
                part.has_headers = True
            else:
                getattr(part, kind).add(file)
    return sorted(parts.values(), key=lambda part: part.source)


def parts_of(build, binary):
    """The parts of |binary|, a file that was built in the folder |build|; the linker's map lies beside it as <binary>.map."""
    build, binary = build.resolve(), binary.resolve()
    linker_map = binary.with_name(binary.name + ".map")
    made = own_archives(build)
    if not linker_map.exists():
        raise Unknown(f"{linker_map} is missing, which the linker writes beside the program")
    outside = {file for file in linked_files(linker_map.read_text(), build) if file in made or build not in file.parents}
    return collect({"archives": outside, "shared": shared_libraries(binary), "headers": headers(build, binary)}, made, read_licences())
