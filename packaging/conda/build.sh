#!/usr/bin/env bash
# The program, its man page and completions. conda's compilers and flags come in the environment.
set -euo pipefail
# shellcheck disable=SC2086  # words
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCAVITY_WARNINGS=OFF -DCAVITY_REPORT_PAGE=ON
cmake --build build/conda --parallel "${CPU_COUNT:-2}" --target programs
cmake --install build/conda --component program --strip --prefix "$PREFIX"
