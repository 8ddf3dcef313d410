"""An initramfs with busybox and modules of a kernel that debian_kernels.fetch() has unpacked, for boot-linux.py and make-probe-image.py."""
import os
import pathlib
import shutil

import debian_kernels


class Initramfs:
    """The folder |root|, made anew, which becomes the guest's first file system."""

    def __init__(self, kernel_folder, root, init):
        self.folder, self.root = kernel_folder, root
        self.version = (kernel_folder / "version").read_text()
        shutil.rmtree(root, ignore_errors=True)
        (root / "bin").mkdir(parents=True)
        self.add_program(kernel_folder / "busybox", "bin/busybox")
        self.add_program(init, "init")

    def add_program(self, source, name):
        shutil.copyfile(source, self.root / name)
        (self.root / name).chmod(0o755)

    def add_modules(self, names):
        """Those of |names| that are modules, and what they depend on. Returns those that the kernel has neither as modules nor built in."""
        tree = self.folder / "lib/modules" / self.version
        needs = {pathlib.Path(line.split(":")[0]): line.split(":")[1].split() for line in (tree / "modules.dep").read_text().splitlines()}
        by_name = {file.stem.replace("_", "-"): file for file in needs}
        builtin = {pathlib.Path(line).stem.replace("_", "-") for line in (tree / "modules.builtin").read_text().splitlines()}
        names = [name.replace("_", "-") for name in names]
        todo, found = [by_name[name] for name in names if name in by_name], set()
        while todo:
            file = todo.pop()
            found.add(file)
            todo += [pathlib.Path(needed) for needed in needs[file] if pathlib.Path(needed) not in found]
        modules = self.root / "lib/modules" / self.version
        for file in found:
            (modules / file.parent).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tree / file, modules / file)
        for name in ("modules.builtin", "modules.order"):
            if (tree / name).is_file():
                shutil.copyfile(tree / name, modules / name)
        debian_kernels.run(["depmod", "-b", self.root, self.version])
        return [name for name in names if name not in by_name and name not in builtin]

    def pack(self, file, seconds=0):
        """|seconds|: the time of all files, so that the same files give the same bytes."""
        for path in [self.root, *self.root.rglob("*")]:
            os.utime(path, (seconds, seconds), follow_symlinks=False)
        debian_kernels.run(["bash", "-c", 'set -o pipefail; find . | LC_ALL=C sort | cpio --quiet --reproducible -o -H newc -R 0:0 | gzip -n >"$0"',
                            file.resolve()], cwd=self.root)
