# The front door. `make demo` and `make test` work on a bare Debian 12: they install what is missing first.
JOBS ?= $(shell nproc)
.PHONY: build demo test test-python bench format lint clean setup sanitize

setup:
	@tools/setup

build: setup
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS) --target cavity | tail -n 1

demo: build
	@tools/demo build/release/cavity build/demo

test: build lint test-python
	@cmake --build --preset release -j $(JOBS) | tail -n 1
	@ctest --test-dir build/release -j $(JOBS) --output-on-failure

test-python: build
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/test-python

sanitize: setup
	@cmake --preset asan --log-level=WARNING >/dev/null
	@cmake --build --preset asan -j $(JOBS) | tail -n 1
	@ctest --test-dir build/asan -j $(JOBS) --output-on-failure

bench: build
	@cmake --build --preset release -j $(JOBS) | tail -n 1
	@bench/run build/release

format: setup
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

lint: setup
	@tools/lint build/release

clean:
	@rm -rf build
