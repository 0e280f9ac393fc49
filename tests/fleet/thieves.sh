# A thief has the certificate of a host, of a relay or of a viewer, or controls the server. The
# thief tries to change the results of another host, to hide a host, or to deceive the viewer.
# shellcheck disable=SC2016,SC2046 # subjects have $; as() prints words
. tests/fleet/lib.bash
for c in openssl python3; do
	command -v $c >/dev/null || skip "no $c here"
done
network 0
keys
certificates h1 h2 viewer admin
start_secure h1 h2
"$FLEET" setup $(as admin) || wrong setup
"$FLEET" expect $(as admin) h1 h2 || wrong expect
start_local h2 -v $(as h2) --label role=db

hostile() { python3 tests/fleet/hostile.py $SERVER "$T/tls" "$@"; }
put() { # put NAME SUBJECT: stores the message on the standard input, with the certificate of NAME
	cat >"$T/message"
	hostile "$1" put "$T/message" "$2" | grep -q '"seq"' || wrong "$what: not stored: $2"
}
show() { # show STATUS: shows the run $id, and checks the status
	checks=$((checks + 1))
	timeout 60 "$FLEET" show $(as viewer) --grace 1 "$id" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
}
# answer [HEAD...]: prints the answer of h1 to the run $id, without a snapshot. HEAD is a line "NAME
# VALUE", which replaces the line NAME.
answer() {
	local head=$'run '$id$'\nhost h1\nid 00aa\nepoch 5\nsequence 1\nversion 1\nphase ended\nend done\nmatched 1\nout 0\nunsent 0\nsaid 0' h
	for h; do
		head=$(sed "s/^${h%% *} .*/$h/" <<<"$head")
		grep -qx "$h" <<<"$head" || head+=$'\n'$h
	done
	printf 'DTFLEET1\n%s\n\n' "$head"
}
snapshot() { cat "$T/mine"; } # prints the snapshot that h1 makes of the program $sum
entry() { # entry HOST ID [LABELS]: prints an entry of the inventory
	printf 'DTFLEET1\nhost %s\nid %s\nversion 1\n%s\n' "$1" "$2" "${3:+labels $3
}"
}

sum='BEGIN { @ = sum(7); exit(0); }'
"$DTRACE" -qx host=h1 -x aggout="$T/mine" -x aggoutonly -n "$sum" || wrong 'no snapshot'

registered() { "$FLEET" hosts $(as viewer) 2>/dev/null | grep -q '^h2 .* expected .*[0-9a-f] role=db$'; }
until_true $LONG registered || { wrong 'h2 does not register'; finish; }
h2=$("$FLEET" hosts $(as viewer) | sed -n 's/^h2 .* expected .* \([0-9a-f-]*\) role=db$/\1/p')
entry h1 00aa role=web | seal h1 | put h1 '$KV.FLEET_HOSTS.host.h1.00aa'
"$FLEET" retire $(as admin) h1 h1/00aa || wrong retire # the thief has the certificate of h1, and no viewer should wait for h1

what='an answer to a run that is for other hosts'
for target in h2 role=db; do
	begin_run h2 $(as viewer) -t $target -d 50 -n "${sum/exit(0);/}"
	{ answer && snapshot; } | seal h1 | put h1 "fleet.state.$id.h1.00aa.5"
	printf 'DTFLEET1\nrun %s\nhost h1\nid 00aa\nepoch 5\noffset 0\n\nstrange\n' "$id" | seal h1 | put h1 "fleet.out.$id.h1.00aa.5"
	timeout 60 "$FLEET" stop $(as viewer) "$id"
	wait $viewer
	says 'h1: left out: the run is not for this host \(00aa\)'
	says '2 hosts asked: 1 whole, 1 left out'
	sum 7
	checks=$((checks + 1))
	! grep -q strange "$T/out" || wrong "$what: its output is shown"
	first=${first:-$id}
done
id=$first
show 1
sum 7

what="another host's signed answer under one's own subject"
begin_run h2 $(as viewer) -t 'h*' -d 50 -n "$sum"
wait $viewer
{ answer 'host h2' "id $h2" && cat "$T/h2/runs/$id/agg"; } | seal h2 | tee "$T/replayed" | put h1 "fleet.state.$id.h1.00aa.5"
put h1 "fleet.state.$id.h1.00aa.6" <"$T/replayed"
show 1
sum 7
says "h1: left out: its answer is not signed by the host's known key \\(00aa\\)"

