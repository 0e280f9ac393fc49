# The counts of softirqs equal those of a log of all events. The test delays some waits and some
# runs by a known time. Their times are within 10 % of it, and -x slower= shows only these waits and
# runs.
. "$(dirname "$0")/../lib.bash"
need python3

pair c s 10.188.0
ip -n c neigh replace 10.188.0.2 lladdr "$(mac s vs)" nud permanent dev vc
cat >"$T/send.py" <<'END'
import socket
import sys
import time

u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(int(sys.argv[1])):
    u.sendto(b"d" * int(sys.argv[3]), ("10.188.0.2", 7940))
    time.sleep(float(sys.argv[2]))
END
# Nobody answers, so that only one packet is delayed at a time.
in_ns s setpriv --pdeathsig KILL python3 -c 'import socket, time
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(("10.188.0.2", 7940))
print("ready", flush=True)
time.sleep(3600)' >"$T/receiver" &
for ((i = 0; i < 600; i++)); do
	grep -qs ready "$T/receiver" && break
	sleep 0.05
done
script=$(realpath "$LIVE/../../scripts")/softirqs.d

# ------------------------------------------------------------- known delays

# A packet raises NET_RX before net:::xmit-done, and softirqs run only after this probe. net:::rx
# fires in the handler. Other tests may have devices with the same names.
DELAYS='
	inline int SENT = args[3]->if_ipstack == '"$(inum c)"' && args[4]->xmit_length > 1000;
	inline int CAME = args[3]->if_ipstack == '"$(inum s)"' && args[4]->net_length > 1000;
	net:::xmit-done /SENT/ { this->t = timestamp; chill(40000000); }
	net:::xmit-done /SENT/ { printf("wait %d\n", timestamp - this->t); }
	net:::rx /CAME/ { this->t = timestamp; chill(20000000); }
	net:::rx /CAME/ { printf("run %d\n", timestamp - this->t); }'
dt_start slow -x footer -x slower=15ms -s "$script"
dt_start delays -x footer -w -n "$DELAYS"
in_ns c python3 "$T/send.py" 10 0.3 1200
in_ns c python3 "$T/send.py" 50 0.005 100 # not delayed, so -x slower leaves these packets out
settled c s
dt_stop delays
dt_stop slow
lossless slow
lossless delays
mean() {
	awk -v kind="$1" '$1 == kind { n++; sum += $2 } END { print n, int(sum / n) }' "$T/delays.out"
}
same 'number of delayed waits and delayed runs' '10 10' "$(mean wait | cut -d ' ' -f 1) $(mean run | cut -d ' ' -f 1)"
# near COUNT MEAN WANTED: prints whether the count is 10 to 12, and whether the mean is within 10 %
# of WANTED
near() {
	awk -v count="$1" -v mean="$2" -v want="$3" 'BEGIN {
		print (count >= 10 && count <= 12), (mean > want * 0.9 && mean < want * 1.1) }'
}
# The columns are SOFTIRQ RUNS TOTAL(us) MEAN(ns) MAX(ns) RAISED WAIT(ns) MAX(ns).
read -r _ runs total run _ raised wait _ < <(grep '^NET_RX  *[0-9]' "$T/slow.out")
want=$(mean run)
same 'count and mean of the runs' '1 1' "$(near "$runs" "$run" "${want#* }")" ": $runs runs of $run ns, wanted $want"
same 'the total time of the runs equals their number times the mean' 1 "$((total >= runs * run / 1000 - 1 && total <= (runs * run + runs) / 1000 + 1))" ''
want=$(mean wait)
same 'count and mean of the waits' '1 1' "$(near "$raised" "$wait" "${want#* }")" ": $raised waits of $wait ns, wanted $want"
same 'histogram of waits' 1 "$(awk '/^NET_RX, wait/ { of = 1 } /^$/ { of = 0 } of && $1 == 33554432 && $NF >= 10 { n++ } END { print n }' "$T/slow.out")"

# ---------------------------------------------------------- a log of events

# One dtrace runs the script and the log, so both see the same events. During a delay, a vector is
# raised several times before it runs.
log_events() {
	dt_start log -x footer -x bufsize=16m -x aggsize=16m -s "$script" cpu -n '
		rawtp:::softirq_raise { printf("L %d %d raise %d\n", timestamp, cpu, args[0]); }
		rawtp:::softirq_entry { printf("L %d %d entry %d\n", timestamp, cpu, args[0]); }
		rawtp:::softirq_exit { printf("L %d %d exit %d\n", timestamp, cpu, args[0]); }'
	in_ns c python3 "$T/send.py" 300 0.003 100
	dt_start more -w -n "$DELAYS"
	in_ns c python3 "$T/send.py" 8 0.3 1200
	dt_stop more
	dt_stop log
	lossless log
}
cat >"$T/check.py" <<'END'
import collections
import sys

names = "HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU".split()
events, table = [], {}
for line in open(sys.argv[1]):
    f = line.split()
    if line.startswith("L "):
        events.append((int(f[1]), int(f[2]), f[3], names[int(f[4])]))
    elif len(f) == 9 and f[0] in names and f[1].isdigit():
        table[f[0], int(f[1])] = [int(x) for x in f[2:]]
events.sort()
pending, entered = {}, {}
waits, runs = collections.defaultdict(list), collections.defaultdict(list)
again = nested = 0
for at, cpu, kind, name in events:
    key = name, cpu
    if kind == "raise":
        again += key in pending
        nested += key in entered
        pending.setdefault(key, at)
    elif kind == "entry":
        if key in pending:
            waits[key].append(at - pending.pop(key))
        entered[key] = at
    elif key in entered:
        runs[key].append(at - entered.pop(key))


def close(got, want, least=30000):
    """Returns True for times at most 10 % or 30 us apart: the log and the script add to each other's times."""
    return abs(got - want) <= max(want * 0.1, least)


def close_most(got, want):
    """Longest times may be 1 ms apart: an interrupt between the log and the script adds to one of the two."""
    return close(got, want, 1000000)


def close_count(got, want):
    """An interrupt between the log and the script may raise a softirq, which is a new wait for one of the two only."""
    return abs(got - want) <= max(want // 100, 2)


keys = set(waits) | set(runs)
bad = [k for k in keys if k not in table]
for k in keys & set(table):
    n, total, mean, most, raised, wait, longest = table[k]
    r, w = runs[k] or [0], waits[k] or [0]
    want = len(runs[k]), sum(r) / len(r), max(r), len(waits[k]), sum(w) / len(w), max(w)
    got = n, mean, most, raised, wait, longest
    if want[0] != got[0] or not close_count(got[3], want[3]) or not all(map(close, got[1::3], want[1::3])) or not all(map(close_most, got[2::3], want[2::3])):
        bad.append((k, got, want))
print(f"{len(events)} events, raised again {again}, raised in its run {nested}", file=sys.stderr)
print(len(events) > 1000, len(keys) >= 3, again > 0, nested > 0, set(table) == keys, bad)
END
# An event runs a program of the script and one of the log. If an interrupt comes between the two,
# the log has another order or other times than the script. So the test tries up to three logs.
for attempt in 1 2 3; do
	log_events
	compared=$(python3 "$T/check.py" "$T/log.out")
	[ "$compared" != 'True True True True True []' ] || break
	echo "AGAIN: $compared (attempt $attempt)"
done
same 'counts and times of the log, by CPU' 'True True True True True []' "$compared"
same 'no line has more than 80 columns' 0 "$(grep -v '^L ' "$T/log.out" | awk 'length > 80 { n++ } END { print n + 0 }')"
finish
