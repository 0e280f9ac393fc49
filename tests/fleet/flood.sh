# A hostile host publishes messages as fast as it can, with its own certificate. Other hosts still
# report, viewers can still ask, and the server keeps the earlier messages of others. A host or
# viewer cannot make the server store the server's own answers, or take them for requests.
# shellcheck disable=SC2016,SC2046 # subjects have $; as() prints words
. tests/fleet/lib.bash
command -v openssl >/dev/null || skip 'no openssl command here'
command -v python3 >/dev/null || skip 'no python3 here'
network 0
keys
certificates h1 h2 viewer admin
start_secure h1 h2
"$FLEET" setup $(as admin) || wrong setup
"$FLEET" expect $(as admin) h1 h2 || wrong expect
start_local h2 -v $(as h2)

ask() { # ask: asks h2, and sets $id
	checks=$((checks + 1))
	timeout $((2 * LONG)) "$FLEET" run $(as viewer) -t h2 -d 20 -n 'BEGIN { @ = sum(7); printf("line\n"); exit(0); }' >"$T/out" 2>"$T/err" &&
		[ "$(tr -d ' \n' <"$T/out")" = h2:line7 ] || wrong "$what: $(cat "$T/out" "$T/err")"
	id=$(run_of "$T/err")
}
# number STREAM NAME: prints a number of the stream's state.
number() { python3 tests/fleet/hostile.py $SERVER "$T/tls" admin ask "\$JS.API.STREAM.INFO.$1" | sed -n "s/.*\"state\":.*\"$2\":\([0-9]*\).*/\1/p"; }

what='before the flood'
registered() { "$FLEET" hosts $(as viewer) | grep -q '^h2 .* expected .*[0-9a-f]$'; }
until_true $LONG registered || { wrong 'h2 does not register'; finish; }
ask
first=$id before=$(number FLEET_STATE_h2 messages)

flood() { # flood SIZE SUBJECT [REPLY]: starts a flood in the background (see hostile.py)
	python3 tests/fleet/hostile.py $SERVER "$T/tls" h1 flood "$@" 2>"$T/flood.err" &
	flooder=$!
	until_true $LONG flowing || wrong "$what: nothing is stored"
}
end_flood() {
	kill -0 $flooder || wrong "$what: the flood has ended: $(cat "$T/flood.err")"
	kill -9 $flooder
	wait $flooder 2>/dev/null
}
# Succeeds when the host has sent more than its stream may hold, so that the stream has lost its
# first messages.
flowing() { [ "$(number FLEET_STATE_h1 first_seq)" -gt 1 ]; }

what='a flood of large messages for runs that do not exist'
flood 4000000 'fleet.state.zz%.h1.00.1'
ask
end_flood
checks=$((checks + 1))
[ "$(number FLEET_STATE_h1 bytes)" -le $((64 << 20)) ] || wrong "$what: the host has $(number FLEET_STATE_h1 bytes) bytes"

# A message names the subject for the server's answer. If a stream has this subject, the server
# could store the answer in the stream.
what='a flood whose answers go to the streams of others'
for to in 'fleet.run.zz%' "fleet.state.$first.h2.%.1"; do
	flood 10 "fleet.state.$first.h1.%.1" "$to"
	ask
	end_flood
done
checks=$((checks + 2))
[ "$(number FLEET_RUNS messages)" = 4 ] || wrong "$what: there are $(number FLEET_RUNS messages) requests"
[ "$(number FLEET_STATE_h2 messages)" = $((before + 3)) ] || wrong "$what: h2 has $(number FLEET_STATE_h2 messages) messages, and had $before"

hostile() { python3 tests/fleet/hostile.py $SERVER "$T/tls" "$@"; }
what='a viewer whose answers go to streams, or are orders to the server'
: >"$T/empty"
echo '{"last_by_subj":"fleet.run.empty"}' >"$T/last"
hostile viewer put "$T/empty" fleet.run.empty | grep -q '"seq"' || wrong "$what: no request is stored"
hostile viewer put "$T/last" '$JS.API.DIRECT.GET.FLEET_RUNS' | grep -q '^Nats-Subject: fleet.run.empty' || wrong "$what: the request cannot be read"
plans=$(number KV_FLEET_HOSTS messages)
for to in '$KV.FLEET_HOSTS.plan.h2.zz' '$KV.FLEET_HOSTS.host.h2.zz' "fleet.state.$first.h2.zz.1" \
	'$JS.API.STREAM.PURGE.FLEET_STATE_h2' '$JS.API.STREAM.DELETE.FLEET_STATE_h1'; do
	hostile viewer send "$T/last" '$JS.API.DIRECT.GET.FLEET_RUNS' "$to" || wrong "$what: $to"