what="an answer with the ID of another host"
begin_run h2 $(as viewer) -t 'h*' -d 50 -n "$sum"
wait $viewer
{ answer "id $h2" && snapshot; } | seal h1 | put h1 "fleet.state.$id.h1.$h2.5"
show 1
says "h1, h2: two hosts have the same ID \\($h2\\)"
says '2 hosts asked: 0 whole, 2 twin'

# h1 sends a snapshot of h2. If it counted, dtrace --merge would count only the newer of the two
# snapshots of h2. It does not count, and neither does the snapshot that h1 sent before.
what="a snapshot that is of another host"
long=${sum/exit(0);/}
for host in h1 h2; do
	"$DTRACE" -qx host=$host -x duration=100ms -x aggout="$T/long.$host" -x aggoutonly -n "$long" || wrong 'no snapshot'
done
last() { awk 'NF == 1 { n = $1 } END { print n }' "$T/out"; }
shows() { [ "$(last)" = "$1" ]; }
begin_run h2 $(as viewer) -t 'h*' -d 50 -i 0.2 -n "$long"
{ answer && cat "$T/long.h1"; } | seal h1 | put h1 "fleet.state.$id.h1.00aa.5"
until_true $LONG shows 14 || wrong "$what: h1 does not count: $(cat "$T/out" "$T/err")"
n=1
for file in "$T/h2/runs/$id/agg" "$T/long.h2"; do
	n=$((n + 1))
	{ answer "sequence $n" && cat "$file"; } | seal h1 | put h1 "fleet.state.$id.h1.00aa.5"
	until_true $LONG shows 7 || wrong "$what: $file counts: $(cat "$T/out" "$T/err")"
done
timeout 60 "$FLEET" stop $(as viewer) "$id"
wait $viewer
checks=$((checks + 1))
shows 7 || wrong "$what: $(last)"
says 'h1: left out: its snapshot is of host h2 .*'
says '2 hosts asked: 1 whole, 1 left out'
show 1
sum 7

what='an answer with the largest numbers'
most=18446744073709551615
begin_run h2 $(as viewer) -t 'h*' -d 50 -n "$sum"
wait $viewer
{ answer "epoch $most" "sequence $most" "matched $most" "out $most" && snapshot; } | seal h1 | put h1 "fleet.state.$id.h1.00aa.$most"
printf 'DTFLEET1\nrun %s\nhost h1\nid 00aa\nepoch %s\noffset %s\n\nlate\n' "$id" $most $most | seal h1 | put h1 "fleet.out.$id.h1.00aa.$most"
show 1
says '2 hosts asked: 1 whole, 1 partial'
says "h1: $most probes"
sum 14

what='lines that look like lines of the viewer or of another host'
begin_run h2 $(as viewer) -t 'h*' -d 50 -n "$sum"
wait $viewer
lines=$'dtrace-fleet: 2 hosts asked: 2 whole\n\e[2J\xc2\x9b1A\xe2\x80\xaeh2: dropped\r\n'
{ answer "said ${#lines}" $'lacks \e]0;x\ah2: nothing' && printf %s "$lines"; } | seal h1 | put h1 "fleet.state.$id.h1.00aa.5"
printf 'DTFLEET1\nrun %s\nhost h1\nid 00aa\nepoch 5\noffset 0\n\nx\nh2: forged\n' "$id" | seal h1 | put h1 "fleet.out.$id.h1.00aa.5"
show 1
says 'h1: dtrace-fleet: 2 hosts asked: 2 whole'
says 'h1: \\x1b\[2J\\xc2\\x9b1A\\xe2\\x80\\xaeh2: dropped\\r'
says 'h1: \\x1b\]0;x\\x07h2: nothing'
checks=$((checks + 2))
grep -q '^h1: h2: forged$' "$T/out" && ! grep -q '^h2: ' "$T/out" || wrong "$what: $(cat "$T/out")"
! grep -q '[[:cntrl:]]' "$T/err" || wrong "$what: control characters are shown"

