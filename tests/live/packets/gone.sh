# Devices, namespaces and sockets that disappear during the run: all their packets count, with the
# names that they had.
. "$(dirname "$0")/../lib.bash"
need ping

dt_start gone -x footer -n '
	ip:::send, ip:::receive / args[4]->ipv4_protocol == IPPROTO_ICMP /
	{
		@[probename, args[3]->if_name] = count();
	}
	END { printa("%s %s %@d\n", @); }'
for i in 1 2 3 4 5 6; do
	ns "a$i" "b$i"
	veth "a$i" "gone$i" "b$i" "gone-b$i"
	addr "a$i" "gone$i" 10.5.1.1/24
	addr "b$i" "gone-b$i" 10.5.1.2/24
	in_ns "a$i" ping -qc 5 -i 0.01 10.5.1.2 >/dev/null || fail "no answer in $i"
	# other packets are still in flight
	in_ns "a$i" timeout 1 bash -c 'while echo >/dev/udp/10.5.1.9/9; do :; done' 2>/dev/null &
	sleep 0.1
	ip netns del "a$i"
	ip -n "b$i" link del "gone-b$i" 2>/dev/null
	ip netns del "b$i"
done
dt_stop gone
for i in 1 2 3 4 5 6; do
	for d in "gone$i" "gone-b$i"; do
		for p in send receive; do echo "$p $d 5"; done
	done
done | sort >"$T/wanted"
grep ' gone' "$T/gone.out" | sort >"$T/seen"
same_files 'packets of devices that have disappeared' "$T/wanted" "$T/seen"
lossless gone
finish
