# The front door. `make demo` and `make test` install what is missing, build, and run; everything else is below `make help`.
BUILD := build
JOBS := $(shell nproc 2>/dev/null || echo 2)
PRESETS := native clang i686
POWER8_PRESETS := ppc64le ppc64
PREFIX ?= /usr/local
# What installs packages; DEPS=true does without, where they came by other means.
DEPS ?= scripts/install-deps.sh
# Tests need more packages. So they are left out until someone asks for them; then the folder keeps them.
CONFIGURE = -DINCORE_BUILD_TESTS=ON
AS_CONFIGURED = CONFIGURE=$(if $(wildcard $(BUILD)/native/CMakeCache.txt),,-DINCORE_BUILD_TESTS=OFF)
SOURCES = $(shell git ls-files '*.cpp' '*.h' '*.c')

.DEFAULT_GOAL := help
.NOTPARALLEL:  # packages are installed before anything is built, by one apt-get at a time

.PHONY: help
help: ## show these targets
	@awk -F':.*## ' '/^[a-z0-9%-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: deps
deps: deps-test ## install the packages that `make test` needs (as root)

.PHONY: deps-%
deps-%: ## those of one kind: build, install, demo, bench, test, power8, model, fuzz, all, ...
	@$(DEPS) $*

.PHONY: build
build: deps-build ## the program build/native/incore and the library build/native/libincore.so
	@$(MAKE) --no-print-directory build-native TARGETS=incore_installed $(AS_CONFIGURED)

.PHONY: build-%
build-%: ## one preset with its tests: native, asan, clang, i686, ppc64le, ppc64, ...
	@cmake --preset $* $(CONFIGURE) > $(BUILD)-$*.log 2>&1 || { cat $(BUILD)-$*.log; exit 1; }; rm -f $(BUILD)-$*.log
	@cmake --build $(BUILD)/$* -j $(JOBS) $(if $(TARGETS),--target $(TARGETS))

.PHONY: install
install: deps-install ## the program and the library to PREFIX (/usr/local), below DESTDIR if that is set
	@$(MAKE) --no-print-directory build-native TARGETS=incore_installed $(AS_CONFIGURED)
	@cmake --install $(BUILD)/native --prefix $(PREFIX) > /dev/null
	@for q in $(wildcard $(BUILD)/qemu/qemu-*); do install -Dt $(DESTDIR)$(PREFIX)/libexec/incore $$q || exit; done
	@echo "installed in $(DESTDIR)$(PREFIX)"

.PHONY: deb
deb: deps-deb ## Debian packages in build/deb, for this Debian or Ubuntu
	@scripts/make-deb.sh

.PHONY: tarball
tarball: deps-tarball ## build/tarball/*.tar.gz: the program for any x86-64 Linux, linked statically
	@scripts/make-tarball.sh

.PHONY: wheel
wheel: tarball ## build/wheel/*.whl: the same program for pip
	@scripts/make-wheel.py $(BUILD)/tarball/incore-*-linux-x86_64.tar.gz $(BUILD)/wheel

.PHONY: sbom
sbom: wheel ## what the tarball and the wheel are made of, as SPDX documents beside them
	@scripts/sbom.py $(BUILD)/tarball $(BUILD)/tarball/incore-*-linux-x86_64.tar.gz $(BUILD)/wheel/incore-*.whl

.PHONY: sources
sources: tarball ## the sources of its libraries under the LGPL, to publish beside the tarball and the wheel
	@scripts/make-lgpl-sources.sh

.PHONY: release-check
release-check: deps-release ## all that a release stands on, a line for each check; CHECKS=--long for the long ones, or their names
	@scripts/release-check.sh $(CHECKS)

.PHONY: demo
demo: deps-demo build ## the main job, live: OpenSSL's PadLock engine on this machine
	@scripts/demo.sh

.PHONY: test
test: deps-test ## every test of this machine's own build, and those of the POWER8 kernels
	@scripts/test.sh native ppc64le-short ppc64-short

.PHONY: test-all
test-all: deps-all format-check ## the same with Clang and in 32 bits
	@scripts/test.sh $(PRESETS)

.PHONY: test-asan
test-asan: deps-test ## the same under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/test.sh asan

.PHONY: test-power8
test-power8: deps-power8 ## all that runs on POWER8, in both byte orders, under QEMU
	@scripts/test.sh $(POWER8_PRESETS)

.PHONY: test-power8-clang
test-power8-clang: deps-power8 deps-clang ## the same by Clang
	@scripts/test.sh $(POWER8_PRESETS:%=%-clang)

.PHONY: mutate
mutate: deps-test ## break the PadLock processor and the kernels line by line; the tests must notice
	@scripts/mutate.py --kind host --jobs $(JOBS)
	@scripts/mutate.py --kind padlock --jobs $(JOBS)

