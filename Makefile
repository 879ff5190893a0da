# The front door. `make demo` and `make test` work on a bare Debian 12: they install what is missing first.
JOBS ?= $(shell nproc)
.NOTPARALLEL:  # the build tools run in parallel themselves
.PHONY: setup build all demo test check test-python test-web cuda test-cuda sanitize fuzz fuzz-short validate coverage tsan bench format lint clean page test-page site test-site

build: setup
	@tools/build release $(JOBS) programs

all: setup
	@tools/build release $(JOBS) all

setup:
	@tools/setup

demo: build
	@tools/demo build/release/cavity build/demo

# Builds what is tested, then tests the core, the Python package and the report page.
test: all
	@tools/test-all $(JOBS)

# What a newcomer need not wait for: format, house rules, clang-tidy, and every reader under libFuzzer for a while.
check: lint fuzz-short

test-python: build
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/test-python

# The report page: unit tests and a headless browser.
test-web: setup
	@tools/test-web

# build/cuda/src/cuda/cavity-cuda, for a machine with an NVIDIA device; builds anywhere.
cuda: setup
	@tools/build-cuda $(JOBS) cavity-cuda

# Its tests, which say `skipped: no device` where there is none.
test-cuda: setup
	@tools/build-cuda $(JOBS) "cavity-cuda test_cuda cuda_update"
	@build/cuda/tests/test_cuda --gtest_brief=1

# The R package: build/r/cavity_*.tar.gz, installed into build/r/library.
.PHONY: r test-r
r: build
	@tools/setup tools/r-packages.txt
	@tools/build-r $(JOBS)

# R CMD check, with the package's own tests.
test-r: r
	@tools/test-r $(JOBS)

# build/page/cavity.html: the library as WebAssembly in one file that fits in the browser.
page: setup
	@tools/build-page $(JOBS)

# That file in a headless browser against the command line, and the tests of the library's core under node.
test-page: build page
	@tools/test-page $(JOBS)

# dist/: what installs without a compiler, of the last commit; RELEASING.md says which file is for whom.
.PHONY: dist test-dist
dist: build
	@tools/setup tools/dist/packages.txt
	@tools/dist/build $(JOBS)

# Each of them installed in a bare Debian 12 and run there. Needs root.
test-dist:
	@tools/setup tools/dist/packages.txt
	@tools/dist/test

# The tests under AddressSanitizer and UndefinedBehaviorSanitizer, the command line included.
sanitize: setup
	@tools/build asan $(JOBS) all
	@tools/test-instrumented build/asan

# Every reader and the model file under libFuzzer, SECONDS each: make fuzz SECONDS=600.
SECONDS ?= 60
fuzz: setup
	@tools/build fuzz $(JOBS) fuzz
	@fuzz/run build/fuzz -max_total_time=$(SECONDS)

# Every seed and the same 20,000 inputs made from them each time: a change that breaks a reader fails, luck does not.
fuzz-short: setup
	@tools/build fuzz $(JOBS) fuzz
	@fuzz/run build/fuzz "-seed=1 -runs=20000"

# What takes long: calibration of the posterior on 3000 simulated data sets, EP against the sampler and leave-one-out
# against refits on 24 problems each, 200 kills of each command that writes files.
validate: all
	@CAVITY_VALIDATE=1 CAVITY_KILLS=200 tools/validate build/release

# Data races in what runs in threads.
tsan: setup
	@tools/build tsan $(JOBS) "test_base test_read test_kernels test_design test_prepare test_infer test_fit test_compare"
	@tools/test-threads build/tsan

# Lines of src/ that the tests reach.
coverage: setup
	@tools/setup tools/coverage-packages.txt
	@tools/build coverage $(JOBS) all
	@tools/coverage build/coverage

# The manual: docs/ as a site that works offline, in build/site.
site: build
	@tools/build-site

test-site: site
	@build/site-venv/bin/python -m pytest -q -p no:cacheprovider -c tools/site/pytest.ini tools/site

bench: setup
	@tools/build release $(JOBS) "programs benches"
	@bench/run build/release

format: setup
	@find */ -name '*.[ch]pp' -not -path 'build/*' -not -path '*/node_modules/*' | xargs clang-format -i

lint: build
	@tools/lint build/release

clean:
	@rm -rf build
