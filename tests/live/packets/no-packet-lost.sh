# dtrace never loses a packet. The test starts, stops and kills tracers whose programs fault on
# every packet, also in the hook that can refuse packets. Meanwhile every ping of a flood is
# answered, every datagram arrives, and streams arrive undamaged.
. "$(dirname "$0")/../lib.bash"
need ping
helper traffic

ns left right
veth left e0 right e0
addr left e0 10.5.1.1/24 fd05:1::1/64
addr right e0 10.5.1.2/24 fd05:1::2/64
unlimited left right
for a in 10.5.1.2 fd05:1::2; do in_ns left ping -qc 2 -i 0.01 $a >/dev/null; done
settled left right

# Clauses that fault after an aggregation, in a predicate, in a division, and in the cgroup hooks.
faulty='ip:::send { @a = count(); trace(*(int *)0); }
	ip:::send / *(int *)8 == 1/ { @b = count(); }
	ip:::receive { @c[args[2]->ip_saddr] = count(); printf("%d", 1 / (args[2]->ip_ver - args[2]->ip_ver)); }
	cgroup_skb:::egress, cgroup_skb:::ingress { trace(*(int *)16); }
	END { printf("events\n"); }'

# Starts tracers one after another and ends them with SIGINT or SIGKILL, until the file $T/stop
# exists.
harass() {
	local ms pid n=0
	while ! [ -e "$T/stop" ]; do
		for ms in 1 15 40 150 300; do
			"$DTRACE" -qn "$faulty" -b 16k >/dev/null 2>>"$T/tracers.err" &
			pid=$!
			sleep "$(printf '0.%03d' $ms)"
			if [ $((n % 3)) = 0 ]; then kill -KILL $pid; fi
			# A dtrace that is starting does not react to SIGINT yet, because background
			# commands of a shell ignore it.
			while kill -INT $pid 2>/dev/null; do sleep 0.05; done
			wait $pid 2>/dev/null
			n=$((n + 1))
		done
	done
	echo "$n" >"$T/tracers"
} 2>"$T/harass.err"

snmp left >"$T/left.from"
snmp right >"$T/right.from"
harass &
harasser=$!

for a in 10.5.1.2 fd05:1::2; do
	in_ns left ping -fqc 20000 $a >"$T/ping" 2>&1
	same "ping flood to $a" '20000 packets transmitted, 20000 received, 0% packet loss' \
		"$(sed -n 's/\(.*packet loss\).*/\1/p' "$T/ping")"
	background srv right "$T/traffic" serve "$a" 5001
	in_ns left "$T/traffic" tcp "$a" 5001 500000000 || fail 'the stream broke'
	same "bytes to $a" 500000000 "$(served srv)"
	background echo right "$T/traffic" echo "$a" 5002
	in_ns left "$T/traffic" ping "$a" 5002 5000 || fail 'an answer is missing'
	in_ns left "$T/traffic" udp "$a" 9 100 20000 || fail 'a datagram was refused'
done

touch "$T/stop"
wait "$harasser"
settled left right
snmp left >"$T/left.to"
snmp right >"$T/right.to"
same 'every datagram arrives' 40000 \
	"$(delta right Udp:NoPorts Udp:InDatagrams Ip6:Udp6NoPorts Ip6:Udp6InDatagrams)"
for n in left right; do
	same "$n: packets discarded" 0 \
		"$(delta $n Ip:OutDiscards Ip:InDiscards Ip6:Ip6OutDiscards Ip6:Ip6InDiscards)"
done
same 'the tracers reported faults' yes \
	"$(grep -q 'invalid address (0x0) in action #[0-9]* at' "$T/tracers.err" && echo yes)"
echo "$(cat "$T/tracers") tracers came and went"
finish
