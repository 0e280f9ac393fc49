# iter:::bpf_prog and the script bpftop report each BPF program as bpftool does, with its costs.
. "$(dirname "$0")/../lib.bash"
need bpftool python3
cd "$LIVE/../.." || exit 1

# A BPF program that runs at each getppid(), and takes more CPU time than any other on this machine.
# Run time is measured from here on, because -x bpfrate is set.
dt_start load -x bpfrate=200ms -n 'syscall::getppid:entry { @[pid] = count(); } iter:::bpf_prog { n++; }'
cat >"$T/calls.py" <<'END'
import os, sys, time
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    for _ in range(1000):
        os.getppid()
END
python3 "$T/calls.py" 0.5

listed() {
	timeout 60 bpftool -j prog show >"$T/$1" 2>"$T/$1.err" || fail "bpftool: $(cat "$T/$1.err")"
}
listed before
timeout 60 "$DTRACE" -x bpfrate=1h -qn 'iter:::bpf_prog {
	printf("%d %s %s %d %d %d %d %d %d\n", args[0]->id, bpf_prog_type_string[args[0]->type],
	    args[0]->name[0] ? args[0]->name : "-", args[0]->run_time_ns, args[0]->run_cnt,
	    args[0]->verified_insns, args[0]->load_time, args[0]->created_by_uid, args[1]); }
	tick-100ms { exit(0); }' >"$T/ours" 2>"$T/ours.err" || fail "$(cat "$T/ours.err")"
listed after
cat >"$T/compare.py" <<'END'
"""Programs that are in both lists of bpftool must be in ours, with costs between those of the two lists."""
import json, sys
before, after = ({p["id"]: p for p in json.load(open(sys.argv[i]))} for i in (1, 2))
ours = {}
for line in open(sys.argv[3]):
    words = line.split()
    if not words:
        continue
    ours[int(words[0])] = words[1:]
ran = 0
for id in before.keys() & after.keys():
    if id not in ours:
        sys.exit(f"program {id} is missing")
    kind, name, ns, runs, insns, _, uid, walk = ours[id]
    a, b = before[id], after[id]
    # The kernel cuts names to 15 characters. bpftool then prints the name of the function.
    want = [a["type"].upper(), name if len(name) == 15 else a.get("name", "-"), a.get("uid", 0)]
    if [kind, name, int(uid)] != want:
        sys.exit(f"program {id}: {kind} {name} {uid}, bpftool: {want}")
    for what, value in (("run_time_ns", int(ns)), ("run_cnt", int(runs))):
        if not a.get(what, 0) <= value <= b.get(what, 0):
            sys.exit(f"program {id}: {what} {value}, bpftool: {a.get(what, 0)}, then {b.get(what, 0)}")
    if int(insns) == 0 or walk != "0":
        sys.exit(f"program {id}: {insns} verified instructions, walk {walk}")
    ran += int(runs) > 0
if not ran:
    sys.exit("no program ran")
END
python3 "$T/compare.py" "$T/before" "$T/after" "$T/ours" 2>"$T/why" || fail "$(cat "$T/why")"

# bpftop shows the program above. Its rates equal those computed from bpftool's numbers. The test
# finds the program's ID in the descriptors of its dtrace, because another dtrace may have a program
# of the same name.
id=$(awk '/^prog_id:/ { print $2 }' "/proc/${dt_pid[load]}"/fdinfo/* | sort -u |
	awk 'NR == FNR { mine[$1]; next } $1 in mine && $3 ~ /^dt_sys_enter/ { print $1 }' - "$T/ours")
python3 "$T/calls.py" 60 &
calls=$!
timeout 60 "$DTRACE" bpftop 1000 2 1 >"$T/top" 2>"$T/top.err" &
dt_pid[top]=$!
until grep -q EVENTS/S "$T/top"; do sleep 0.05; done
listed first
a=$(date +%s%N)
dt_wait top 60 || fail "bpftop: status $?: $(cat "$T/top.err")"
listed second
b=$(date +%s%N)
kill "$calls"
cat >"$T/rates.py" <<'END'
"""bpftop's row of the program has roughly the rates between two lists of bpftool."""
import json, sys
first, second = ([p for p in json.load(open(f)) if p["id"] == int(sys.argv[4])][0] for f in sys.argv[1:3])
row = [l.split() for l in open(sys.argv[3]) if l.split()[:1] == [sys.argv[4]]]
if len(row) != 1:
    sys.exit(f"{len(row)} rows of program {sys.argv[4]}")
seconds = int(sys.argv[5]) / 1e9
runs, ns = (second[k] - first[k] for k in ("run_cnt", "run_time_ns"))
want = {"events": runs / seconds, "each": ns / runs, "percent": 100 * ns / 1e9 / seconds}
got = dict(zip(want, map(float, row[0][-3:])))
for k in want:
    if not 0.7 <= got[k] / want[k] <= 1.4:
        sys.exit(f"{k}: {got[k]}, bpftool: {want[k]}")
if abs(got["events"] * got["each"] / 1e7 / got["percent"] - 1) > 0.05:
    sys.exit(f"the columns contradict each other: {got}")
END
python3 "$T/rates.py" "$T/first" "$T/second" "$T/top" "$id" $((b - a)) 2>"$T/why" || fail "$(cat "$T/why"): $(cat "$T/top")"
dt_stop load

# The arguments of bpftop set the number of programs and of intervals that it shows.
timeout 60 "$DTRACE" bpftop 2 1 2 >"$T/two" 2>&1 || fail "bpftop 2 1 2: $(cat "$T/two")"
same 'bpftop 2 1 2 prints two rows in each of two intervals' 4 "$(grep -cE '^ *[0-9]+ [A-Z_]+ ' "$T/two")"
timeout 60 "$DTRACE" bpftop x >"$T/usage" 2>&1
same 'bpftop ends with status 1 for a wrong argument' 1 $?
finish
