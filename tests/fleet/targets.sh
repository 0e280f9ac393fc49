# A target selects hosts by their labels. A run can begin on a few hosts (a canary), continue in parts,
# or be refused because it is for too many hosts.
. tests/fleet/lib.bash
network 1
keys
start_server
"$FLEET" setup || wrong setup

grace=2
hosts=(-n 'BEGIN { @[host] = count(); exit(0); }')
answered() { # answered HOSTS: exactly these hosts have counted
	checks=$((checks + 1))
	[ "$(awk 'NF { printf "%s ", $1 }' "$T/out")" = "$*${*:+ }" ] || wrong "$* did not answer: $(cat "$T/out" "$T/err")"
}
registered() { [ "$("$FLEET" hosts | grep -Ec "$1")" = "$2" ]; }

# Labels come from a file and from options.
printf 'dc=fra # of this machine\nrole=web\n' >"$T/labels"
for h in a b; do
	start_local $h --labels "$T/labels"
done
start_local c --labels "$T/labels" --label role=db --label dc=ams
start_local d --labels "$T/none"
until_true $LONG registered ' expected ' 4 || { wrong 'the agents do not register'; finish; }
checks=$((checks + 1))
registered ' dc=ams,role=db$' 1 && registered ' dc=fra,role=web$' 2 || wrong "labels: $("$FLEET" hosts)"
ask 0 -t role=web "${hosts[@]}"
answered a b
ask 0 -t 'role=*,dc!=fra' "${hosts[@]}"
answered c
ask 0 -t '[bcd],role!=db' "${hosts[@]}"
answered b d
ask 0 --max-hosts 4 "${hosts[@]}"
answered a b c d
ask 1 --max-hosts 3 "${hosts[@]}"
answered
says 'nobody was asked: 4 hosts match \*, and --max-hosts is 3'
ask 2 -t '=web' "${hosts[@]}"
ask 2 --canary none "${hosts[@]}"
# For each part, the viewer adds the names of the part's hosts to the target of the run, so the
# target of a part is longer.
long=none!=$(printf 'x%.0s' {1..894})
ask 0 -t "$long" "${hosts[@]}"
answered a b c d
ask 1 -t "$long" --batch 1 "${hosts[@]}"
says 'nobody was asked: with --canary or --batch, -t may have at most [0-9]+ bytes, not 900'
answered

# The labels of a running agent change.
printf 'dc=fra\nrole=cache\n' >"$T/labels.new"
mv "$T/labels.new" "$T/labels"
until_true $LONG registered 'role=cache$' 2 || wrong "labels: $("$FLEET" hosts)"
ask 0 -t role=cache,dc=fra "${hosts[@]}"
answered a b

# Parts of a run follow one another. Each host runs the program once, and the total has all hosts.
ask 0 --canary 1 --batch 2 "${hosts[@]}"
answered a b c d
says 'run [^ ]+-1: canary, 1 host'
says 'run [^ ]+-2: part 2 of 3, 2 hosts'
says 'run [^ ]+-3: part 3 of 3, 1 host'
says '4 hosts asked: 4 whole'
checks=$((checks + 1))
[ "$(awk 'NF && $2 != 1' "$T/out")" = '' ] || wrong "a host ran twice: $(cat "$T/out")"
begun=$(for h in a b c d; do sed -n 1p "$T/$h/runs/$(run_of "$T/err" | sed -n 2p | cut -d: -f1)/epoch" 2>/dev/null; done | wc -l)
checks=$((checks + 1))
[ "$begun" = 2 ] || wrong "$begun hosts have begun the second part"
# A viewer of one part expects only the hosts of that part.
id=$(run_of "$T/err" | sed -n 2p | cut -d: -f1)
timeout $LONG "$FLEET" show "$id" >"$T/out" 2>"$T/err" || wrong "show: $(cat "$T/err")"
says '2 hosts asked: 2 whole'

# If results of the canary's hosts are missing, the viewer asks no other host.
ask 1 --canary 2 -n 'tcp:::send { @ = count(); } syscall:::entry { @ = count(); }'
says 'the canary is not whole: 2 hosts were not asked'
says '2 hosts asked: 0 whole, 2 refused'

# A policy can name labels.
{
	sed 's/^key \([^ ]*\) .*/key \1 somebody/' "$T/policy"
	echo 'limit somebody hosts role=db'
} >"$T/policy.new"
mv "$T/policy.new" "$T/policy"
by_policy() {
	timeout $LONG "$FLEET" run --grace 2 -d 20 "${hosts[@]}" >"$T/out" 2>"$T/err"
	grep -q '^dtrace-fleet: 4 hosts asked: 1 whole, 3 refused$' "$T/err"
}
until_true $LONG by_policy || wrong "the policy does not select by labels: $(cat "$T/err")"
answered c
says 'a and 2 more: policy: the keys of somebody are not for this host'
finish
