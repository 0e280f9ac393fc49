"""replay.py - part c: the cost of counting a capture's packets by source, and of following its connections.

The aims are for CPU time, because wall time depends on the other programs of a machine.  tcpdump
and tshark are too slow for the whole file, so they read its first part.  If this part has n packets,
their cost for N packets is T(0) + N * (T(n) - T(0)) / n.
"""

import os
import shutil
import subprocess
import time

from common import (DTRACE, OUT, NotMeasured, attempt, median, note, own, timed, verdict,
                    verdict_times)

SCRIPT = "ip:::receive { @[args[2]->ip_saddr] = count(); }"
PLAIN = "tcp:::receive { @ = count(); }"
LOOKING = "tcp:::receive { @ = sum(args[3]->tcps_snxt); }"
FOLLOWING = {"tcp:::state-change": "tcp:::state-change { @ = count(); }",
             "a look at the socket": LOOKING}
ONE_PROCESS = ["-x", "jobs=1"]  # so that the CPU time of the process covers the whole replay
FEW_FLOWS, MANY_FLOWS = 1000, 200000
LIBPCAP_AIM, TCPDUMP_AIM, TSHARK_AIM, MEMORY_AIM = 0.45, 10, 40, 1.1
FOLLOWING_AIM, TWO_CORES_AIM = 1.35, 1 / 1.7
COPIES_AIM, COPIES_ROUNDS = 0.97, 9
MANY_FLOWS_AIM, MANY_FLOWS_ROUNDS = 2, 7
TCPDUMP_SLICE, TSHARK_SLICE = 10, 40
TCPDUMP, TSHARK = ["tcpdump", "-nn", "-r"], ["tshark", "-n", "-q", "-z", "endpoints,ip", "-r"]
LONGER = 4
BYTES_PER_PACKET = 500  # more than genpcap's average, which is some 390


def cache_in_large_pieces(path):
    """Makes the page cache read the file again.  After writing, each page is a separate piece of
    the cache, and read(2) costs twice as much as for a capture from disk."""
    with open(path, "rb") as f:
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while f.read(1 << 20):
            pass


def generate(name, packets, *options):
    """Writes the first packets of the traffic to a file, unless it exists, and returns its path."""
    path = own(f"{name}.{packets}.pcap")
    if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(own("genpcap")):
        return path
    free = shutil.disk_usage(OUT).free
    if free < 2 * packets * BYTES_PER_PACKET:
        raise NotMeasured(f"{packets} packets need {packets * BYTES_PER_PACKET >> 20} MiB, and "
                          f"twice as much must be free; {free >> 20} MiB are free in {OUT}")
    note(f"writing {packets} packets")
    subprocess.run([own("genpcap"), "-n", str(packets), *options, path + ".part"], check=True)
    cache_in_large_pieces(path + ".part")
    os.rename(path + ".part", path)
    return path


def counts_of(argv):
    """Returns {source: packets} for the output of a counting program."""
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    lines = (line.split() for line in done.stdout.splitlines())
    return {fields[0]: int(fields[1]) for fields in lines if len(fields) == 2}


def dtrace(path, script=SCRIPT, *options):
    return [DTRACE, "-q", "-r", path, *ONE_PROCESS, *options, "-n", script]


def check_agreement(path, packets):
    """Raises NotMeasured unless pcapcount counts all packets, and dtrace the same for each source."""
    ours, theirs = counts_of(dtrace(path)), counts_of([own("pcapcount"), path])
    if sum(theirs.values()) != packets:
        raise NotMeasured(f"pcapcount counted {sum(theirs.values())} of {packets} packets")
    if ours != theirs:
        wrong = sorted(k for k in ours.keys() | theirs.keys() if ours.get(k) != theirs.get(k))
        raise NotMeasured(f"dtrace and pcapcount differ in {len(wrong)} of {len(theirs)} sources, "
                          f"{wrong[0]}: {ours.get(wrong[0])}, {theirs.get(wrong[0])}")
    print(f"  dtrace and pcapcount agree on all {len(theirs)} sources")


