# The front door. `make demo` and `make test` work on a bare Debian 12: they install what is missing first.
JOBS ?= $(shell nproc)
.NOTPARALLEL:  # the build tools run in parallel themselves
.PHONY: setup build all demo test sanitize bench format lint clean

build: setup
	@tools/build release $(JOBS) cavity

all: setup
	@tools/build release $(JOBS) all

setup:
	@tools/setup

demo: build
	@tools/demo build/release/cavity build/demo

test: all lint
	@ctest --test-dir build/release -j $(JOBS) --output-on-failure

# The tests under AddressSanitizer and UndefinedBehaviorSanitizer, the command line included.
sanitize: setup
	@tools/build asan $(JOBS) all
	@ctest --test-dir build/asan -j $(JOBS) --output-on-failure

bench: all
	@bench/run build/release

format: setup
	@find */ -name '*.[ch]pp' -not -path 'build/*' -not -path '*/node_modules/*' | xargs clang-format -i

lint: build
	@tools/lint build/release

clean:
	@rm -rf build
