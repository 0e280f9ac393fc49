# The audit stream has an entry for each request that a host accepts or refuses, each stop and each
# end. A host cannot write entries of another host, and a viewer cannot write entries. Neither a
# host nor a viewer can delete or change an entry. A run begins only if its entry is stored.
# shellcheck disable=SC2016,SC2046 # subjects have $; as() prints words
. tests/fleet/lib.bash
for c in openssl python3; do
	command -v $c >/dev/null || skip "no $c here"
done
network 0
keys
cp "$T/policy" "$T/listed"
certificates h1 h2 viewer admin
start_secure h1 h2
"$FLEET" setup $(as admin) || wrong setup
"$FLEET" expect $(as admin) h1 h2 || wrong expect
sed -i 's/^key \([0-9a-f]*\) .*/key \1 ann/' "$T/policy"
start_local h1 -v $(as h1)

hostile() { python3 tests/fleet/hostile.py $SERVER "$T/tls" "$@"; }
ask() { # ask STATUS ARGS: runs a viewer, and sets $id
	checks=$((checks + 1))
	timeout 60 "$FLEET" run $(as viewer) -t h1 "${@:2}" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
	id=$(run_of "$T/err")
}
audit() { # audit [ARGS]: reads the audit stream to $T/audit
	checks=$((checks + 1))
	timeout 60 "$FLEET" audit $(as viewer) "$@" >"$T/audit" 2>"$T/audit.err" || wrong "$what: audit has a status: $(cat "$T/audit.err")"
}
entry() { # entry RE: waits until the stream has a line about the run that matches
	found() { audit && grep -E "$id" "$T/audit" | grep -Eq -- "$1"; }
	checks=$((checks + 1))
	until_true 30 found "$1" || wrong "$what: no entry matches $1: $(cat "$T/audit")"
}
public=$(sed -n 's/^key \([0-9a-f]\{8\}\).*/\1/p' "$T/policy")

what='a run'
registered() { "$FLEET" hosts $(as viewer) | grep -q '^h1 .* expected .*[0-9a-f]$'; }
until_true $LONG registered || { wrong 'h1 does not register'; finish; }
ask 0 -d 20 -n $'BEGIN { @ = count(); printf("\\\\033[2J\\n"); exit(0); } /* \e[31m\xe2\x80\xae */'
entry "^20[0-9-]{8} [0-9:]{8} UTC +h1 +accepted +ann +$public +$id +hosts h1, 20 s: BEGIN .* /\* \\\\x1b\[31m\\\\xe2\\\\x80\\\\xae \*/\$"
entry " ended +ann +$public +$id +done, [1-9][0-9]* bytes"
checks=$((checks + 1))
grep -q $'\e' "$T/audit" && wrong "$what: a control character is shown"

what='a long program'
ask 0 -d 20 -n "BEGIN { exit(0); } /* $(printf '%03000d' 7) */"
sha=$(printf %s "BEGIN { exit(0); } /* $(printf '%03000d' 7) */" | sha256sum | cut -d' ' -f1)
entry "accepted .*0000\.\.\. \(3025 bytes, SHA-256 $sha\)\$"

what='a stop'
begin_run h1 $(as viewer) -t h1 -d 50 -n 'BEGIN { @ = count(); }'
"$FLEET" stop $(as viewer) "$id"
wait $viewer
entry " stopped +ann +$public +$id"
entry ' ended .* asked, .*: ended: the viewer ended the run'

what='refusals'
ask 1 -d 61 -n 'BEGIN { @ = count(); }'
entry ' refused +ann .* policy: a run may last 60 seconds, not 61; hosts h1, 61 s: BEGIN'
"$FLEET" keygen "$T/strange" >"$T/strange.line"
ask 1 -d 10 -k "$T/strange" -n 'BEGIN { @ = count(); }'
entry " refused +- +$(sed 's/^key \(........\).*/\1/' "$T/strange.line") .* policy: the key that signed the run is not on this host's list of keys; hosts"
ask 1 -d 10 -n 'udp:::nothing { @ = count(); }'
entry ' accepted '
entry ' ended .* failed, 0 bytes: dtrace: .*probe description udp:::nothing does not match any probes '