.PHONY: mutate-power8
mutate-power8: deps-test ## the same with the kernels for POWER8, under QEMU
	@scripts/mutate.py --kind power8 --jobs $(JOBS)

.PHONY: mutate-vemicry
mutate-vemicry: deps-test ## the same with the VeMICry machine, its assembler and its programs
	@scripts/mutate.py --kind vemicry --jobs $(JOBS)

.PHONY: vemicry-tables
vemicry-tables: deps-build ## put what VeMICry's instruction records say into the Verilog and the documents
	@$(MAKE) --no-print-directory build-native TARGETS=vemicry_tables $(AS_CONFIGURED)
	@$(BUILD)/native/src/vemicry/vemicry_tables .

.PHONY: fuzz-short
fuzz-short: deps-fuzz ## every fuzzer for a few seconds
	@scripts/fuzz.sh 10

.PHONY: bench
bench: deps-bench build ## speeds, known answers first
	@scripts/bench.sh

.PHONY: lab
lab: deps-lab build ## other projects that use PadLock under `incore run --check`: build/lab/lab.md; PROJECTS=..., LAB=--quick
	@scripts/lab.py $(LAB) $(PROJECTS)

.PHONY: boot-linux
boot-linux: deps-boot build ## Debian's Linux kernels under `incore boot`, their PadLock drivers tried; BOOT='--kernel trixie --model nano'
	@scripts/boot-linux.py $(BOOT)

.PHONY: qemu
qemu: deps-qemu build ## QEMU with PadLock of its own, in build/qemu, for `incore boot` and for programs on any machine; QEMU=qemu-x86_64: only that
	@scripts/make-qemu.sh $(QEMU)

.PHONY: probe-image
probe-image: deps-probe-image build ## build/probe-image/incore-probe.img: a USB stick that boots and records a PadLock processor
	@scripts/make-probe-image.py

.PHONY: probe-image-test
probe-image-test: deps-probe-image deps-boot build ## the same, and boot it in QEMU and on a model
	@scripts/make-probe-image.py --test

.PHONY: bench-power8
bench-power8: deps-model ## the kernels for POWER8: exact instruction counts, and cycles by a model
	@scripts/bench-power8.py

.PHONY: dudect
dudect: deps-test ## measure for minutes whether any kernel's time depends on its secrets
	@$(MAKE) --no-print-directory build-native TARGETS=constant_time_timing
	@$(BUILD)/native/tests/constant_time/statistical/constant_time_timing --samples 2000000 --seconds 4

.PHONY: replay
replay: deps-test ## does `incore run` do what the processor does? millions of states, in some minutes
	@$(MAKE) --no-print-directory build-native TARGETS=incore_tests
	@INCORE_PROPERTY_COUNT=1000 $(BUILD)/native/tests/incore_tests --gtest_filter='run_replay.random_*'

.PHONY: vemicry-rtl
vemicry-rtl: deps-vemicry-rtl ## does VeMICry's Verilog take the cycles of its pipeline model? every workload, 10,000 programs
	@$(MAKE) --no-print-directory build-native TARGETS=incore_tests
	@INCORE_RTL_SIMULATOR=verilator INCORE_PROPERTY_COUNT=1250 $(BUILD)/native/tests/incore_tests --gtest_filter='vemicry_rtl_program.*'

.PHONY: rng-thousand
rng-thousand: deps-test ## do the tests of `incore rng analyze` fail a good generator as rarely as they say?
	@$(MAKE) --no-print-directory build-native TARGETS=incore_tests
	@INCORE_JUDGED_SEEDS=1000 INCORE_JUDGED_BYTES=131072 $(BUILD)/native/tests/incore_tests --gtest_filter='assess_judgement.good_*'

.PHONY: vectors
vectors: deps-test ## which known answers ran on which kernel; what did not, and why
	@$(MAKE) --no-print-directory build-native TARGETS=incore_tests
	@scripts/vectors.py

.PHONY: clauses
clauses: ## which clauses of docs/clauses are tested
	@python3 scripts/clauses.py

.PHONY: readme-output
readme-output: deps-test build-native build-ppc64le ## run the commands shown in the documents again, and put in what they print and what they quote
	@scripts/quote-code.py
	@scripts/readme-output.py
	@scripts/option-tables.py $(BUILD)/native/incore

.PHONY: format
format: deps-format ## format the sources (clang-format)
	@clang-format -i $(SOURCES)

.PHONY: format-check
format-check: deps-format ## fail if a source file is not formatted
	@clang-format --dry-run -Werror $(SOURCES)

.PHONY: clean
clean: ## remove what was built
	@rm -rf $(BUILD)
