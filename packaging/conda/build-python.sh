#!/usr/bin/env bash
# The Python package alone: it holds the library.
set -euo pipefail
export CMAKE_BUILD_PARALLEL_LEVEL=${CPU_COUNT:-2}
"$PYTHON" -m pip install . -v --no-deps --no-build-isolation
