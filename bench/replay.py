"""replay.py - part c: counting a capture file's packets by source.

CPU time decides: it is what a busy machine has less of, and wall time depends on
who else runs.  tcpdump and tshark read the first part of the same file, being too
slow for all of it; their cost is start-up + packets x the slope between that slice
and an empty file.
"""

import os
import shutil
import subprocess

from common import DTRACE, OUT, NotMeasured, attempt, median, note, own, timed, verdict, verdict_times

SCRIPT = "ip:::receive { @[args[2]->ip_saddr] = count(); }"
LIBPCAP_AIM, TCPDUMP_AIM, TSHARK_AIM = 1.0, 10, 40
TCPDUMP_SLICE, TSHARK_SLICE = 10, 40
TCPDUMP, TSHARK = ["tcpdump", "-nn", "-r"], ["tshark", "-n", "-q", "-z", "endpoints,ip", "-r"]
LONGER = 4
BYTES_PER_PACKET = 500  # a little more than genpcap's average


def generate(name, packets):
    """The first packets of the traffic, as a file."""
    path = own(f"{name}.{packets}.pcap")
    if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(own("genpcap")):
        return path
    free = shutil.disk_usage(OUT).free
    if free < 2 * packets * BYTES_PER_PACKET:
        raise NotMeasured(f"{packets} packets need {packets * BYTES_PER_PACKET >> 20} MiB, "
                          f"and as much again left over; {free >> 20} MiB are free in {OUT}")
    note(f"writing {packets} packets")
    subprocess.run([own("genpcap"), "-n", str(packets), path + ".part"], check=True)
    os.rename(path + ".part", path)
    return path


def counts_of(argv):
    """{source: packets} of a counting program's output."""
    out = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True, timeout=300).stdout
    return {fields[0]: int(fields[1]) for fields in map(str.split, out.splitlines()) if len(fields) == 2}


def dtrace(path):
    return [DTRACE, "-q", "-r", path, "-n", SCRIPT]


def check_agreement(path, packets):
    """Nobody is fast by counting less."""
    ours, theirs = counts_of(dtrace(path)), counts_of([own("pcapcount"), path])
    if sum(theirs.values()) != packets:
        raise NotMeasured(f"pcapcount counted {sum(theirs.values())} of {packets} packets")
    if ours != theirs:
        wrong = sorted(k for k in ours.keys() | theirs.keys() if ours.get(k) != theirs.get(k))
        raise NotMeasured(f"dtrace and pcapcount differ in {len(wrong)} of {len(theirs)} sources, "
                          f"{wrong[0]}: {ours.get(wrong[0])}, {theirs.get(wrong[0])}")
    print(f"  dtrace and pcapcount agree on all {len(theirs)} sources")


class Row:
    """A program's costs, scaled to the whole file."""

    def __init__(self, name, argv, packets, whole):
        self.name, self.argv, self.packets, self.whole = name, argv, packets, whole
        self.costs = []

    def scaled(self, what, empty):
        """CPU or wall seconds for the whole file; empty is the start-up's cost."""
        got = median(getattr(c, what) for c in self.costs)
        if self.packets == self.whole:
            return got
        fixed = getattr(empty, what)
        return fixed + (got - fixed) * self.whole / self.packets


def measure(rows, rounds):
    for i in range(rounds):
        for row in rows:
            note(f"round {i + 1}, {row.name}")
            row.costs.append(timed(row.argv))
    note("")


def print_rows(rows, empty):
    ours = rows[0].scaled("cpu", None)
    for row in rows:
        cpu, wall = row.scaled("cpu", empty.get(row.name)), row.scaled("wall", empty.get(row.name))
        slice_of = row.whole // row.packets
        print(f"  {row.name:24} cpu {cpu:8.3f} s  wall {wall:8.3f} s  {row.whole / cpu / 1e6:6.2f} Mpkt/s of cpu  "
              f"{cpu / row.whole * 1e9:7.0f} ns/pkt  {median(c.rss_mib for c in row.costs):6.1f} MiB  "
              f"{cpu / ours:5.1f}x" + (f"  (scaled from 1/{slice_of} of the packets)" if slice_of > 1 else ""))


def throughput(rounds, packets, path):
    tcpdump_file = generate("bench", packets // TCPDUMP_SLICE)
    tshark_file = generate("bench", packets // TSHARK_SLICE)
    empty_file = generate("bench", 0)
    tshark = ["tshark", "-n", "-q", "-z", "endpoints,ip", "-r"]
    rows = [
        Row("dtrace", dtrace(path), packets, packets),
        Row("libpcap + hash", [own("pcapcount"), path], packets, packets),
        Row("libpcap, large buffer", [own("pcapcount"), "-b", path], packets, packets),
        Row("tcpdump -nn", ["tcpdump", "-nn", "-r", tcpdump_file], packets // TCPDUMP_SLICE, packets),
        Row("tshark -z endpoints,ip", tshark + [tshark_file], packets // TSHARK_SLICE, packets),
    ]
    empty = {"tcpdump -nn": timed(["tcpdump", "-nn", "-r", empty_file]),
             "tshark -z endpoints,ip": timed(tshark + [empty_file])}
    for row in rows:
        timed(row.argv)  # the file into the page cache, the programs too
    measure(rows, rounds)
    print_rows(rows, empty)
    cpu = [row.scaled("cpu", empty.get(row.name)) for row in rows]
    print(f"  dtrace : libpcap + hash, cpu  {verdict(cpu[0] / cpu[1], LIBPCAP_AIM)}   "
          f"(large buffer: {cpu[0] / cpu[2]:.2f})")
    print(f"  cheaper than tcpdump          {verdict_times(cpu[3] / cpu[0], TCPDUMP_AIM)}")
    print(f"  cheaper than tshark           {verdict_times(cpu[4] / cpu[0], TSHARK_AIM)}", flush=True)


def memory(packets, path):
    """The longer capture comes through a pipe: no need to store it."""
    short = timed(dtrace(path))
    note(f"replaying {packets * LONGER} packets from a pipe")
    with subprocess.Popen([own("genpcap"), "-n", str(packets * LONGER), "-"], stdout=subprocess.PIPE) as source:
        try:
            long = timed(dtrace("-"), stdin=source.stdout)
        finally:
            source.stdout.close()
    if source.returncode:
        raise NotMeasured(f"genpcap ended with status {source.returncode}")
    note("")
    print(f"  dtrace's memory: {short.rss_mib:.1f} MiB for {packets} packets, {long.rss_mib:.1f} MiB for "
          f"{packets * LONGER}: {verdict(long.rss_mib / short.rss_mib, 1.1)}", flush=True)


def run(rounds, packets):
    print(f"\n(c) replay: packets per source of {packets} packets, medians of {rounds} rounds in turns")
    path = attempt("capture", generate, "bench", packets)
    if path is None:
        return
    attempt("agreement", check_agreement, path, packets)
    attempt("throughput", throughput, rounds, packets, path)
    attempt("memory", memory, packets, path)