what='filters'
lines() { audit "$@" && grep -c ' h1 ' "$T/audit"; }
checks=$((checks + 5))
all=$(lines)
[ "$(lines --key ann)" = $((all - 1)) ] || wrong "$what: --key ann"
[ "$(lines --key "$public")" = $((all - 1)) ] || wrong "$what: --key $public"
[ "$(lines --host 'h*')" = "$all" ] || wrong "$what: --host 'h*'"
[ "$(lines --host h2)" = 0 ] || wrong "$what: --host h2"
[ "$(lines --from -2d --to -1d)" = 0 ] || wrong "$what: --from -2d --to -1d"

# An agent that is started again reads the earlier requests again.
what='an agent that was started again'
kill_agent h1
start_local h1 -v $(as h1)
ask 0 -d 20 -n 'BEGIN { exit(0); }'
entry ' ended '
checks=$((checks + 1))
[ "$(lines)" = $((all + 2)) ] || wrong "$what: $(lines) entries, and $all before: $(cat "$T/audit")"
all=$(lines)

what='hosts and viewers that want to change entries'
echo forged >"$T/forged"
echo '{"seq":1}' >"$T/first"
: >"$T/empty"
forbidden() { # forbidden NAME FILE SUBJECT: the server does not let the client publish the file
	local answer
	checks=$((checks + 1))
	answer=$(hostile "$1" put "$2" "$3")
	grep -q "Permissions Violation for Publish" <<<"$answer" || wrong "$what: $*: $answer"
}
for user in h2 viewer; do
	forbidden $user "$T/forged" fleet.audit.h1
	forbidden $user "$T/empty" '$JS.API.STREAM.PURGE.FLEET_AUDIT'
	forbidden $user "$T/empty" fleet.api.STREAM.DELETE.FLEET_AUDIT
	forbidden $user "$T/first" fleet.api.STREAM.MSG.DELETE.FLEET_AUDIT
done
checks=$((checks + 2))
for order in STREAM.PURGE STREAM.MSG.DELETE; do # an administrator could only delete the stream as a whole
	hostile admin put "$T/first" "\$JS.API.$order.FLEET_AUDIT" | grep -q '"error"' || wrong "$what: an administrator may use $order"
done
[ "$(lines)" = "$all" ] || wrong "$what: $(lines) entries, and $all before"

# The server, or a thief of a host's certificate, can add an entry in the host's name. But only the
# host's key can sign the entry.
what='a forged entry'
machine=$("$FLEET" hosts $(as viewer) | sed -n 's,^h1 .* expected .* \([0-9a-f-]*\)$,\1,p')
printf 'DTFLEET1\nwhat accepted\nhost h1\nid %s\ntime 1\nrun forged\nkey %064d\nseconds 1\nsize 0\nbytes 0\ncost 0\n\n' "$machine" 0 | seal forger >"$T/forged"
hostile h1 put "$T/forged" fleet.audit.h1 | grep -q '"seq"' || wrong "$what: not stored"
checks=$((checks + 2))
"$FLEET" audit $(as viewer) >"$T/audit" 2>"$T/audit.err" && wrong "$what: status 0"
grep -q '^NOT SIGNED BY ITS HOST: .* h1 .* forged ' "$T/audit" || wrong "$what: $(cat "$T/audit" "$T/audit.err")"

# The administrator deletes the stream. Until the stream is created again, no run begins, and the
# host keeps its entries about refused requests.
what='no audit stream'
hostile admin ask '$JS.API.STREAM.DELETE.FLEET_AUDIT' >/dev/null
ask 1 -d 30 -n 'BEGIN { @ = count(); }'
checks=$((checks + 2))
grep -q "^dtrace-fleet: h1: the server did not store the run's entry in the audit stream: it is missing .*" "$T/err" || wrong "$what: $(cat "$T/err")"
[ ! -e "$T/h1/runs/$id" ] || wrong "$what: the run began"
"$FLEET" setup $(as admin) --audit-days 400 || wrong "$what: setup"
entry " refused +ann .* the server did not store the run's entry in the audit stream: .*; hosts h1, 30 s: BEGIN"
hostile admin ask '$JS.API.STREAM.INFO.FLEET_AUDIT' | tr -d ' \n' >"$T/info"
for limit in '"discard":"new"' '"deny_delete":true' '"deny_purge":true' '"discard_new_per_subject":true' "\"max_age\":$((400 * 86400))000000000"; do
	checks=$((checks + 1))
	grep -q "$limit" "$T/info" || wrong "$what: the stream has no $limit: $(cat "$T/info")"
done
finish
