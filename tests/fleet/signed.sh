# Hosts sign their answers. If an answer has another signature, the viewer ignores it, names the
# host, and has an exit status other than 0. A viewer remembers the keys of hosts.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
command -v openssl >/dev/null || skip 'no openssl here'
network 1
keys
start_server
"$FLEET" setup || wrong setup
start_local h1 -v
until_true $LONG there 1 || { wrong 'h1 does not come'; finish; }

show() { # show STATUS: shows the run $id again, and checks the exit status
	checks=$((checks + 1))
	timeout $LONG "$FLEET" show "$id" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
}
what='a signed answer'
"$FLEET" run -d 20 -n 'BEGIN { @ = sum(7); exit(0); }' >"$T/out" 2>"$T/err" || wrong "$what: $(cat "$T/err")"
id=$(run_of "$T/err")
show 0
checks=$((checks + 1))
[ "$(wc -l <"$T/known")" = 1 ] && grep -Eq '^h1\.[0-9a-f]{32} [0-9a-f]{64}$' "$T/known" || wrong "$what: known keys: $(cat "$T/known")"
who=$(cut -d ' ' -f 1 "$T/known") ident=$(cut -d ' ' -f 1 "$T/known" | cut -d . -f 2)

# A hostile server stores an answer in the name of the host, with a later sequence number.
report() { printf 'DTFLEET1\nrun %s\nhost h1\nid %s\nepoch 5\nsequence 9999999999999\nversion 1\nphase ended\nend done\nmatched 1\nout 0\nunsent 0\nsaid 0\n\n' "$id" "$ident"; }
forged="fleet.state.$id.$who.5"
what='an answer without a signature'
report >"$T/forged"
nats_pub "$forged" "$T/forged"
show 1
says "h1: left out: its answer is not signed, or its signature is wrong \\($ident\\)"
says '2 hosts asked: 1 whole, 1 left out'
what='an answer with a changed byte'
report | seal h1 | sed 's/matched 1/matched 2/' >"$T/forged"
nats_pub "$forged" "$T/forged"
show 1
says "h1: left out: its answer is not signed, or its signature is wrong \\($ident\\)"
what='an answer with another key'
report | seal another >"$T/forged"
nats_pub "$forged" "$T/forged"
show 1
says "h1: left out: its answer is not signed by the host's known key \\($ident\\)"
[ "$(tr -d ' \n' <"$T/out")" = 7 ] || wrong "$what: $(cat "$T/out")"

what='signed output of another run'
printf 'DTFLEET1\nrun other\nhost h1\nid %s\nepoch 5\noffset 0\n\nstrange\n' "$ident" | seal h1 >"$T/forged"
nats_pub "fleet.out.$id.$who.5" "$T/forged"
show 1
checks=$((checks + 1))
! grep -q strange "$T/out" || wrong "$what: it is shown: $(cat "$T/out")"

what='a host with a new key'
kill_agent h1
rm "$T/hostkey.h1"
start_local h1 -v
new_key() { "$FLEET" run -d 4 --grace 1 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err"; grep -q 'left out' "$T/err"; }
until_true $LONG new_key || wrong "$what: $(cat "$T/err")"
says "h1: left out: its answer is not signed by the host's known key .*"
says '1 host asked: 0 whole, 1 left out'
[ -z "$(tr -d ' \n' <"$T/out")" ] || wrong "$what: it counts: $(cat "$T/out")"
rm "$T/known" # the user has checked the new key, so the viewer may forget the old one
checks=$((checks + 1))
until_true $LONG there 1 || wrong "$what: it does not count later"

what='a file of known keys that cannot be written'
checks=$((checks + 1))
DTRACE_FLEET_KNOWN=/nowhere/known "$FLEET" run -d 20 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err"
[ $? = 1 ] || wrong "$what: its status is not 1"
says 'failed to write /nowhere/known: No such file or directory'

what='a file of known keys that cannot be read whole'
checks=$((checks + 1))
printf 'h1.0a\n' >"$T/damaged"
DTRACE_FLEET_KNOWN=$T/damaged "$FLEET" run -d 20 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err"
[ $? = 1 ] || wrong "$what: its status is not 1"
says 'failed to read .*/damaged: a line is not HOST.ID and a key'
finish
