# A policy can set bounds for the keys of one owner. An agent reads a changed policy without a
# restart. When a key is removed from the policy, the runs that this key signed end.
. tests/fleet/lib.bash
network 1
keys
cp "$T/policy" "$T/listed"
start_server
"$FLEET" setup || wrong setup
start_local h1 -v
until_true $LONG there 1 || { wrong 'the agent of h1 does not connect'; finish; }

# policy FILE: replaces the policy in one step, and waits until the agent has read it.
policy() {
	local n
	n=$(grep -c 'policy .* was read' "$T/h1.log")
	cp "$1" "$T/policy.new" && mv "$T/policy.new" "$T/policy"
	was_read() { [ "$(grep -c 'policy .* was read' "$T/h1.log")" -gt "$n" ]; }
	until_true $LONG was_read || wrong "$what: the policy is not read again"
}
owner=$(sed -n 's/^key [0-9a-f]* //p' "$T/keyline")

what='limits that a policy sets for a key'
{
	cat "$T/listed"
	printf 'limit %s %s\n' "$owner" 'seconds 30' "$owner" 'probes ip:*:*:*' "$owner" 'rate 500'
} >"$T/bounds"
policy "$T/bounds"
ask 1 -d 31 -n 'BEGIN { @ = count(); }'
says 'h1: policy: a run may last 30 seconds, not 31'
ask 1 --rate 0.2 -n 'BEGIN { @ = count(); }'
says 'h1: policy: the interval between snapshots is at least 500 ms, not 200'
ask 1 -n 'udp:::send { @ = count(); }'
says 'h1: dtrace: .*clause udp:::send would enable probe udp:.*, which is not in the list of allowed probes .*'
ask 0 -n 'ip:::send { @ = count(); } BEGIN { exit(0); }'
{
	cat "$T/listed"
	echo "limit $owner hosts web*"
} >"$T/elsewhere"
policy "$T/elsewhere"
ask 1 -n 'BEGIN { @ = count(); }'
says "h1: policy: the keys of $owner are not for this host"

what='a key that has expired'
{
	cat "$T/listed"
	echo "limit $owner until 2020-01-31"
} >"$T/expired"
policy "$T/expired"
ask 1 -n 'BEGIN { @ = count(); }'
says "h1: policy: the key that signed the run is not on this host's list of keys"

what='a key that is revoked'
policy "$T/listed"
begin_run h1 -d 50 -n 'BEGIN { @ = count(); }'
grep -v ^key "$T/listed" >"$T/none"
policy "$T/none"
wait $viewer
status=$?
checks=$((checks + 1))
[ $status = 1 ] || wrong "$what: status $status"
says 'h1: ended: policy: the key that signed the run is revoked'
says '1 host asked: 0 whole, 1 partial'

what='a policy with a mistake'
policy "$T/listed"
echo 'seconds soon' >"$T/policy"
until_true $LONG grep -q 'policy .*: line 1: seconds: needs a number' "$T/h1.log" || wrong "$what: the log has no message"
ask 0 -n 'BEGIN { @ = count(); exit(0); }'
what='SIGHUP'
cp "$T/listed" "$T/policy.new"
mv "$T/policy.new" "$T/policy"
kill -HUP "${agent[h1]}"
ask 0 -n 'BEGIN { @ = count(); exit(0); }'
finish
