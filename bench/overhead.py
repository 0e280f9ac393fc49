"""overhead.py - part s: measures the scripts of a talk about the cost of tracing, at read(2) of 'dd bs=1'.

Each row runs at the system call and, where functions can be traced, at vfs_read().  It prints
nanoseconds of run time per event, as part a does, and the time of dd.  BENCH_BLOCKS is the number
of blocks. With BENCH_FUNCTIONS, the rows at the system call and at read() of the C library are left out.
"""

import os
import re
import resource
import subprocess

import bpf
import bpftrace
from common import DTRACE, NotMeasured, attempt, median, note, own
from cost import BPFTRACE_AIM, CPU, HAND_AIM, Sample, Tool

BLOCKS = int(os.environ.get("BENCH_BLOCKS", "300000"))
EVENTS_BLOCKS = BLOCKS // 10  # number of blocks for rows that print each event, because bpftrace takes 5 us per event


class Dd:
    """The traced program, dd."""

    each_run = False  # a program at all system calls also runs at write(2)

    def __init__(self, blocks):
        self.events = self.blocks = blocks

    @staticmethod
    def warm():
        with open("/dev/zero", "rb", buffering=0) as f:
            f.read(1)

    def run(self):
        """Runs dd, and sets took to its CPU time for a block, in ns."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={self.blocks}", "status=none"],
                       preexec_fn=lambda: os.sched_setaffinity(0, {CPU}), check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.took = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e9 / self.blocks


class Reader:
    """Reads one byte at a time, as dd does, in a process that exists before tracing begins, so its pid is known."""

    each_run = False

    def __init__(self, blocks):
        self.events = self.blocks = blocks
        self.process = subprocess.Popen([own("reader")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {CPU}))

    def read(self, times):
        """Reads, and returns the CPU time of the calls in ns."""
        print(times, file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def warm(self):
        self.read(1)

    def run(self):
        self.took = self.read(self.blocks) / self.blocks

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


# Entry and return probe in D, entry and return probe in bpftrace, prefix of the programs written by hand, and
# name of the third argument in bpftrace.
SYSCALL = ("syscall::read:entry", "syscall::read:return", "t:syscalls:sys_enter_read",
           "t:syscalls:sys_exit_read", "s", "args->count")
FUNCTION = ("fbt::vfs_read:entry", "fbt::vfs_read:return", "k:vfs_read", "kr:vfs_read", "f", "arg2")

# Number in the talk, name, program in D, program in bpftrace, programs written by hand.  E is the entry probe, R the
# return probe, and N the third argument.
ROWS = [
    ("2 4", "entry", "E { 1 }", "E { 1 }", ["nothing"]),
    ("3 5", "return", "R { 1 }", "R { 1 }", ["return"]),
    ("8", "filter", "E /arg2 > 0/ { 1 }", "E /N > 0/ { 1 }", ["filter"]),
    ("9", "map", "E { @ = count() }", "E { @ = count() }", ["count"]),
    ("10", "single key", "E { @[pid] = count() }", "E { @[pid] = count() }", ["pid"]),
    ("11", "string key", "E { @[execname] = count() }", "E { @[comm] = count() }", ["comm"]),
    ("12", "two keys", "E { @[pid, execname] = count() }", "E { @[pid, comm] = count() }", ["both"]),
    ("13", "kernel stack", "E { @[stack()] = count() }", "E { @[kstack] = count() }", ["kstack"]),
    ("14", "user stack", "E { @[ustack()] = count() }", "E { @[ustack] = count() }", ["ustack"]),
    ("15", "histogram", "E { @ = quantize(arg2) }", "E { @ = hist(N) }", ["hist"]),
    ("16", "timing", "E { self->s = timestamp } R /self->s/ { @ = quantize(timestamp - self->s); self->s = 0; }",
     "E { @s[tid] = nsecs } R /@s[tid]/ { @ = hist(nsecs - @s[tid]); delete(@s[tid]); }", ["begin", "end"]),
    ("17", "multiple", "E { @[stack(), ustack()] = quantize(arg2) }", "E { @[kstack, ustack] = hist(N) }",
     ["multiple"]),
    ("18", "per event", 'E { printf("%d bytes\\n", arg2); }', 'E { printf("%d bytes\\n", N); }', ["event"]),
]

# Rows for a function of a process, in the same form, with one program written by hand.
PROCESS_ROWS = [
    ("6", "function of a process", "pid$target:libc*:read:entry { 1 }", "uprobe:LIBC:read { 1 }", "u_entry"),
    ("7", "its return", "pid$target:libc*:read:return { 1 }", "uretprobe:LIBC:read { 1 }", "u_return"),
]


def c_library():
    """Returns the path of the C library that this process and others use."""
    with open("/proc/self/maps", encoding="utf-8") as f:
        return next(line.split()[-1] for line in f if re.search(r"/libc(-[\d.]+)?\.so", line))


def at(place, text, bpftrace):
    entry, back = place[2:4] if bpftrace else place[0:2]
    words = {"E": entry, "R": back, "N": place[5]}
    return re.sub(r"\b[ERN]\b", lambda w: words[w.group()], text)


def tools(place, row):
    _, _, ours, theirs, hand = row
    return {
        "hand": [own("hand"), own("overhead.bpf.o")] + [f"{place[4]}_{name}" for name in hand],
        "dtrace": [DTRACE, "-q", "-n", at(place, ours, False)],
        "bpftrace": bpftrace.commands["bpftrace"] + ["-e", at(place, theirs, True)],
    }


def sample(argv, work):
    """Returns nanoseconds per event, and the CPU time of the traced program for a block."""
    tool = Tool(argv)
    try:
        tool.wait_ready(work.warm)
        before = tool.programs()
        work.run()
        after = tool.programs()
    finally:
        tool.stop()
    return Sample(before, after, work).ns, work.took


def measure(rounds, place, row):
    work = Dd(EVENTS_BLOCKS if row[1] == "per event" else BLOCKS)
    got = {name: [] for name in tools(place, row)}
    for i in range(rounds):
        for name, argv in tools(place, row).items():
            note(f"{row[1]}: round {i + 1}, {name}")
            got[name].append(sample(argv, work))
    note("")
    show(row, got)


def measure_process(rounds, row):
    """Runs each tool on a process of its own."""
    _, name, ours, theirs, hand = row
    got = {"hand": [], "dtrace": [], "bpftrace": []}
    newest = bpftrace.commands["bpftrace"]
    libc = bpftrace.path(c_library(), newest)
    for i in range(rounds):
        for tool in got:
            note(f"{name}: round {i + 1}, {tool}")
            work = Reader(BLOCKS)
            argv = {"hand": [own("hand"), own("overhead.bpf.o"), hand],
                    "dtrace": [DTRACE, "-q", "-p", str(work.process.pid), "-n", ours],
                    "bpftrace": newest + ["-p", str(work.process.pid), "-e", theirs.replace("LIBC", libc)]}[tool]
            try:
                got[tool].append(sample(argv, work))
            finally:
                work.end()
    note("")
    show(row, got)


def mark(ratio, aim):
    return f"{ratio:7.2f}{' ' if ratio <= aim else '!'}"


def show(row, got):
    ns = {name: median([s[0] for s in samples]) for name, samples in got.items()}
    dd = {name: min(s[1] for s in samples) for name, samples in got.items()}
    print(f"{row[0]:>5} {row[1]:13}" + "".join(f"{ns[t]:9.0f}" for t in ns)
          + mark(ns["dtrace"] / ns["hand"], HAND_AIM) + mark(ns["dtrace"] / ns["bpftrace"], BPFTRACE_AIM)
          + f"{ns['hand'] / ns['bpftrace']:8.2f} " + "".join(f"{dd[t]:9.0f}" for t in dd), flush=True)


def head(title):
    print(f"\n{title}: ns per event of run time; ratios (! more than {HAND_AIM} by hand, {BPFTRACE_AIM} of "
          "bpftrace); the traced program's CPU time for a block, ns, least")
    print(f"{'row':>5} {'':13}{'hand':>9}{'dtrace':>9}{'bpftrace':>9}{'d:hand':>8}{'d:bpft':>8}{'h:bpft':>8} "
          f"{'by hand':>9}{'dtrace':>9}{'bpftrace':>9}", flush=True)


def show_control(work):
    work.run()
    print(f"{'1':>5} {'control':13}{'':51}{'':1}{work.took:9.0f}", flush=True)


def table(rounds, place, which):
    head(place[0])
    show_control(Dd(BLOCKS))
    for row in (r for r in ROWS if which in r[1]):
        attempt(f"{place[0]} {row[1]}", measure, rounds, place, row)


def process_table(rounds, which):
    head("read() of the C library")
    control = Reader(BLOCKS)
    show_control(control)
    control.end()
    for row in (r for r in PROCESS_ROWS if which in r[1]):
        attempt(row[1], measure_process, rounds, row)


def functions_traced():
    done = subprocess.run([DTRACE, "-e", "-n", FUNCTION[0]], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def run(rounds, which):
    print(f"\n(s) the scripts of the talk, {rounds} rounds in turns")
    fd = attempt("run-time statistics", bpf.enable_stats)
    if fd is None:
        return
    if not os.environ.get("BENCH_FUNCTIONS"):
        table(rounds, SYSCALL, which)
        process_table(rounds, which)
    if functions_traced():
        table(rounds, FUNCTION, which)
    os.close(fd)


def run_guest(kernel, which):
    """Measures in a virtual machine, which runs bench/run -G with the programs built here."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    deb = subprocess.run([os.path.join(top, "tests/vm/kernels"), kernel], stdout=subprocess.PIPE, text=True,
                         check=False).stdout.strip()
    if not deb:
        raise NotMeasured(f"there is no package of Linux {kernel}")
    print(f"\nLinux {kernel}, emulated:", flush=True)
    subprocess.run([os.path.join(top, "tests/vm/run"), deb, "env", "BENCH_BLOCKS=3000", "/usr/bin/python3",
                    os.path.join(top, "bench/run"), "-G", "-r", "1", "-j", which, "s"], check=True)
