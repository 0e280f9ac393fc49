"""traffic.py - part d: how much CPU time the traced programs need with each tracer. Run-time statistics are off.

A round has a run with each tracer, and untraced runs in between.  The time of a traced run is divided
by the time of the untraced runs before and after it.  The benchmark prints the median of these ratios
and its 95 % interval.  It also prints the ratio of dtrace to each program written by hand, from pairs
of runs of one round.  Every tracer must have counted at least the number of its row, which for most
rows is the number of packets or bytes sent.
"""

import math
import os
import resource
import subprocess
import time

import bpf
import bpftrace
import common
from common import DTRACE, TOP, NotMeasured, attempt, median, note, own
from cost import CPU, ENTER, SET_STATE, Tool, by_hand, counts_in, script

AIM = 1.03
READY_SECONDS = 20
OTHERS_SECONDS = 120
TRIES = 4


class Ends:
    """Traffic between two namespaces: bench/ends.c."""

    def __init__(self, command, units):
        self.command, self.units = command, units
        self.process = None

    def start(self):
        self.process = subprocess.Popen([own("ends"), "-c", str(CPU)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, command, units):
        print(command, units, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise NotMeasured("the sender ended by itself")
        return int(answer)

    def run(self):
        """Returns nanoseconds of CPU for a unit."""
        return self.ask(self.command, self.units) / self.units

    def warm(self):
        self.ask("udp", 32)
        self.ask("connections", 1)

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Dd:
    """Calls of dd bs=1: two for each block."""

    def __init__(self, units):
        self.units = units

    def start(self):
        pass

    end = warm = start

    def run(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={self.units // 2}", "status=none"],
                       preexec_fn=lambda: os.sched_setaffinity(0, {CPU}), check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e9 / self.units


def total(output):
    """The sum of all counts."""
    return sum(counts_in(output).values())


def rows_of_ends(output):
    """The number of lines that name the sender: one for each end of a connection."""
    return sum(" ends " in line for line in output.splitlines())


def connections_of(output):
    """The number of connections of tcplife: one line for each end."""
    return rows_of_ends(output) // 2


def bytes_of_ends(output):
    """The bytes of tcptop's lines for the sender. They are halved, because each byte is sent and received."""
    return sum(int(line.split()[2]) for line in output.splitlines() if " ends " in line) // 2


def ours(text):
    return [DTRACE, "-q", "-n", text]


def our_script(name):
    return [DTRACE, "-s", os.path.join(TOP, "scripts", name + ".d")]


TCPTOP = "tcptop:tcptop_create,tcptop_send,tcptop_receive"
# Programs written by hand that find the same owner as the script: the process that accepts a connection.
EXACT = {"tcplife": "tcplife:tcplife_event,tcplife_accept", "tcptop": "tcptop"}

SEND_TO = ("ip:::send @[ip_daddr]", ours("ip:::send { @[args[2]->ip_daddr] = count(); }"), "daddr",
           script("daddr.bt"))
SEND_PORT = ("tcp:::send @[dport]=sum(bytes)",
             ours("tcp:::send { @[args[4]->tcp_dport] = sum(args[2]->ip_plength - args[4]->tcp_offset); }"),
             "send:send_egress", script("send.bt"))


def jobs():
    """Yields title with unit, workload, and a list of rows: name, command of dtrace, program written by hand, command
    of bpftrace (or None), function that finds the count in the output, least count."""
    udp = Ends("udp", 32000)
    yield "UDP sender and receiver, a packet", udp, [
        SEND_TO + (total, udp.units),
        ("ip:::receive @[ip_saddr]", ours("ip:::receive { @[args[2]->ip_saddr] = count(); }"),
         "receive:receive", script("receive.bt"), total, udp.units),
    ]
    conn = Ends("connections", 3000)
    yield "connect, accept, close: a connection", conn, [
        ("tcplife", our_script("tcplife"), "tcplife:tcplife_event", script("tcplife.bt"), connections_of,
         conn.units * 95 // 100),
        ("tcptop", our_script("tcptop"), TCPTOP, None, lambda output: 1, 1),
        SEND_TO + (total, conn.units),
        ("tcp:::accept-established @=count()", ours("tcp:::accept-established { @ = count(); }"),
         "states:accept_op", ["-e", SET_STATE + " && args->oldstate == 3 && args->newstate == 1/ { @ = count(); }"],
         total, conn.units),
        ("tcp:::state-change @[state]", ours("tcp:::state-change { @[args[3]->tcps_state] = count(); }"),
         "states:state_change", ["-e", SET_STATE + "/ { @[args->newstate] = count(); }"], total, conn.units),
    ]
    calls = Dd(400000)
    yield "dd bs=1, a system call", calls, [
        ("sys_enter @=count()", ours("rawtp:::sys_enter { @ = count(); }"), "count",
         ["-e", ENTER + " { @ = count(); }"], total, calls.units),
        ("sys_enter @[execname]", ours("rawtp:::sys_enter { @[execname] = count(); }"), "execname",
         ["-e", ENTER + " { @[comm] = count(); }"], total, calls.units),
    ]
    for title, work in (("TCP over veth, a byte", Ends("tcp", 600000000)),
                        ("TCP over veth, segments of 100 bytes, a byte", Ends("small", 2500000))):
        yield title, work, [
            ("tcplife", our_script("tcplife"), "tcplife:tcplife_event", script("tcplife.bt"), connections_of, 1),
            ("tcptop", our_script("tcptop"), TCPTOP, None, bytes_of_ends, work.units),
            SEND_TO + (total, 100),
            SEND_PORT + (total, work.units),
        ]


def busy(pid):
    """Returns the CPU time of a process in ticks, or None unless all its threads sleep."""
    ticks = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8", errors="replace") as f:
            fields = f.read().rpartition(")")[2].split()
        if fields[0] != "S":
            return None
        ticks += int(fields[11]) + int(fields[12])
    return ticks


def wait_idle(pid):
    """Waits until a tracer has slept for 0.3 s, which shows that it is ready, or READY_SECONDS at most."""
    deadline, before, same = time.monotonic() + READY_SECONDS, None, 0
    while same < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
        now = busy(pid)
        same = same + 1 if now is not None and now == before else 0
        before = now


class Traced:
    """One traced run. Its result is the CPU time for a unit of the workload."""

    def __init__(self, argv, work, counted, at_least):
        tracer = Tool(argv)
        try:
            self.wait_ready(tracer, work)
            self.wait_unmeasured(tracer, work)
            before = {p.id: p.run_cnt for p in tracer.programs()}
            self.ns = work.run()
            self.measured = any(p.run_cnt != before.get(p.id) for p in tracer.programs())
        finally:
            output = tracer.stop()
        if counted(output) < at_least:
            raise NotMeasured(f"'{' '.join(argv)[:200]}' counted {counted(output)} of {at_least}:\n{output[-300:]}")

    @staticmethod
    def wait_ready(tracer, work):
        """Waits until the programs run, which run-time statistics show. The statistics are on only while waiting."""
        stats, deadline = bpf.enable_stats(), time.monotonic() + READY_SECONDS
        try:
            while not any(p.run_cnt for p in tracer.programs()):
                if time.monotonic() > deadline:
                    raise NotMeasured(f"'{' '.join(tracer.argv)[:200]}' ran no program within {READY_SECONDS} s")
                work.warm()
                os.getppid()
                time.sleep(0.02)
        finally:
            os.close(stats)
        wait_idle(tracer.process.pid)  # dtrace enables recording last


    @staticmethod
    def wait_unmeasured(tracer, work):
        """Waits until no other process enables run-time statistics, for OTHERS_SECONDS at most."""
        deadline = time.monotonic() + OTHERS_SECONDS
        while time.monotonic() < deadline:
            before = {p.id: p.run_cnt for p in tracer.programs()}
            work.warm()
            os.getppid()
            if all(p.run_cnt == before.get(p.id) for p in tracer.programs()):
                return
            time.sleep(0.2)


def traced(argv, work, counted, at_least):
    """Returns the CPU time of a run. Repeats the run if another process has enabled run-time statistics."""
    for _ in range(TRIES):
        run = Traced(argv, work, counted, at_least)
        if not run.measured:
            return run.ns
    raise NotMeasured("somebody else on this machine has enabled run-time statistics")


def interval(values):
    """Returns the 95 % interval of the median, by order statistics. Fewer than 6 values are too few for 95 %: then
    returns the least and the greatest value."""
    n, ordered, k, tail = len(values), sorted(values), 0, 0.0
    while tail + math.comb(n, k) / 2 ** n <= 0.025:
        tail += math.comb(n, k) / 2 ** n
        k += 1
    return (ordered[k - 1], ordered[n - k]) if k else (ordered[0], ordered[-1])


def shown(ratios):
    """Returns the median and its interval as text."""
    low, high = interval(ratios)
    return f"{median(ratios):.3f} [{low:.3f}, {high:.3f}]"


def measure(rounds, work, name, commands, counted, at_least):
    ratios, failed, plain = {t: [] for t in commands}, {}, [work.run()]
    for i in range(rounds):
        for t, argv in commands.items():
            note(f"{name}: round {i + 1}, {t}")
            if t in failed:
                continue
            try:
                ns = traced(argv, work, counted, at_least)
            except NotMeasured as why:
                failed[t] = why
                continue
            plain.append(work.run())
            ratios[t].append(ns / ((plain[-2] + plain[-1]) / 2))
    note("")
    cells = []
    for t, got in ratios.items():
        if got:
            missed = " MISS" if t == "dtrace" and median(got) > AIM else ""
            cells.append(f"{t} {shown(got)}{missed}")
    for t in ("by hand", "by hand, accept"):
        if ratios["dtrace"] and len(ratios.get(t, [])) == len(ratios["dtrace"]):
            cells.append(f"dtrace : {t} {shown([a / b for a, b in zip(ratios['dtrace'], ratios[t])])}")
    print(f"  {name:36} untraced {median(plain):9.2f} ns   " + "   ".join(cells), flush=True)
    if failed:
        raise NotMeasured("; ".join(str(why) for why in failed.values()))


def workload(rounds, which, title, work, rows):
    wanted = [row for row in rows if which in row[0] or which in title]
    if not wanted:
        return
    print(f"\n{title}")
    work.start()
    try:
        for name, dtrace, hand, theirs, counted, at_least in wanted:
            commands = {"dtrace": dtrace}
            if hand:
                commands["by hand"] = by_hand(hand)
            if name in EXACT:
                commands["by hand, accept"] = by_hand(EXACT[name])
            if theirs:
                commands["bpftrace"] = bpftrace.commands["bpftrace"] + theirs
            if common.earlier:
                commands["earlier"] = [common.earlier] + dtrace[1:]
            attempt(f"{title}: {name}", measure, rounds, work, name, commands, counted, at_least)
    finally:
        work.end()


def run(rounds, which):
    print(f"\n(d) CPU time of the traced programs, run-time statistics off: traced : untraced, median of {rounds} "
          f"pairs [95 % interval]; bpftrace is {bpftrace.name()}; aim for dtrace <= {AIM}")
    for title, work, rows in list(jobs()):
        attempt(title, workload, rounds, which, title, work, rows)
