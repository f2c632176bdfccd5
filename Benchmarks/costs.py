#!/usr/bin/env python3
"""Measures what some choices of docs/dependencies.md cost. Run alone, it prints the figures within a minute."""

import ctypes
import ctypes.util
import hashlib
import hmac
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = 31
TOKEN = b"0123456789abcdef0123456789abcdef0123456789a"


# Prints the kilobytes that the program has in memory.
NOTHING = r"""
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    int size;
    if (sscanf(line, "VmRSS: %d kB", &size) == 1) printf("%d\n", size);
  }
  return 0;
}
"""


def started(command):
    """Returns the median duration of a program's runs in milliseconds, and its output."""
    times = []
    for turn in range(RUNS + 1):
        start = time.perf_counter()
        output = subprocess.run([command], check=True, stdout=subprocess.PIPE, text=True).stdout
        if turn > 0:  # the first run warms the caches
            times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times), output


def swift(folder, module, statement):
    """A static program that imports a module and does one thing with it."""
    source, program = folder / f"with-{module}.swift", folder / module
    source.write_text(f"import {module}\n{statement}\n")
    subprocess.run(["swiftc", "-O", "-module-name", "cost", "-static-stdlib", "-Xlinker", "--strip-all",
                    "-Xlinker", "--gc-sections", "-o", program, source], check=True, stderr=subprocess.DEVNULL)
    return program


def linked(folder, name, *libraries):
    """Measures a program that loads these libraries without using them. Returns milliseconds and megabytes."""
    source, program = folder / f"{name}.c", folder / name
    source.write_text(NOTHING)
    flags = subprocess.run(["pkg-config", "--libs", *libraries], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.split() if libraries else []
    subprocess.run(["clang", "-O2", "-o", program, source, "-Wl,--no-as-needed", *flags], check=True)
    duration, size = started(program)
    return duration, int(size) / 1024


def each(work, count):
    """Returns the microseconds of one call: the median of five series."""
    series = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(count):
            work()
        series.append((time.perf_counter() - start) / count * 1e6)
    return statistics.median(series)


def lines(pattern):
    """The lines of all sources that match."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "Sources").glob(pattern))


def measure(folder):
    """Returns pairs of a choice and its figures."""
    rows = []
    date = "print(Date(timeIntervalSince1970: 0).formatted({}))"
    programs = [swift(folder, "Glibc", "print(time(nil))"), swift(folder, "FoundationEssentials", date.format(".iso8601")),
                swift(folder, "Foundation", date.format("date: .long, time: .omitted"))]
    sizes = [f"{program.stat().st_size / 1e6:.0f} MB" for program in programs]
    times = [f"{started(program)[0]:.1f} ms" for program in programs]
    rows.append(("a static program that prints the time without Foundation, with FoundationEssentials and with Foundation",
                 f"{', '.join(sizes)}; {', '.join(times)}"))
    none, soup = linked(folder, "none"), linked(folder, "soup", "libsoup-3.0")
    both = linked(folder, "both", "libsoup-3.0", "libcurl")
    rows.append(("libsoup, loaded at the start", f"{soup[0] - none[0]:.1f} ms, {soup[1] - none[1]:.1f} MB"))
    rows.append(("libcurl besides libsoup", f"{both[0] - soup[0]:.1f} ms, {both[1] - soup[1]:.1f} MB"))
    crypt = ctypes.CDLL(ctypes.util.find_library("crypt"))
    crypt.crypt.restype = ctypes.c_char_p
    setting = b"$2b$06$abcdefghijklmnopqrstuu"
    if not (crypt.crypt(TOKEN, setting) or b"").startswith(setting[:7]):
        raise OSError("libcrypt has no bcrypt")
    bcrypt = each(lambda: crypt.crypt(TOKEN, setting), 50)
    mac = each(lambda: hmac.digest(TOKEN, TOKEN, hashlib.sha256), 5000)
    rows.append(("bcrypt of a refresh token (work factor 6), and its HMAC-SHA-256", f"{bcrypt / 1000:.1f} ms and {mac:.0f} µs"))
    rows.append(("the plain interface: lines of code in trunk-server and in the client",
                 f"{lines('TrunkServer/API/Plain*.swift')} and {lines('SyncBackends/TrunkAPI/*.swift')}"))
    return rows


def markdown(rows):
    return "\n".join(["| what | cost |", "|---|---|"] + ["| " + " | ".join(row) + " |" for row in rows])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="trunk-costs-") as name:
        for what, cost in measure(pathlib.Path(name)):
            print(f"{what}: {cost}")
