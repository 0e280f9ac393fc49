"""cost.py - part a: nanoseconds of run time per event, as the kernel counts them.

The tools run in turns, each alone with the same events.  The descriptors of a tool's process
lead to its programs in the kernel.  The output of each run must have the events of the
workload, so that no tool is fast because it does less.  Only an empty program and a program
with a filter have no output to check.
"""

import os
import random
import re
import signal
import subprocess
import tempfile
import time

import bpf
import bpftrace
import common
from common import DTRACE, NotMeasured, attempt, median, note, own, verdict

HAND_AIM, BPFTRACE_AIM = 1.1, 1.0
FLOOD_PACKETS = 200000
DD_BLOCKS = 300000
ROUNDS = 100000
CONNECTIONS = 10000
CPU = os.cpu_count() - 1

HERE = os.path.dirname(os.path.abspath(__file__))


class Work:
    """A workload, which makes the events."""

    events = 0
    # The cost of an event is the run time of the tracer's programs / N. If each_run is True, N is the number of runs
    # of the program that runs most. Otherwise N is the member events.
    each_run = True


class Flood(Work):
    """UDP packets over loopback. The sources are random, so two floods on a machine rarely have the same source."""

    events = FLOOD_PACKETS
    second = random.randrange(1, 255)

    @staticmethod
    def warm():
        subprocess.run([own("flood"), "-w", "-n", "10"], stdout=subprocess.DEVNULL, check=True)

    def run(self):
        sent = subprocess.run([own("flood"), "-n", str(self.events), "-c", str(CPU), "-b", str(self.second)],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
        self.sent = dict(line.split() for line in sent.splitlines())

    def check(self, counts):
        ours = {k: v for k, v in counts.items() if k.startswith((f"127.{self.second}.", f"fd{self.second:02x}:"))}
        if ours != {k: int(v) for k, v in self.sent.items()}:
            raise NotMeasured(f"it counted {sum(ours.values())} packets of {len(ours)} sources, "
                              f"{self.events} of {len(self.sent)} were sent")


def check_highest(counts, events):
    """Raises NotMeasured if the highest count is lower than the number of events."""
    highest = max(counts.values(), default=0)
    if highest < events:
        raise NotMeasured(f"its highest count is {highest}, there were {events} events")


class FloodInTotal(Flood):
    """The same packets, for programs that count without a key."""

    def check(self, counts):
        check_highest(counts, self.events)


class Reads(Work):
    """dd reads and writes one byte at a time: two system calls a block."""

    events = 2 * DD_BLOCKS

    def __init__(self, at_least):
        self.at_least = at_least

    @staticmethod
    def warm():
        os.getppid()

    @staticmethod
    def run():
        subprocess.run(["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={DD_BLOCKS}",
                        "status=none"],
                       preexec_fn=lambda: os.sched_setaffinity(0, {CPU}), check=True)

    def check(self, counts):
        check_highest(counts, self.at_least)


class Talk(Work):
    """TCP segments over loopback. The ports are random, so two runs of bench rarely have the same port. A round is a
    request and an answer."""

    events = 2 * ROUNDS
    port = random.randrange(20000, 32000)

    @staticmethod
    def warm():
        subprocess.run([own("talk"), "-w", "-n", "10"], stdout=subprocess.DEVNULL, check=True)

    def run(self):
        sent = subprocess.run([own("talk"), "-n", str(ROUNDS), "-c", str(CPU), "-p", str(self.port)],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
        self.sent = {port: int(n) for port, n in (line.split() for line in sent.splitlines())}

    def check(self, counts):
        ours = {k: v for k, v in counts.items() if k in self.sent}
        if ours != self.sent:
            raise NotMeasured(f"it counted {sum(ours.values())} bytes to {len(ours)} ports, "
                              f"{sum(self.sent.values())} were sent to {len(self.sent)}")


class Connections(Work):
    """TCP connections over loopback, which are opened, accepted and closed. The result is the cost of one event."""

    each_run = False

    def __init__(self, each, key):
        """each is the number of events of a connection. key is a pair: a key of the output (None: the key with the
        highest count), and the count that a connection adds to it."""
        self.events, self.key = CONNECTIONS * each, key

    @staticmethod
    def warm():
        subprocess.run([own("talk"), "-w", "-k", "1"], check=True)

    @staticmethod
    def run():
        subprocess.run([own("talk"), "-k", str(CONNECTIONS), "-c", str(CPU)], check=True)

    def check(self, counts):
        name, each = self.key
        got = counts.get(name, 0) if name else max(counts.values(), default=0)
        if got < CONNECTIONS * each:
            raise NotMeasured(f"it counted {got}, there were {CONNECTIONS * each}")


def script(name):
    """Returns bpftrace's arguments for a script of bench/hand."""
    with open(os.path.join(HERE, "hand", name), encoding="ascii") as f:
        return ["-e", f.read()]


ENTER = "tracepoint:raw_syscalls:sys_enter"
SET_STATE = "tracepoint:sock:inet_sock_set_state /args->protocol == 6"
JOBS = [
    # Name, workload, program for dtrace, programs written by hand (the second one is attached to another hook),
    # empty program, arguments for bpftrace.
    ("ip:::receive @[saddr]=count()", Flood(),
     "ip:::receive { @[args[2]->ip_saddr] = count(); }", ["receive:receive"], "empty_receive",
     script("receive.bt")),
    ("ip:::receive @=count()", FloodInTotal(),
     "ip:::receive { @ = count(); }", ["receive:receive_all"], "empty_receive",
     [re.sub(r"@\[[^\n]*\]", "@", arg) for arg in script("receive.bt")]),
    ("sys_enter @=count()", Reads(2 * DD_BLOCKS),
     "rawtp:::sys_enter { @ = count(); }", ["count"], "empty_sys_enter",
     ["-e", ENTER + " { @ = count(); }"]),
    ("sys_enter @[pid]=count()", Reads(2 * DD_BLOCKS),
     "rawtp:::sys_enter { @[pid] = count(); }", ["pid"], "empty_sys_enter",
     ["-e", ENTER + " { @[pid] = count(); }"]),
    ("sys_enter @[execname]=count()", Reads(2 * DD_BLOCKS),
     "rawtp:::sys_enter { @[execname] = count(); }", ["execname"], "empty_sys_enter",
     ["-e", ENTER + " { @[comm] = count(); }"]),
    ("sys_enter @=quantize(arg1)", Reads(DD_BLOCKS),
     "rawtp:::sys_enter { @ = quantize(arg1); }", ["quantize"], "empty_sys_enter",
     ["-e", ENTER + " { @ = hist(args->id); }"]),
    # Here the program written by hand is also in D. It uses the hook without a provider, and looks up no name.
    ("syscall:::entry @[probefunc]=count()", Reads(DD_BLOCKS),
     "syscall:::entry { @[probefunc] = count(); }",
     ["rawtp:::sys_enter { @[args[1]] = count(); }"], "empty_sys_enter",
     ["-e", ENTER + " { @[args->id] = count(); }"]),
    ("tcp:::send @[dport]=sum(bytes)", Talk(),
     "tcp:::send { @[args[4]->tcp_dport] = sum(args[2]->ip_plength - args[4]->tcp_offset); }",
     ["send:send_egress", "send:send_queue"], "empty_queue", script("send.bt")),
    ("tcp:::accept-established @=count()", Connections(1, (None, 1)),
     "tcp:::accept-established { @ = count(); }",
     ["states:accept_op", "states:accept_state"], "empty_state",
     ["-e", SET_STATE + " && args->oldstate == 3 && args->newstate == 1/ { @ = count(); }"]),
    ("tcp:::state-change @[state]=count()", Connections(10, ("1", 2)),
     "tcp:::state-change { @[args[3]->tcps_state] = count(); }",
     ["states:state_change"], "empty_state",
     ["-e", SET_STATE + "/ { @[args->newstate] = count(); }"]),
]


def counts_in(output):
    """Returns {key: count} for the output of any tool, whose lines have the key first and the count last."""
    counts = {}
    for line in output.splitlines():
        line = re.sub(r"\|@* *\|?", " ", line)
        numbers = re.findall(r"(?<![\w.:])\d+(?![\w.:])", line)
        if numbers and not re.search("ERROR|WARNING", line):
            key = re.sub(r"^@\w*\[(.*)\]:.*", r"\1", line.strip()).split()[0]
            counts[key] = int(numbers[-1])
    return counts


class Tool:
    """A running tracer."""

    def __init__(self, argv):
        self.argv = argv
        self.out = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(argv, stdout=self.out, stderr=subprocess.STDOUT)

    def output(self):
        self.out.seek(0)
        return self.out.read()

    def programs(self):
        if self.process.poll() is not None:
            raise NotMeasured(f"'{' '.join(self.argv)[:200]}' ended by itself: "
                              f"{self.output().strip()[-600:]}")
        return bpf.programs_of(self.process.pid)

    def wait_ready(self, warm):
        """Waits until the programs run, and a little longer, because dtrace enables recording last."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            warm()
            if any(p.run_cnt for p in self.programs()):
                time.sleep(0.4)
                return
            time.sleep(0.05)
        raise NotMeasured(f"'{' '.join(self.argv)}' ran no program within 20 s")

    def stop(self):
        """Ends the tool with SIGINT if possible, otherwise with a stronger signal."""
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is not None:
                break
            self.process.send_signal(sig)
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                pass
        return self.output()


class Sample:
    """The result of one run: nanoseconds per event, and the length of the programs."""

    def __init__(self, before, after, work):
        old = {p.id: p for p in before}
        ran = [(p, p.run_time_ns - old[p.id].run_time_ns, p.run_cnt - old[p.id].run_cnt)
               for p in after if p.id in old and p.run_cnt > old[p.id].run_cnt]
        seen = max((cnt for _, _, cnt in ran), default=0)
        if seen < work.events:
            raise NotMeasured(f"its programs ran {seen} times for {work.events} events")
        self.named = {p.name: ns / cnt for p, ns, cnt in ran}
        self.parts = [ns / (seen if work.each_run else work.events) for _, ns, _ in ran]
        self.ns = sum(self.parts)
        self.insns = sum(p.insns for p, _, _ in ran)
        self.jited_bytes = sum(p.jited_bytes for p, _, _ in ran)


def sample(argv, work, checked):
    tool = Tool(argv)
    try:
        tool.wait_ready(work.warm)
        before = tool.programs()
        work.run()
        after = tool.programs()
    finally:
        output = tool.stop()
    if checked:
        try:
            work.check(counts_in(output))
        except NotMeasured as why:
            raise NotMeasured(f"'{' '.join(argv)[:200]}': {why}\n{output[-300:]}") from why
    return Sample(before, after, work)


def by_hand(spec):
    """Returns the command for FILE, FILE:PROGRAM,PROGRAM... or a D program that counts the same in another way."""
    if "{" in spec:
        return [DTRACE, "-q", "-n", spec]
    file, _, program = spec.partition(":")
    return [own("hand"), own(file + ".bpf.o")] + (program.split(",") if program else [])


def job(rounds, name, work, text, hands, empty, theirs):
    tools = {
        "floor": by_hand("empty:" + empty),
        "hand": by_hand(hands[0]),
        "dtrace": [DTRACE, "-q", "-n", text],
    }
    tools.update({release: command + theirs for release, command in bpftrace.commands.items()})
    if common.earlier:
        tools["earlier"] = [common.earlier, "-q", "-n", text]
    for spec in hands[1:]:
        tools[spec.partition(":")[2]] = by_hand(spec)
    samples = {t: [] for t in tools}
    failed = {}
    for i in range(rounds):
        for t, argv in tools.items():
            note(f"{name}: round {i + 1}, {t}")
            if t not in failed:
                try:
                    samples[t].append(sample(argv, work, t != "floor"))
                except NotMeasured as why:
                    failed[t] = why
    note("")
    print_job(name, samples)
    if failed:
        raise NotMeasured("; ".join(str(why) for why in failed.values()))


# The last sample of each tool, by the name of the job.
measured = []


def print_instructions():
    """Prints a table for docs/bench.md: for each job the programs that ran, and their instructions."""
    tools = ["hand", "dtrace"] + list(bpftrace.commands) + (["earlier"] if common.earlier else [])
    print("\ninstructions of the programs that ran, as the verifier left them, and number of programs")
    print("| job | " + " | ".join(tools) + " |")
    print("|---" * (len(tools) + 1) + "|")
    for name, last in measured:
        print(f"| `{name}` | " + " | ".join(
            f"{last[t].insns} in {len(last[t].parts)}" if t in last else "-" for t in tools) + " |", flush=True)


def print_job(name, samples):
    measured.append((name, {t: got[-1] for t, got in samples.items() if got}))
    ns = {t: [s.ns for s in got] for t, got in samples.items() if got}
    print(f"\n{name}")
    for t, got in ns.items():
        last = samples[t][-1]
        print(f"  {t:12} median {median(got):7.1f}   min {min(got):7.1f}   "
              f"{last.insns:4} instructions, {last.jited_bytes:5} bytes of machine code"
              + (f"   last: {' + '.join(f'{ns:.1f}' for ns in last.parts)}" if len(last.parts) > 1
                 else ""))
    for other, aim in (("hand", HAND_AIM), ("bpftrace", BPFTRACE_AIM)):
        if other in ns and "dtrace" in ns:
            ratio = median(ns["dtrace"]) / median(ns[other])
            print(f"  dtrace : {other:9} {verdict(ratio, aim)}   by minima "
                  f"{min(ns['dtrace']) / min(ns[other]):.3f}")
    for other in ns.keys() - {"floor", "hand", "dtrace", "bpftrace"}:
        if "dtrace" in ns:
            print(f"  dtrace : {other:12} {median(ns['dtrace']) / median(ns[other]):.3f}   by minima "
                  f"{min(ns['dtrace']) / min(ns[other]):.3f}")
    if "hand" in ns and "bpftrace" in ns:
        ratio = median(ns["hand"]) / median(ns["bpftrace"])
        print(f"  hand : bpftrace    {ratio:6.3f}", flush=True)


SEND = "tcp:::send { @[args[4]->tcp_dport] = sum(args[2]->ip_plength - args[4]->tcp_offset); }"
FILTERS = ["lport=1", "port=1", "addr=198.51.100.1", "pid=1", "execname=nobody-is-named-so"]
LEFT_OUT_AIM = 15


def left_out(rounds):
    """Prints the cost of a packet without a filter, and the cost of a packet that a filter rejects, each minus the cost
    of an empty program at the same hook."""
    tools = {"floor": by_hand("empty:empty_egress"), "no filter": [DTRACE, "-q", "-n", SEND]}
    tools.update({f: [DTRACE, "-q", "-x", f, "-n", SEND] for f in FILTERS})
    least, work = {}, Talk()
    for i in range(rounds):
        for t, argv in tools.items():
            note(f"filters: round {i + 1}, {t}")
            named = sample(argv, work, False).named
            ns = named.get("dt_egress", named.get("empty_egress", 0))
            least[t] = min(ns, least.get(t, ns))
    note("")
    print("\ntcp:::send, segments that a filter leaves out: ns above an empty program at the same hook, by minima")
    for t in list(tools)[1:]:
        over = least[t] - least["floor"]
        print(f"  {t:18} {over:6.1f}" + (f" (aim <= {LEFT_OUT_AIM}) {'ok' if over <= LEFT_OUT_AIM else 'MISS'}"
                                         if t in FILTERS else ""), flush=True)


def run(rounds, which):
    print(f"\n(a) run time per event, ns, {rounds} rounds in turns; nothing subtracted, "
          f"floor = an empty program on the same hook; bpftrace is {bpftrace.name()}")
    fd = attempt("run-time statistics", bpf.enable_stats)
    if fd is None:
        return
    for row in JOBS:
        if which in row[0]:
            attempt(row[0], job, rounds, *row)
    print_instructions()
    if which in "filters":
        attempt("filters", left_out, max(rounds, 5))
    os.close(fd)
