"""uprobes.py - part e: attach and detach of probes at 1,000 and 10,000 functions of a process, and at all
functions of the C library."""

import os
import re
import signal
import subprocess
import time

import bpftrace
import common
from common import DTRACE, NotMeasured, attempt, median, note, own

AIM = 1.0
UP_SECONDS = 300

# Name, OBJECT:FUNCTIONS in D, file and functions in bpftrace, number of these functions that the process calls.
# bpftrace 0.23 cannot attach to all functions of the C library.
JOBS = [
    ("1,000 functions", "a.out:f_0*", "many", "f_0*", 1000),
    ("10,000 functions", "a.out:f_*", "many", "f_*", 10000),
    ("all functions of the C library", "libc:", None, None, None),
]


class Traced:
    """The traced process: bench/many.c."""

    def __init__(self):
        self.process = subprocess.Popen([own("many")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid

    def call(self):
        print("all", file=self.process.stdin, flush=True)
        self.process.stdout.readline()

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Sample:
    """The result of a run: seconds until the probes are attached, seconds after the interrupt, seconds of CPU."""

    def __init__(self, argv, traced, functions):
        began = time.monotonic()
        # pylint: disable=consider-using-with
        tool = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=dict(os.environ, BPFTRACE_MAX_PROBES="20000"))
        lines = []
        for line in tool.stdout:
            lines.append(line)
            if line.startswith("up") or time.monotonic() - began > UP_SECONDS:
                break
        self.attach = time.monotonic() - began
        if lines[-1:] != ["up\n"]:
            tool.kill()
            raise NotMeasured(f"'{' '.join(argv)[:200]}' did not start: {''.join(lines)[-500:]}")
        traced.call()
        began = time.monotonic()
        tool.send_signal(signal.SIGINT)
        output = tool.stdout.read()
        _, _, usage = os.wait4(tool.pid, 0)
        tool.returncode = 0
        tool.stdout.close()
        self.detach = time.monotonic() - began
        self.cpu = usage.ru_utime + usage.ru_stime
        counted = max((int(n) for n in re.findall(r"(?:^|: )\s*(\d+)$", output, re.M)), default=0)
        if counted < 1 or (functions and counted != functions):
            raise NotMeasured(f"'{' '.join(argv)[:200]}' counted {counted} calls of {functions}: {output[-300:]}")


def commands(pid, job):
    _, ours, file, theirs, _ = job
    newest = bpftrace.commands["bpftrace"]
    ours = [DTRACE, "-q", "-p", str(pid), "-n",
            f'pid$target:{ours}:entry {{ @ = count(); }} tick-1ms /!n++/ {{ printf("up\\n"); }}']
    result = {"dtrace": ours}
    if file:
        path = bpftrace.path(own(file), newest)
        result["bpftrace"] = newest + ["-B", "none", "-p", str(pid), "-e",
                                       f'uprobe:{path}:{theirs} {{ @ = count(); }} '
                                       'interval:ms:1 /!@up/ { @up = 1; printf("up\\n"); }']
    if common.earlier:
        result["earlier"] = [common.earlier] + ours[1:]
    return result


def measure(rounds, job):
    traced = Traced()
    got, failed = {}, {}
    try:
        for i in range(rounds):
            for tool, argv in commands(traced.pid, job).items():
                note(f"{job[0]}: round {i + 1}, {tool}")
                if tool not in failed:
                    try:
                        sample = Sample(argv, traced, job[4])
                        got.setdefault(tool, []).append(sample)
                    except NotMeasured as why:
                        failed[tool] = why
    finally:
        traced.end()
    note("")
    print(f"\n{job[0]}")
    middle = {t: [median(getattr(s, what) for s in samples) for what in ("attach", "detach", "cpu")]
              for t, samples in got.items()}
    for t, (attach, detach, cpu) in middle.items():
        print(f"  {t:9} until the probes are there {attach * 1000:8.0f} ms   after the interrupt "
              f"{detach * 1000:8.0f} ms   CPU {cpu * 1000:7.0f} ms")
    for other in middle.keys() - {"dtrace"}:
        if "dtrace" in middle:
            ratios = [a / b for a, b in zip(middle["dtrace"], middle[other])]
            print(f"  dtrace : {other:9} attach {ratios[0]:.3f}   detach {ratios[1]:.3f}   CPU {ratios[2]:.3f}"
                  + (f" (aim <= {AIM})" if other == "bpftrace" else ""), flush=True)
    if failed:
        raise NotMeasured("; ".join(str(why) for why in failed.values()))


def run(rounds):
    print(f"\n(e) probes at functions of a process, medians of {rounds} rounds in turns; "
          f"bpftrace is {bpftrace.name()}")
    for job in JOBS:
        attempt(job[0], measure, rounds, job)
