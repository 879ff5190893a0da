"""What a command costs."""

import os
import time


def measured(command, accepted=(0,)):
    """Runs a command: its standard output, CPU and wall seconds and peak memory."""
    read, write = os.pipe()
    start = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read),
        (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])  # fmt: skip
    os.close(write)
    with os.fdopen(read) as pipe:
        output = pipe.read()
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) not in accepted:
        raise SystemExit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return output, {
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "wall_s": time.perf_counter() - start,
        "peak_mb": usage.ru_maxrss / 1024,
    }
