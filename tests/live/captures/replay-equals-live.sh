# A capture is replayed into a namespace with tcpreplay. For each source and destination, dtrace
# counts live as many packets as in a replay of the file. This includes frames over 4 KB, whose IP
# header is not in the linear part of the socket buffer.
. "$(dirname "$0")/../lib.bash"
need tcpreplay python3

ns tx rx
veth tx out rx in 65000
python3 "$LIVE/helpers/mkframes" 4800 "$(mac rx in)" "$T/frames.pcap"

# send MORE...: sends the file with tcpreplay and the options MORE
send() {
	in_ns tx tcpreplay -q -i out "$@" "$T/frames.pcap" >"$T/tcpreplay.log" 2>&1 ||
		fail "tcpreplay: $(cat "$T/tcpreplay.log")"
	grep -E 'Failed packets: +[1-9]' "$T/tcpreplay.log" && fail 'tcpreplay lost packets'
}

# both NAME PREDICATE ACTIONS MORE...: compares a live run of the actions with a replay of the file.
# MORE has options of tcpreplay.
both() {
	local name=$1 pred=$2 body=$3 end
	shift 3
	end='END { printa("%s %@d\n", @src); printa("%s\n%@d\n", @dst); }'
	"$DTRACE" -qr "$T/frames.pcap" -n "ip:::receive { $body }" -n "$end" >"$T/$name.want" 2>&1
	settled rx || return
	dt_start "$name" -x footer -n "ip:::receive /$pred/ { $body }" -n "$end" || return
	send "$@"
	settled rx || return
	dt_stop "$name"
	lossless "$name"
	# Only the live run prints READY (dt_start).
	sed -i '/^READY$/d; /^$/d' "$T/$name.out"
	sed -i '/^$/d' "$T/$name.want"
	sort "$T/$name.want" >"$T/want"
	sort "$T/$name.out" >"$T/got"
	same_files "$name" "$T/want" "$T/got"
}

body='@src[args[2]->ip_saddr] = count(); @dst[args[2]->ip_daddr] = quantize(args[2]->ip_plength);'
both by-name 'args[3]->if_name == "in"' "$body" --topspeed
both by-namespace "args[3]->if_ipstack == $(inum rx)" "$body" --pps=3000

# Tests more fields. The sum adds two fields of each packet, so a field of another packet would change
# the sum.
body='@src[args[4]->ipv4_saddr] = sum(args[4]->ipv4_ident + args[2]->ip_ver * 65536);
	@dst[args[5]->ipv6_daddr] = quantize(args[5]->ipv6_plen);'
both fields "args[3]->if_ipstack == $(inum rx)" "$body" --topspeed

same 'number of frames in the file' 4800 "$(awk 'NF == 2 && $2 ~ /^[0-9]+$/ { n += $2 } END { print n }' "$T/by-name.out")"
finish
