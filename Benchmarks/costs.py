#!/usr/bin/env python3
"""Measures what some choices of docs/dependencies.md cost. Run alone, it prints the figures within a minute; it needs a
release build (BUILD_DIR names its folder)."""

import ctypes
import ctypes.util
import hashlib
import hmac
import os
import pathlib
import re
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


def swift(folder, module, statement, release=None):
    """A static program that imports a module and does one thing with it.

    release: the folder of the release build that has the module, if it isn't one of Swift's own."""
    source, program = folder / f"with-{module}.swift", folder / module
    source.write_text(f"import {module}\n{statement}\n")
    built = ["-I", release / "Modules", *(release / f"{module}.build").glob("*.o")] if release else []
    subprocess.run(["swiftc", "-O", "-module-name", "cost", "-static-stdlib", "-Xlinker", "--strip-all",
                    "-Xlinker", "--gc-sections", "-o", program, source, *built], check=True, stderr=subprocess.DEVNULL)
    return program


def kilobytes(program, module):
    """The size of a Swift module's code and data in a program that has its symbols: the sum of the symbols whose mangled
    names begin with the module."""
    symbols = subprocess.run(["nm", "--print-size", "--defined-only", program], check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    sizes = re.findall(rf"^\w+ (\w+) \w \$s{len(module)}{module}", symbols, re.M)
    if not sizes:
        raise LookupError(f"{program} has no symbols of {module}")
    return sum(int(size, 16) for size in sizes) / 1000


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


def measure(folder, release):
    """Returns pairs of a choice and its figures. release: the folder of the release build."""
    rows = []
    date = "print(Date(timeIntervalSince1970: 0).formatted({}))"
    programs = [swift(folder, "Glibc", "print(time(nil))"), swift(folder, "FoundationEssentials", date.format(".iso8601")),
                swift(folder, "Foundation", date.format("date: .long, time: .omitted"))]
    sizes = [f"{program.stat().st_size / 1e6:.0f} MB" for program in programs]
    times = [f"{started(program)[0]:.1f} ms" for program in programs]
    rows.append(("a static program that prints the time without Foundation, with FoundationEssentials and with Foundation",
                 f"{', '.join(sizes)}; {', '.join(times)}"))
    packages = [("Logging", "LoggingSystem.bootstrap { StreamLogHandler.standardOutput(label: $0) }\n"
                 'Logger(label: "trunk").info("a line")'),
                ("CoreMetrics", 'Counter(label: "trunk").increment()')]
    parts = [f"{kilobytes(release / 'trunk-server', module):.0f} kB" for module, _ in packages]
    rows.append(("swift-log and swift-metrics: their code and data in trunk-server", " and ".join(parts)))
    starts = [started(programs[0])[0], *(started(swift(folder, *package, release))[0] for package in packages)]
    rows.append(("a static program that prints the time, one that writes a line through swift-log, and one that counts with "
                 "swift-metrics", f"{starts[0]:.1f} ms, {starts[1]:.1f} ms and {starts[2]:.1f} ms"))
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
    build = ROOT / os.environ.get("BUILD_DIR", ".build")
    with tempfile.TemporaryDirectory(prefix="trunk-costs-") as name:
        for what, cost in measure(pathlib.Path(name), build.resolve() / "release"):
            print(f"{what}: {cost}")
