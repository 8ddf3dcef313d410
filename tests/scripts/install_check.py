"""Installs a build in a staged folder and builds the projects of examples/install against it, as a user would.

usage: install_check.py BUILD
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(sys.argv.pop()).resolve()
VERSION = re.search(r"^project\(incore VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
# FIPS 180-4's example, and the CRC-32 of "abc".
EXPECTED = re.escape(f"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad 352441c2 Incore {VERSION}\n")
# The headers of libincore_hosted.
HOSTED = {"incore/assess.h", "incore/run.h", "incore/scan.h", "incore/vemicry.h"}
# For each installed header that declares functions, a call of one, which is true.
CALLS = {
    "incore/aes.h": "incore_aes_kernel() != 0",
    "incore/ccm.h": 'incore_ccm_encrypt(0, "", 0, 0, 0, 0, 0, 0, 0, 0) == INCORE_ERROR_NULL',
    "incore/cmac.h": "incore_cmac_start(0) == INCORE_ERROR_NULL",
    "incore/cpu.h": "incore_cpu_num_features() > 0",
    "incore/crc.h": 'incore_crc32(&(uint32_t){0}, "abc", 3) == INCORE_OK',
    "incore/gcm.h": "incore_ghash_kernel() != 0",
    "incore/gf2.h": "incore_gf2_kernel() != 0",
    "incore/hmac.h": 'incore_hmac_start(0, INCORE_SHA256, "", 0) == INCORE_ERROR_NULL',
    "incore/mont.h": "incore_mont_workspace_len(2048) > 0",
    "incore/padlock.h": "incore_padlock_mnemonic(0) != 0",
    "incore/padlock_model.h": "incore_padlock_num_tables() > 0",
    "incore/processor.h": "incore_processor_clock_mhz(0) == 0",
    "incore/rng.h": "incore_rng_num_sources() > 0",
    "incore/rsa.h": "incore_rsa_public_workspace_len(2048) > 0",
    "incore/sha.h": "incore_sha_digest_len(INCORE_SHA256) == 32",
    "incore/status.h": "incore_status_name(INCORE_OK)[0] == 'o'",
    "incore/version.h": "incore_version()[0] == INCORE_VERSION[0]",
    "incore/xts.h": 'incore_xts_key_set(0, "", 0) == INCORE_ERROR_NULL',
    "incore/assess.h": "incore_assess_num_suites() > 0",
    "incore/run.h": "incore_run_mnemonic(0) != 0",
    "incore/scan.h": 'incore_scan_file("", &(incore_scan*){0}, 0, 0) == INCORE_ERROR_IO',
    "incore/vemicry.h": "incore_vemicry_num_workloads() > 0",
    "incore/compat/aes.h": "aes_init() == EXIT_SUCCESS",
    "incore/compat/aes_modes.h": "aes_mode_reset(&(aes_encrypt_ctx){0}) == EXIT_FAILURE",
}


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
    return result.stdout


def declared(header):
    """The functions that a public header declares."""
    text = re.sub(r"(?m)^#define.*$", "", header.read_text())
    return set(re.findall(r"\bINCORE_(?:COMPAT_)?API\b[^;(]*?(\w+)\(", text))


def pkg_config(package, *arguments, **options):
    return run("pkg-config", *arguments, package, **options).split()


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        stage = cls.work / "stage"
        run("cmake", "--install", BUILD, "--prefix", "/opt/incore", env=dict(os.environ, DESTDIR=str(stage)))
        # Users find it where it was put, not where it was staged: the tree may be moved.
        cls.prefix = cls.work / "moved"
        shutil.move(stage / "opt" / "incore", cls.prefix)
        assert not [path for path in stage.rglob("*") if path.is_file()], "files outside of the prefix"
        cls.libdir = next(cls.prefix.rglob("libincore.a")).parent
        cls.environment = dict(os.environ, PKG_CONFIG_PATH=str(cls.libdir / "pkgconfig"),
                               LD_LIBRARY_PATH=str(cls.libdir))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_files_are_there(self):
        version = re.search(r'INCORE_VERSION "(.*)"', (ROOT / "include/incore/version.h").read_text()).group(1)
        for name in ("libincore.so", "libincore.so.0", f"libincore.so.{version}", "libincore.a", "pkgconfig/incore.pc", "pkgconfig/incore-gladman.pc",
                     "pkgconfig/incore-hosted.pc", f"libincore_hosted.so.{version}", "libincore_hosted.a",
                     "cmake/incore/incore-config.cmake", "cmake/incore/incore-config-version.cmake"):
            self.assertTrue((self.libdir / name).exists(), name)
        self.assertIn(f"[libincore.so.0]", run("readelf", "-d", self.libdir / "libincore.so"))

    def installed_headers(self):
        return {str(path.relative_to(self.prefix / "include")) for path in self.prefix.rglob("*.h")}

    def test_headers_are_those_whose_functions_the_libraries_have(self):
        exported = set()
        for library in ("libincore.so", "libincore_gladman.so", "libincore_hosted.so"):
            exported |= set(re.findall(r" [B-Z] (\w+)", run("nm", "-D", "--defined-only", self.libdir / library)))
        headers = {str(path.relative_to(ROOT / "include")): declared(path) for path in (ROOT / "include").rglob("*.h")}
        self.assertEqual(self.installed_headers(), {name for name, functions in headers.items() if functions <= exported})
        self.assertEqual(exported, set().union(*(headers[name] for name in self.installed_headers())))

    # Before 1.0 each minor version may change the interface: a program that was built with another must not load this one.
    def test_symbols_carry_the_minor_version(self):
        minor = VERSION.rpartition(".")[0]
        for library, name in (("incore", "INCORE"), ("incore_gladman", "INCORE_GLADMAN"), ("incore_hosted", "INCORE_HOSTED")):
            symbols = re.findall(r" [B-Z] (\S+)", run("nm", "-D", "--defined-only", self.libdir / f"lib{library}.so"))
            self.assertTrue(symbols)
            self.assertEqual({symbol.partition("@@")[2] for symbol in symbols}, {f"{name}_{minor}"})

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_a_function_of_each_header_links_and_runs(self):
        with_functions = {name for name in self.installed_headers() if declared(self.prefix / "include" / name)}
        self.assertEqual(set(CALLS), with_functions, "each header needs its call in CALLS")
        for header, call in CALLS.items():
            package = "incore-gladman" if "compat" in header else "incore-hosted" if header in HOSTED else "incore"
            source = self.work / "call.c"
            source.write_text(f"#include <{header.replace('incore/compat/', '')}>\nint main(void) {{ return {call} ? 0 : 1; }}\n")
            flags = pkg_config(package, "--cflags", env=self.environment)
            static = pkg_config(package, "--libs", "--static", env=self.environment)
            archives = [self.libdir / f"lib{flag[2:]}.a" if flag.startswith("-lincore") else flag for flag in static]
            for libraries in (pkg_config(package, "--libs", env=self.environment), archives):
                with self.subTest(header=header, libraries=libraries):
                    run("cc", "-Wall", "-Werror", *flags, "-o", self.work / "call", source, *libraries)
                    run(self.work / "call", env=self.environment)

    def test_the_documents_list_each_header(self):
        for header in self.installed_headers():
            page = "gladman" if "compat" in header else "library"
            self.assertRegex((ROOT / f"docs/{page}.md").read_text(), rf"(`|/){pathlib.Path(header).name}`")

    def test_what_is_installed_is_built_by_its_target(self):
        def ninja(tool, *arguments):
            return run("ninja", "-C", BUILD, "-t", tool, *arguments)
        built = set(ninja("commands", "incore_installed").split())
        outputs = set(re.findall(r"(?m)^(.*): ", ninja("targets", "all")))
        scripts = "".join(script.read_text() for script in BUILD.rglob("cmake_install.cmake"))
        installed = {os.path.relpath(path, BUILD) for path in re.findall(rf'"({re.escape(str(BUILD))}/[^"]+)"', scripts)}
        self.assertIn("libincore.a", installed & outputs)
        self.assertEqual((installed & outputs) - built, set())

    def test_every_header_stands_alone_in_c_and_cxx(self):
        for header in sorted((self.prefix / "include").glob("incore/*.h")):
            for language in ("c", "c++"):
                run("cc", "-x", language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                    "-I", self.prefix / "include", "-include", header, "/dev/null")

    def test_program_runs(self):
        program = self.prefix / "bin" / "incore"
        self.assertEqual(run(program, "--version"), f"incore {VERSION}\n")
        self.assertIn("sha256", run(program, "cpu"))

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_project(self):
        for static in ([], ["STATIC=1"]):
            project = self.work / f"pkg-config{len(static)}" / "project"
            shutil.copytree(ROOT / "examples/install/pkg-config", project)
            shutil.copy(ROOT / "examples/install/sum.c", project.parent)
            run("make", *static, cwd=project, env=self.environment)
            self.assertRegex(run(project / "sum", "abc", env=self.environment), EXPECTED)
            self.assertEqual("libincore" in run("readelf", "-d", project / "sum"), not static)

    # The example says #include "aes.h"; what incore.pc gives must not bring that name along.
    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_for_gladmans_api(self):
        def flags(*arguments):
            return run("pkg-config", *arguments, env=self.environment).split()
        source = (ROOT / "examples/gladman.c").read_text()
        self.assertIn('#include "aes.h"', source)
        (self.work / "program.c").write_text(source)
        build = ["cc", "-o", self.work / "program", self.work / "program.c"]
        run(*build, *flags("--cflags", "--libs", "incore-gladman"))
        printed = run(self.work / "program", env=self.environment)
        self.assertIn("as in SP 800-38A", printed)
        self.assertNotIn("WRONG", printed)
        refused = subprocess.run([*build, *flags("--cflags", "--libs", "incore"), "-lincore_gladman"],
                                 capture_output=True, text=True, check=False)
        self.assertIn("aes.h: No such file", refused.stderr)

    def test_cmake_project(self):
        build = self.work / "cmake"
        run("cmake", "-S", ROOT / "examples/install/cmake", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        for name in ("sum", "sum_static"):
            self.assertRegex(run(build / name, "abc", env=self.environment), EXPECTED)
        self.check_hosted_targets()
        refused = subprocess.run(
            ["cmake", "-S", self.write_project("find_package(incore 9.0 REQUIRED)"), "-B", self.work / "refused",
             f"-DCMAKE_PREFIX_PATH={self.prefix}"], capture_output=True, text=True, check=False)
        self.assertNotEqual(refused.returncode, 0, "version 9.0 was found")

    def check_hosted_targets(self):
        project = self.write_project("".join([
            "find_package(incore REQUIRED)\n",
            *(f"add_executable({kind} call.c)\ntarget_link_libraries({kind} incore::{kind})\n" for kind in ("hosted", "hosted_static"))]))
        (project / "call.c").write_text('#include "incore/vemicry.h"\n'
                                        'int main(void) { return incore_vemicry_num_workloads() > 0 ? 0 : 1; }\n')
        build = self.work / "hosted"
        run("cmake", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        for kind in ("hosted", "hosted_static"):
            run(build / kind, env=self.environment)
            self.assertEqual("libincore_hosted" in run("readelf", "-d", build / kind), kind == "hosted")

    def write_project(self, text):
        folder = self.work / "wants"
        folder.mkdir(exist_ok=True)
        (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.16)\nproject(wants C)\n{text}\n")
        return folder

    def test_shells_complete_what_the_program_says(self):
        for shell, file in (("bash", "bash-completion/completions/incore"), ("zsh", "zsh/site-functions/_incore"),
                            ("fish", "fish/vendor_completions.d/incore.fish")):
            script = subprocess.run([self.prefix / "bin/incore", "completion", shell], capture_output=True, text=True, check=True)
            self.assertIn("xstore", script.stdout)  # a source of `incore rng`
            self.assertEqual((self.prefix / "share" / file).read_text(), script.stdout)

    def test_every_command_has_a_manual_page(self):
        pages = {path.stem for path in (self.prefix / "share/man/man1").glob("*.1")}
        def commands(file):
            return re.findall(r"^X\((\w+)\)", next((ROOT / "cli").rglob(file)).read_text(), re.MULTILINE)
        nested = {f"incore-{command}-{sub}" for command in ("rng", "padlock", "vemicry") for sub in commands(f"{command}_commands.def")}
        self.assertEqual(pages, {"incore"} | {f"incore-{command}" for command in commands("commands.def")} | nested)
        sweep = (self.prefix / "share/man/man1/incore-vemicry-sweep.1").read_text()
        self.assertIn("\\fBincore\\-vemicry\\fR(1)", sweep)
        self.assertIn("incore vemicry sweep", sweep)
        bench = (self.prefix / "share/man/man1/incore-bench.1").read_text()
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"):
            self.assertIn(f".SH {section}\n", bench)
        self.assertIn("incore bench \\-\\-vs openssl", bench)

    def check_manual_pages(self, *command):
        pages = sorted((self.prefix / "share/man/man1").glob("*.1"))
        self.assertTrue(pages)
        for page in pages:
            result = subprocess.run([*command, page], capture_output=True, text=True, check=False)
            self.assertEqual(result.stdout + result.stderr, "", page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_complaint_of_manual_pages(self):
        self.check_manual_pages("groff", "-man", "-Tutf8", "-wall", "-z")

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_has_no_complaint_of_manual_pages(self):
        self.check_manual_pages("mandoc", "-Tlint")


if __name__ == "__main__":
    unittest.main()