class Row:
    """A program that reads a part of the capture, and the program's cost scaled to the whole capture."""

    def __init__(self, name, argv, whole, part=1, idle=None):
        """The program reads 1/part of the packets. idle is the same program with an empty capture as its input."""
        self.name, self.argv, self.whole, self.part, self.idle = name, argv, whole, part, idle
        self.costs = []
        self.fixed = None

    def measure(self):
        self.costs.append(timed(self.argv))

    def seconds(self, what):
        got = median(getattr(c, what) for c in self.costs)
        if self.part == 1:
            return got
        fixed = getattr(self.fixed, what)
        return fixed + (got - fixed) * self.part

    def print(self, ours):
        cpu = self.seconds("cpu")
        print(f"  {self.name:22} cpu {cpu:8.3f} s  wall {self.seconds('wall'):8.3f} s  "
              f"{self.whole / cpu / 1e6:6.2f} Mpkt/s  {cpu / self.whole * 1e9:6.0f} ns/pkt  "
              f"{median(c.rss_mib for c in self.costs):6.1f} MiB  {cpu / ours:6.2f}"
              + (f"  (scaled from 1/{self.part} of the packets)" if self.part > 1 else ""))


def contenders(packets, path):
    def sliced(name, argv, part):
        return Row(name, argv + [generate("bench", packets // part)], packets, part,
                   argv + [generate("bench", 0)])

    return [
        Row("dtrace", dtrace(path), packets),
        Row("libpcap + hash", [own("pcapcount"), path], packets),
        Row("libpcap, large buffer", [own("pcapcount"), "-b", path], packets),
        sliced("tcpdump -nn", TCPDUMP, TCPDUMP_SLICE),
        sliced("tshark -z endpoints,ip", TSHARK, TSHARK_SLICE),
    ]


def throughput(rounds, packets, path):
    rows = contenders(packets, path)
    for row in rows:
        timed(row.argv)  # loads the programs and their files into the page cache
        if row.idle:
            row.fixed = timed(row.idle)
    for i in range(rounds):
        for row in rows:
            note(f"round {i + 1}, {row.name}")
            row.measure()
    note("")
    cpu = [row.seconds("cpu") for row in rows]
    print(f"  {'':84}cpu : dtrace's")
    for row in rows:
        row.print(cpu[0])
    print(f"  dtrace : libpcap + hash, cpu  {verdict(cpu[0] / cpu[1], LIBPCAP_AIM)}   "
          f"(large buffer: {cpu[0] / cpu[2]:.3f})")
    print(f"  cheaper than tcpdump          {verdict_times(cpu[3] / cpu[0], TCPDUMP_AIM)}")
    print(f"  cheaper than tshark           {verdict_times(cpu[4] / cpu[0], TSHARK_AIM)}",
          flush=True)


def memory(packets, path):
    """Reads the longer capture through a pipe, so that it need not be stored."""
    few, many = packets, packets * LONGER
    note(f"replaying {many} packets from a pipe")
    argv = [own("genpcap"), "-n", str(many), "-"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as source:
        try:
            long = timed(dtrace("-"), stdin=source.stdout)
        finally:
            source.stdout.close()
    if source.returncode:
        raise NotMeasured(f"genpcap ended with status {source.returncode}")
    short = timed(dtrace(path))
    note("")
    print(f"  dtrace's memory: {short.rss_mib:.1f} MiB for {few} packets, {long.rss_mib:.1f} MiB "
          f"for {many}:  {verdict(long.rss_mib / short.rss_mib, MEMORY_AIM)}", flush=True)


def following(rounds, packets, path):
    """Measures the cost of following TCP connections: compares scripts that need this with a count of segments, which
    does not."""
    rows = [Row("tcp:::receive", dtrace(path, PLAIN), packets)]
    rows += [Row(name, dtrace(path, script), packets) for name, script in FOLLOWING.items()]
    for i in range(rounds):
        for row in rows:
            note(f"round {i + 1}, {row.name}")
            row.measure()
    note("")
    plain = rows[0].seconds("cpu")
    print(f"  following TCP connections, without key {'':44}cpu : tcp:::receive's")
    for row in rows:
        row.print(plain)
    for row in rows[1:]:
        print(f"  {row.name + ' : plain, cpu':40} {verdict(row.seconds('cpu') / plain, FOLLOWING_AIM)}",
              flush=True)


def time_of_copies(argv, n):
    """Returns the seconds that n copies of a command need if they run at the same time."""
    began = time.monotonic()
    copies = [subprocess.Popen(argv, stdout=subprocess.DEVNULL) for _ in range(n)]
    statuses = [c.wait() for c in copies]
    if any(statuses):
        raise NotMeasured("a copy of dtrace failed")
    return time.monotonic() - began


def two_cores(rounds, path):
    """Compares the elapsed time of two processes that share the work with that of one process, and with half the time
    of two copies, which both do the whole work. The result is only useful on an idle machine."""
    one, two, copies = [], [], []
    for i in range(max(rounds, COPIES_ROUNDS)):
        note(f"round {i + 1}, one and two processes, two copies")
        one.append(timed(dtrace(path)).wall)
        two.append(timed(dtrace(path, SCRIPT, "-x", "jobs=2")).wall)
        copies.append(time_of_copies(dtrace(path), 2))
    note("")
    print(f"  two processes : one, wall     {verdict(median(two) / median(one), TWO_CORES_AIM)}")
    of_copies = [c / 2 / t for c, t in zip(copies, two)]
    print(f"  two processes : two copies, throughput {median(of_copies):.2f} (aim >= {COPIES_AIM}; "
          f"runs {min(of_copies):.2f} to {max(of_copies):.2f})", flush=True)


def many_connections(rounds, packets):
    """Compares a look at the socket with many and with few connections, by CPU time. Prints the memory of a connection:
    (memory for MANY - memory for FEW) / (MANY - FEW) connections. All runs keep all connections."""
    keep = ["-x", f"conns={2 * MANY_FLOWS}"]
    looks = {}
    for sources in (FEW_FLOWS, MANY_FLOWS):
        path = generate(f"flows{sources}", packets // 2, "-s", str(sources), "-z", "0")
        flows = len(counts_of(dtrace(path, "tcp:::receive { @[args[2]->ip_saddr] = count(); }")))
        looks[flows] = (Row(f"{flows} connections", dtrace(path, LOOKING, *keep), packets // 2),
                        timed(dtrace(path, PLAIN, *keep)).rss_mib)
    for i in range(max(rounds, MANY_FLOWS_ROUNDS)):
        for row, _ in looks.values():
            note(f"round {i + 1}, {row.name}")
            row.measure()
    note("")
    few, many = sorted(looks)
    cpu, used = [], []
    for row, plain_mib in (looks[few], looks[many]):
        mib = median(c.rss_mib for c in row.costs)
        cpu.append(row.seconds("cpu"))
        used.append(mib - plain_mib)
        print(f"  {row.name:22} cpu {cpu[-1]:8.3f} s  {mib:6.1f} MiB, not followed {plain_mib:.1f} MiB")
    print(f"  many connections : few, cpu   {verdict(cpu[1] / cpu[0], MANY_FLOWS_AIM)}")
    print(f"  memory of a connection: {(used[1] - used[0]) * 1048576 / (many - few):.0f} bytes", flush=True)


def run(rounds, packets):
    print(f"\n(c) replay: packets per source of {packets} packets, medians of {rounds} rounds "
          "in turns")
    path = attempt("capture", generate, "bench", packets)
    if path is None:
        return
    attempt("agreement", check_agreement, path, packets)
    attempt("throughput", throughput, rounds, packets, path)
    attempt("memory", memory, packets, path)
    attempt("following", following, rounds, packets, path)
    attempt("two cores", two_cores, rounds, path)
    attempt("many connections", many_connections, rounds, packets)
