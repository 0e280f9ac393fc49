"""common.py - paths, builds, runs and verdicts, which all parts of the benchmark use."""

import os
import statistics
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(TOP, "build", "bench")
DTRACE = os.path.join(TOP, "build", "dtrace")

# The path of an older dtrace, which is measured for comparison, or None.
earlier = None

# Failed measurements: lines to print at the end of the run.
unmeasured = []


class NotMeasured(Exception):
    """Raised if a measurement failed or its result is wrong. The text is the reason."""


def own(name):
    """Returns the path of a program or file to compare with."""
    return os.path.join(OUT, name)


def build():
    """Builds the programs to compare with, and a Release dtrace.  Raises NotMeasured with the output."""
    product = os.path.join(TOP, "build")
    steps = [
        ["make", "-s", "-C", os.path.join(TOP, "bench"), f"OUT={OUT}"],
        ["cmake", "-S", TOP, "-B", product, "-DCMAKE_BUILD_TYPE=Release", "-DSANITIZE=OFF",
         "-DBUILD_TESTING=OFF"],
        ["cmake", "--build", product, "--target", "dtrace", "-j", str(os.cpu_count())],
    ]
    for step in steps:
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode:
            raise NotMeasured(f"'{' '.join(step)}' failed:\n{done.stdout[-3000:]}")


class Cost:
    """The cost of one run of a command."""

    def __init__(self, wall, user, system, rss_kib):
        self.wall, self.cpu, self.rss_mib = wall, user + system, rss_kib / 1024


def timed(argv, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL):
    """Runs a command to its end and returns its Cost."""
    report = own("timed.out")
    done = subprocess.run([own("timed"), report] + argv, stdin=stdin, stdout=stdout,
                          stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    if done.returncode:
        raise NotMeasured(f"'{' '.join(argv)}' ended with status {done.returncode}: "
                          f"{done.stderr.strip()[-500:]}")
    with open(report, encoding="ascii") as f:
        wall, user, system, rss, _status = (float(x) for x in f.read().split())
    return Cost(wall, user, system, rss)


def median(values):
    return statistics.median(values)


def verdict(ratio, aim):
    """Formats a ratio, and the aim that it should not exceed."""
    return f"{ratio:6.3f} (aim <= {aim:.2f}) {'ok' if ratio <= aim else 'MISS'}"


def verdict_times(factor, aim):
    """Formats a factor, and the aim that it should reach."""
    return f"{factor:5.1f}x (aim >= {aim}x) {'ok' if factor >= aim else 'MISS'}"


def note(text):
    """Prints progress."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def attempt(what, function, *args):
    """Runs one measurement.  If it fails, prints the reason and adds it to unmeasured."""
    try:
        return function(*args)
    except (NotMeasured, OSError, subprocess.SubprocessError) as why:
        note("")
        print(f"{what}: NOT MEASURED: {why}", flush=True)
        unmeasured.append(f"{what}: {why}")
        return None
