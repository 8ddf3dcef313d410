"""Debian's Linux kernels, fetched by apt and unpacked for boot-linux.py and make-probe-image.py. They may be of another release or
architecture than this system, whose lists of packages stay as they are. Only the mirrors are taken from its configuration.
"""
import dataclasses
import lzma
import pathlib
import re
import shutil
import subprocess
import tempfile

# What is unpacked of a kernel: the image, its configuration, and the folders with the modules that the guest may need.
PARTS = ["./boot/*", *(f"*/lib/modules/*/{part}" for part in ("vmlinuz", "config", "modules.*", "kernel/crypto/*", "kernel/lib/*", "kernel/arch/x86/*",
                                                               "kernel/drivers/crypto/*", "kernel/drivers/char/*"))]


class Failure(Exception):
    """What could not be had, and why."""


class Mistake(Exception):
    """An option or a table that cannot be used."""


def read_table(file, record):
    """The lines of a table, by their names."""
    rows = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            fields = line.split("\t")
            if len(fields) != len(dataclasses.fields(record)):
                raise Mistake(f"{file}:{number}: {len(fields)} fields; there are {len(dataclasses.fields(record))}, separated by tabs")
            rows[fields[0]] = record(*fields)
    return rows


@dataclasses.dataclass
class Kernel:
    """A line of kernels.tsv."""
    name: str
    release: str
    architecture: str
    package: str
    refused: str  # DRIVER:MODEL words, where a driver of this kernel refuses a model that has the unit

    @property
    def bits(self):
        return 32 if self.architecture == "i386" else 64


def run(command, **options):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if result.returncode:
        raise Failure(f"'{command[0]}' failed: {(result.stdout.strip().splitlines() or ['without a word'])[-1]}")
    return result.stdout


class Packages:
    """The packages of a release for an architecture, with lists of their own in |folder|."""

    def __init__(self, folder, release, architecture):
        base = release.split("-")[0]
        self.options = ["-qq", "-t", release] if release != base else ["-qq"]
        for name, value in {"Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "-", "Dir::State::Lists": folder / "lists",
                            "Dir::State::status": "/dev/null", "Dir::Cache::pkgcache": "", "Dir::Cache::srcpkgcache": "",
                            "APT::Architecture": architecture, "APT::Architectures": architecture, "APT::Sandbox::User": "root"}.items():
            self.options += ["-o", f"{name}={value}"]
        (folder / "lists/partial").mkdir(parents=True)
        sources = self.sources(base) + (self.sources(release, only_itself=True) if release != base else [])
        (folder / "sources.list").write_text("\n".join(sources) + "\n")
        # A list that cannot be fetched need not matter: the package may be in another.
        subprocess.run(["apt-get", *self.options, "update"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if not any((folder / "lists").glob("*Packages*")):
            raise Failure(f"the lists of packages of {release} ({architecture}) could not be fetched; check the network and apt's sources")

    @staticmethod
    def sources(release, only_itself=False):
        own = re.search("^VERSION_CODENAME=(.*)$", pathlib.Path("/etc/os-release").read_text(), re.MULTILINE)[1]
        lines = run(["apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"]).splitlines()
        suites = "" if only_itself else "(-security|-updates)?"
        return sorted({line.replace(f" {own}", f" {release}") for line in lines if re.search(f" {own}{suites} main$", line)})

    def kernel(self, package):
        """The packages that |package|, which only depends on the newest kernel, is made of."""
        found, todo = [], [package]
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found.append(name)
            todo += re.findall(r"Depends: (linux-(?:base|binary|image|modules)-\d\S*)", run(["apt-cache", *self.options, "depends", name]))
        return found[1:]

    def download(self, names, folder):
        run(["apt-get", *self.options, "download", *names], cwd=folder)


def unpack(package, folder, parts):
    contents = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder, "--no-same-owner", "--wildcards", *parts], stdin=contents.stdout, stderr=subprocess.DEVNULL, check=False)
    contents.stdout.close()
    if contents.wait():
        raise Failure(f"{package} cannot be unpacked")


def fetch(kernel, folder, more=()):
    """Puts vmlinuz, config, busybox and the tree of modules into |folder|; the version stands in the file version, written last. |more|:
    folders of modules beside those of PARTS."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        work = pathlib.Path(work)
        packages = Packages(work, kernel.release, kernel.architecture)
        packages.download([*packages.kernel(kernel.package), "busybox-static"], work)
        tree = work / "tree"
        tree.mkdir()
        for package in work.glob("linux-*.deb"):
            unpack(package, tree, PARTS + [f"*/lib/modules/*/kernel/{part}/*" for part in more])
        unpack(next(work.glob("busybox-static_*.deb")), tree, ["*/bin/busybox"])
        modules = next(tree.rglob("lib/modules/*/kernel")).parent
        version = modules.name
        for name in ("vmlinuz", "config"):
            shutil.copyfile(next(file for at in (f"boot/{name}-{version}", f"{version}/{name}") for file in tree.rglob(at)), folder / name)
        (folder / "lib/modules").mkdir(parents=True)
        modules.rename(folder / "lib/modules" / version)
        shutil.copyfile(next(tree.rglob("bin/busybox")), folder / "busybox")
    for module in (folder / "lib/modules").rglob("*.ko.xz"):
        module.with_suffix("").write_bytes(lzma.decompress(module.read_bytes()))
        module.unlink()
    run(["depmod", "-b", folder, version])
    (folder / "version").write_text(version)
