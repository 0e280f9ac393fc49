"""start.py - part b: time and memory of a tracer that ends at its first event, from its start to its end."""

import subprocess

import bpftrace
import common
from common import DTRACE, NotMeasured, attempt, median, note, own, timed, verdict

TIME_AIM, MEMORY_AIM = 0.1, 0.25

# A bpftrace program that selects the packets of ip:::receive.  %s is its action.
RECEIVE = """tracepoint:net:netif_receive_skb {
    $skb = (struct sk_buff *)args->skbaddr;
    if ($skb->pkt_type != 3 && ($skb->dev->priv_flags & 0x200) == 0 &&
        ($skb->protocol == 0x0008 || $skb->protocol == 0xdd86)) { %s; } }"""

JOBS = [
    # Name, whether the tracer needs packets, program for dtrace, program for bpftrace.
    ("BEGIN, then exit", False, "BEGIN { exit(0); }", "BEGIN { exit(); }"),
    ("count packets, exit at the first 1 ms tick", False,
     "ip:::receive { @ = count(); } tick-1ms { exit(0); }",
     RECEIVE % "@ = count()" + " interval:ms:1 { exit(); }"),
    # dtrace knows the owner of each socket. bpftrace does not, and counts by the current process.
    ("count segments by owner, exit at the first 1 ms tick", False,
     "tcp:::send { @[args[1]->cs_pid] = count(); } tick-1ms { exit(0); }",
     "tracepoint:net:net_dev_queue { @[pid] = count(); } interval:ms:1 { exit(); }"),
    ("exit at the first packet (one comes every 0.2 ms)", True,
     "ip:::receive { exit(0); }", RECEIVE % "exit()"),
]


def job(rounds, name, packets, script, theirs):
    tools = {"dtrace": [DTRACE, "-q", "-n", script]}
    tools.update({release: command + ["-e", theirs] for release, command in bpftrace.commands.items()})
    if common.earlier:
        tools["earlier"] = [common.earlier, "-q", "-n", script]
    costs = {t: [] for t in tools}
    flood = None
    if packets:
        flood = subprocess.Popen([own("flood"), "-n", "100000000", "-i", "150"],
                                 stdout=subprocess.DEVNULL)
    try:
        for i in range(rounds):
            for t, argv in tools.items():
                note(f"{name}: round {i + 1}, {t}")
                costs[t].append(timed(argv))
    finally:
        if flood:
            flood.terminate()
            flood.wait()
    if packets and flood.returncode != -15:
        raise NotMeasured("the packets ended early")
    note("")
    print_job(name, costs)


def print_job(name, costs):
    def middle(tool, what):
        return median(getattr(c, what) for c in costs[tool])

    def ratio(what, other="bpftrace"):
        return middle("dtrace", what) / middle(other, what)

    print(f"\n{name}")
    for t, got in costs.items():
        print(f"  {t:13} wall {middle(t, 'wall') * 1000:7.1f} ms "
              f"(min {min(c.wall for c in got) * 1000:.1f})   cpu {middle(t, 'cpu') * 1000:7.1f} ms"
              f"   memory {middle(t, 'rss_mib'):6.1f} MiB")
    print(f"  dtrace : bpftrace  time {verdict(ratio('wall'), TIME_AIM)}   "
          f"memory {verdict(ratio('rss_mib'), MEMORY_AIM)}", flush=True)
    if "earlier" in costs:
        print(f"  dtrace : earlier   time {ratio('wall', 'earlier'):6.3f}   memory {ratio('rss_mib', 'earlier'):6.3f}",
              flush=True)


def run(rounds):
    print(f"\n(b) start-up: the whole life of the process, medians of {rounds} rounds in turns")
    for row in JOBS:
        attempt(row[0], job, rounds, *row)