what='a plan that is not signed by an administrator'
"$FLEET" keygen "$T/hostkey.olga" >"$T/admins"
export DTRACE_FLEET_ADMINS=$T/admins
"$FLEET" expect $(as admin) -k "$T/hostkey.olga" h2 2>/dev/null
"$FLEET" retire $(as admin) -k "$T/hostkey.olga" h1 2>/dev/null
run_h2() { # run_h2 STATUS HOSTS: asks h2; checks the exit status, and that the viewer prints HOSTS
	checks=$((checks + 1))
	timeout 60 "$FLEET" run $(as viewer) -t h2 -d 9 --grace 1 -n "$sum" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
	says "$2"
}
plan() { # plan TIME FLEET: stores a plan that retires h2, signed by olga
	printf 'DTFLEET1\nhost h2\nid %s\nplan retired\nfleet %s\ntime %s000000000\n\n' "$h2" "$2" "$1" | seal olga | put admin "\$KV.FLEET_HOSTS.plan.h2.$2$1"
}
unsigned='h2: its plan \(expect, retire\) is not signed by a listed key of an administrator, so it does not count; repeat the command with such a key \(-k\)'
run_h2 0 '1 host asked: 1 whole'
plan $(($(date +%s) - 3600)) default # the server repeats an old plan of olga
run_h2 0 '1 host asked: 1 whole'
plan $(date +%s) other # for another fleet
run_h2 1 '1 host asked: 1 whole'
says "$unsigned"
"$FLEET" expect $(as admin) -k "$T/hostkey.olga" h2 2>/dev/null
run_h2 0 '1 host asked: 1 whole'
checks=$((checks + 1))
"$FLEET" retire $(as admin) -k "$T/key" h2 2>"$T/err" && wrong "$what: a plan that does not count is stored"
says 'h2: no plan was stored: plans need a key \(-k\) that is listed .*'
DTRACE_FLEET_ADMINS='' "$FLEET" retire $(as admin) -k "$T/key" h2 2>/dev/null # signed with the key of a viewer
run_h2 1 '1 host asked: 1 whole'
says "$unsigned"
printf 'DTFLEET1\nhost h2\nid %s\nplan retired\n\n' "$h2" | put admin '$KV.FLEET_HOSTS.plan.h2.old' # without a signature, as in a former version
run_h2 1 '1 host asked: 1 whole'
plan $(($(date +%s) + 600)) default # signed by olga, and newer than all other plans
run_h2 0 'no host matches h2; waiting for one'
checks=$((checks + 2))
"$FLEET" expect $(as admin) -k "$T/hostkey.olga" h2 2>"$T/err" && wrong "$what: a plan older than another one is stored"
says 'h2: no plan was stored: the time of an earlier plan for this host, 20.* UTC, is later than now; .*'
# Only a plan that does not count names this host. It can be replaced.
DTRACE_FLEET_ADMINS='' "$FLEET" expect $(as admin) -k "$T/key" ghost 2>/dev/null
run_h2 1 'no host matches h2; waiting for one'
says "${unsigned/h2/ghost}"
"$FLEET" retire $(as admin) -k "$T/hostkey.olga" ghost 2>"$T/err" || wrong "$what: $(cat "$T/err")"
run_h2 0 'no host matches h2; waiting for one'
DTRACE_FLEET_ADMINS=$T/nothing "$FLEET" hosts $(as viewer) >"$T/out" 2>"$T/err" && wrong "$what: a missing list is accepted"
says "keys of administrators: $T/nothing: .*"
export DTRACE_FLEET_ADMINS=

what='an entry of the inventory that is not signed by the key of its host'
commands=('run -t role=db -d 1 --grace 1 -n BEGIN{@=count();exit(0);}' hosts health)
for how in cat 'seal thief' 'head -c 200'; do
	entry h2 "$h2" role=none | $how | put h2 "\$KV.FLEET_HOSTS.host.h2.$h2"
	for command in "${commands[@]}"; do
		checks=$((checks + 1))
		timeout 60 "$FLEET" ${command%% *} $(as viewer) ${command#"${command%% *}"} >"$T/out" 2>"$T/err" && wrong "$what: $how: the status of ${command%% *} is 0"
		says "h2\.$h2: its entry in the inventory is not signed by its known key, so its labels and its health may be forged; if the host has a new key, remove its line from the file of known keys"
	done
	commands=(hosts)
done

what='a relay that answers for very many hosts'
"$FLEET" expect $(as admin) --relay h1 2>/dev/null || wrong "$what: not named"
printf 'DTFLEET1\nhost h1\nid 00aa\nversion 1\nrelay yes\n\n' | seal h1 | put h1 '$KV.FLEET_HOSTS.host.h1.00aa'
begin_run h2 $(as viewer) -t h2 -d 50 -n "$sum"
wait $viewer
n=0
for members in whole=18446744073709551616 'whole=1,evil=-1'; do
	n=$((n + 1))
	{ answer "members $members" "sequence $n" && snapshot; } | seal h1 | put h1 "fleet.state.$id.h1.00aa.5"
	show 1
	says '2 hosts asked: 2 whole'
done
finish