done
ask
checks=$((checks + 3))
[ "$(number KV_FLEET_HOSTS messages)" = "$plans" ] || wrong "$what: there are $(number KV_FLEET_HOSTS messages) plans, and were $plans"
[ "$(number FLEET_STATE_h2 messages)" = $((before + 4)) ] || wrong "$what: h2 has $(number FLEET_STATE_h2 messages) messages, and had $before"
[ -n "$(number FLEET_STATE_h1 messages)" ] || wrong "$what: the stream of h1 is gone"

# A consumer (an object of NATS that reads a stream) takes memory of the server. Hosts read requests
# without consumers, and may not create any.
what='a host that wants to make consumers'
consumers() { hostile admin ask '$JS.API.STREAM.INFO.FLEET_RUNS' | sed -n 's/.*"consumer_count":\([0-9]*\).*/\1/p'; }
ask
no_consumers() { [ "$(consumers)" = 0 ]; }
until_true 10 no_consumers || wrong "$what: the agent of h2 has $(consumers) consumers"
for kind in push pull; do
	config='"headers_only":true,"ack_policy":"none","deliver_policy":"all"'
	[ $kind = pull ] || config+=",\"deliver_subject\":\"fleet.state.$first.h2.yy.1\""
	echo "{\"stream_name\":\"FLEET_RUNS\",\"config\":{$config}}" >"$T/consumer"
	echo "{\"stream_name\":\"FLEET_RUNS\",\"config\":{\"durable_name\":\"mine\",$config}}" >"$T/durable"
	for api in '$JS.API' fleet.api; do
		for create in consumer=CREATE.FLEET_RUNS consumer=CREATE.FLEET_RUNS.mine durable=DURABLE.CREATE.FLEET_RUNS.mine; do
			checks=$((checks + 1))
			hostile h1 put "$T/${create%%=*}" "$api.CONSUMER.${create#*=}" | grep -q 'Permissions Violation for Publish' || wrong "$what: $kind $api ${create#*=}"
		done
	done
done
checks=$((checks + 2))
no_consumers || wrong "$what: there are $(consumers) consumers"

what='a host whose answers go to streams, or are orders to the server'
requests=$(number FLEET_RUNS messages) entries=$(number FLEET_AUDIT messages)
for to in "fleet.state.$first.h2.yy.1" '$KV.FLEET_HOSTS.plan.h2.yy' '$JS.API.STREAM.DELETE.FLEET_STATE_h2' fleet.run.yy fleet.audit.h2; do
	hostile h1 send "$T/last" fleet.api.DIRECT.GET.FLEET_RUNS "$to" || wrong "$what: $to"
	hostile h1 send "$T/empty" fleet.api.STREAM.INFO.FLEET_RUNS "$to" || wrong "$what: $to"
done
ask
checks=$((checks + 4))
[ "$(number KV_FLEET_HOSTS messages)" = "$plans" ] || wrong "$what: there are $(number KV_FLEET_HOSTS messages) plans, and were $plans"
[ "$(number FLEET_STATE_h2 messages)" = $((before + 6)) ] || wrong "$what: h2 has $(number FLEET_STATE_h2 messages) messages, and had $before"
[ "$(number FLEET_RUNS messages)" = $((requests + 1)) ] || wrong "$what: there are $(number FLEET_RUNS messages) requests, and were $requests"
[ "$(number FLEET_AUDIT messages)" -le $((entries + 2)) ] || wrong "$what: there are $(number FLEET_AUDIT messages) entries, and were $entries"

what='a stored message that looks like the server'\''s message that nobody listens'
checks=$((checks + 1))
hostile viewer status fleet.run.status | grep -q '"seq"' || wrong "$what: it is not stored"
ask

what='results from before the flood'
checks=$((checks + 1))
timeout 60 "$FLEET" show $(as viewer) "$first" >"$T/out" 2>"$T/err"
[ "$(tr -d ' \n' <"$T/out")" = h2:line7 ] || wrong "$what: $(cat "$T/out" "$T/err")"
finish
