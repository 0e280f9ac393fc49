"""snapshots.py - part f: the time and memory of reading an aggregation with a million keys.

dtrace runs in a control group of its own. The group's peak of memory includes the maps of dtrace in the kernel.  The
measured time is the time from the interrupt to the end of the process.
"""

import os
import re
import signal
import subprocess
import time

import common
from common import DTRACE, NotMeasured, attempt, median, note, own

KEYS = int(os.environ.get("BENCH_KEYS", "1000000"))
TIME_AIM, MEMORY_AIM = 0.2, 0.5
UP_SECONDS = 120

# Ways to write a snapshot: the last clause of the program, options, the least number of lines and the least number of
# bytes that the output must have.
FORMS = {
    "the ten largest": (" END { trunc(@, 10); }", [], 10, 10),
    "sorted text": ("", [], KEYS, KEYS),
    "unsorted file": ("", ["-x", "aggout=/dev/stdout", "-x", "aggoutonly"], 0, 3 * KEYS),
}
MAPS = {"arena": ["-x", "maps=arena"], "maps": ["-x", "maps=kernel"]}


def mount_point(kind, controller):
    with open("/proc/self/mounts", encoding="utf-8") as f:
        for line in f:
            _, where, fstype, options, *_ = line.split()
            if fstype == kind and (kind == "cgroup2" or controller in options.split(",")):
                return where
    return None


class Group:
    """A new control group that accounts memory, of cgroup version 1 or 2."""

    def __init__(self):
        old = mount_point("cgroup", "memory")
        base, self.peak_file = (old, "memory.max_usage_in_bytes") if old else \
            (mount_point("cgroup2", None), "memory.peak")
        if not base:
            raise NotMeasured("no control groups that account memory are mounted")
        if not old:
            with open(f"{base}/cgroup.subtree_control", "w", encoding="ascii") as f:
                f.write("+memory")
        self.path = f"{base}/dtrace-bench-{os.getpid()}"
        os.mkdir(self.path)

    def enter(self):
        with open(f"{self.path}/cgroup.procs", "w", encoding="ascii") as f:
            f.write(str(os.getpid()))

    def peak_mib(self):
        with open(f"{self.path}/{self.peak_file}", encoding="ascii") as f:
            return int(f.read()) / (1 << 20)

    def remove(self):
        for _ in range(100):  # the kernel counts an ended process for a little longer
            try:
                os.rmdir(self.path)
                return
            except OSError:
                time.sleep(0.05)


def cpu_of(pid):
    """Returns the seconds of CPU of all threads of a process."""
    ns = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as f:
            ns += int(f.read().split()[0])
    return ns / 1e9


class Sample:
    """The result of a run: wall clock seconds and CPU seconds of a snapshot, and the peak of memory in MiB."""

    def __init__(self, dtrace, options, form):
        keys = subprocess.Popen([own("keys")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        group = Group()
        try:
            self.take(dtrace, options, form, keys, group)
        finally:
            keys.stdin.close()
            keys.stdout.close()
            keys.wait()
            group.remove()

    @staticmethod
    def make(keys, n):
        print(n, file=keys.stdin, flush=True)
        keys.stdout.readline()

    def take(self, dtrace, options, form, keys, group):
        end, output, least_lines, least_bytes = FORMS[form]
        argv = [dtrace, "-q", "-x", "aggsize=2g", "-p", str(keys.pid), "-n",
                "syscall::lseek:entry /pid == $target/ { @[arg1] = count(); }" + end] + options + output
        counter = subprocess.Popen(["wc", "-lc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        tool = subprocess.Popen(argv, stdout=counter.stdin, stderr=subprocess.PIPE, text=True,
                                preexec_fn=group.enter)
        counter.stdin.close()
        self.wait_up(tool, keys)
        self.make(keys, KEYS)
        time.sleep(0.3)
        before, began = cpu_of(tool.pid), time.monotonic()
        tool.send_signal(signal.SIGINT)
        errors = tool.stderr.read()
        _, status, usage = os.wait4(tool.pid, 0)
        tool.returncode = status
        self.wall = time.monotonic() - began
        self.cpu = usage.ru_utime + usage.ru_stime - before
        self.memory = group.peak_mib()
        lines, size = (int(n) for n in counter.stdout.read().split())
        counter.stdout.close()
        counter.wait()
        if status or lines < least_lines or size < least_bytes:
            raise NotMeasured(f"'{' '.join(argv)}' wrote {lines} lines, {size} bytes: {errors[-300:]}")

    @staticmethod
    def wait_up(tool, keys):
        """Waits until dtrace sleeps, with its maps and programs made."""
        deadline, before, same = time.monotonic() + UP_SECONDS, None, 0
        while same < 5:
            if tool.poll() is not None or time.monotonic() > deadline:
                raise NotMeasured(f"dtrace did not start: {tool.stderr.read()[-300:]}")
            time.sleep(0.1)
            Sample.make(keys, 1)
            now = cpu_of(tool.pid)
            has_programs = any(re.search(r"bpf-prog", os.readlink(f"/proc/{tool.pid}/fd/{fd}"))
                               for fd in os.listdir(f"/proc/{tool.pid}/fd"))
            same = same + 1 if has_programs and before is not None and now - before < 0.002 else 0
            before = now


def measure(rounds, form):
    tools = {name: (DTRACE, options) for name, options in MAPS.items()}
    if common.earlier:
        tools["earlier"] = (common.earlier, [])
    got = {name: [] for name in tools}
    for i in range(rounds):
        for name, (dtrace, options) in tools.items():
            note(f"{form}: round {i + 1}, {name}")
            got[name].append(Sample(dtrace, options, form))
    note("")
    print(f"\n{form}, {KEYS} keys")
    middle = {t: [median(getattr(s, what) for s in samples) for what in ("wall", "cpu", "memory")]
              for t, samples in got.items()}
    for t, (wall, cpu, memory) in middle.items():
        print(f"  {t:8} {wall * 1000:8.0f} ms   CPU {cpu * 1000:8.0f} ms (minimum "
              f"{min(s.cpu for s in got[t]) * 1000:.0f})   memory {memory:7.0f} MiB")
    wall, cpu, memory = (a / b for a, b in zip(middle["arena"], middle["maps"]))
    print(f"  arena : maps   time {wall:.3f}   CPU {cpu:.3f} (aim <= {TIME_AIM}) "
          f"{'ok' if cpu <= TIME_AIM else 'MISS'}   memory {memory:.3f} (aim <= {MEMORY_AIM}) "
          f"{'ok' if memory <= MEMORY_AIM else 'MISS'}", flush=True)


def run(rounds, which):
    print(f"\n(f) a snapshot of an aggregation with {KEYS} keys, medians of {rounds} rounds in turns")
    for form in FORMS:
        if which in form:
            attempt(form, measure, rounds, form)
