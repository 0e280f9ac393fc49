"""arrays.py - part g: the cost of associative arrays.

A row is a program at rawtp:::sys_enter. Its figure is the program's cost minus the cost of the same
program without the array. dd makes two system calls a block, read and write, so arg1 has two values.
"""

import os

import bpf
import common
from common import DTRACE, attempt, median, note
from cost import DD_BLOCKS, Reads, sample

# Name, statements before the first event, clause without the array, clause with it.
ROWS = [
    ("hit", "a[0] = 1; a[1] = 1;", "@ = sum(arg1 | 1);", "@ = sum(a[arg1]);"),
    ("miss", "a[0] = 1;", "@ = sum(arg1 | 1);", "@ = sum(a[arg1 + 1000] + 1);"),
    ("store", "a[0] = 1;", "@ = count();", "@ = count(); a[arg1] = arg1 + 1;"),
    ("insert and delete", "a[0] = 1;", "@ = count();",
     "@ = count(); a[arg1 + 10] = arg1 + 1; a[arg1 + 10] = 0;"),
    ("store, 100,000 keys in turn", "n = 0;", "@ = count(); n++;",
     "@ = count(); a[n % 100000] = n + 1; n++;"),
    ("string, read", 's[0] = s[1] = "text";', "@ = count(); this->t = execname;",
     "@ = count(); this->t = execname; this->t = s[arg1];"),
    ("string, store", 's[0] = "text";', "@ = count(); this->t = execname;",
     "@ = count(); s[arg1] = execname;"),
    ("string, insert and delete", 's[0] = "text";', "@ = count(); this->t = execname;",
     "@ = count(); s[arg1 + 10] = execname; s[arg1 + 10] = NULL;"),
    ("long string, read", f's[0] = s[1] = strjoin("{100 * "x"}", execname);',
     "@ = count(); this->t = probefunc;", "@ = count(); this->t = s[arg1];"),
]


def program(before, clause):
    return (f"uint64_t a[uint64_t], n; string s[uint64_t]; this string t; BEGIN {{ {before} }} "
            f"rawtp:::sys_enter {{ {clause} }}")


def row(rounds, name, before, without, clause):
    tools = {"without": [DTRACE, "-q", "-n", program("n = 0;", without)],
             "dtrace": [DTRACE, "-q", "-n", program(before, clause)]}
    if common.earlier:
        tools["earlier"] = [common.earlier, "-q", "-n", program(before, clause)]
    got = {t: [] for t in tools}
    for i in range(rounds):
        for t, argv in tools.items():
            note(f"{name}: round {i + 1}, {t}")
            got[t].append(sample(argv, Reads(2 * DD_BLOCKS), True).ns)
    note("")
    base, least_base = median(got["without"]), min(got["without"])
    over = {t: (median(ns) - base, min(ns) - least_base) for t, ns in got.items() if t != "without"}
    print(f"\n{name}: ns above the same program without the array ({base:.1f})")
    for t, (middle, least) in over.items():
        print(f"  {t:8} median {middle:6.1f}   min {least:6.1f}", flush=True)


def run(rounds, which):
    print(f"\n(g) associative arrays, ns for an event, {rounds} rounds in turns")
    fd = attempt("run-time statistics", bpf.enable_stats)
    if fd is None:
        return
    for spec in ROWS:
        if which in spec[0]:
            attempt(spec[0], row, rounds, *spec)
    os.close(fd)
