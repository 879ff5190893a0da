"""Fails loudly when a matrix product runs below a third of the machine's peak: a wrong kernel was chosen.

python bench/check_gemm.py kernel_bench.json
"""

import json
import sys

with open(sys.argv[1]) as file:
    shares = {b["name"]: b["of_limit"] for b in json.load(file)["benchmarks"] if "of_limit" in b}
slow = {name: share for name, share in shares.items() if name.startswith(("ep_", "amp_batch/36")) and share < 1 / 3}
if slow:
    sys.exit(f"matrix products below a third of peak: {slow}")
