# A D program and dtrace's output write the same text for the bytes of an IPv6 address.
. tests/cli/lib.bash

# UDP payloads of 256 addresses, one for each set of zero groups, and of five special addresses,
# such as ::1 and an embedded IPv4 address.
python3 - "$tmp/a.pcap" <<'END'
import struct, sys

value = [0x1, 0x20, 0x300, 0xabcd, 0xf, 0xe0, 0x9ff, 0xffff]
adr = [[0 if set_ >> i & 1 else (value[(i + set_) % 8]) for i in range(8)] for set_ in range(256)]
adr += [[0] * 5 + [0xffff, 0xc000, 0x201], [0] * 6 + [0x7f00, 1], [0] * 7 + [2], [0] * 7 + [1], [0] * 8]
out = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)
for n, a in enumerate(adr):
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 44, 0, 0, 64, 17, 0, bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2]))
    p = ip + struct.pack(">HHHH", 1000, 2000, 24, 0) + struct.pack(">8H", *a)
    out += struct.pack("<IIII", n, 0, len(p), len(p)) + p
open(sys.argv[1], "wb").write(out)
END

cat >"$tmp/t.d" <<'END'
udp:::send
{
	this->p = (struct in6_addr *)(((struct sk_buff *)args[0]->pkt_addr)->data + 28);
	this->kept = inet_ntoa6(this->p);
	printf("%s %s %s %s %d %d %s\n", inet_ntoa6(this->p), strjoin(inet_ntoa6(this->p), ""), strjoin(this->kept, ""),
	    strjoin("", inet_ntop(10, this->p)), strlen(inet_ntoa6(this->p)), strlen(this->kept),
	    inet_ntop(10, this->p));
}
END
run -x checked -qr "$tmp/a.pcap" -s "$tmp/t.d"
status 0
what='addresses whose texts differ'
checks=$((checks + 1))
[ "$(grep -c . "$out")" = 261 ] || wrong "$(grep -c . "$out") lines, not 261"
# inet_ntop() writes the groups before an embedded IPv4 address; inet_ntoa6() does not.
awk 'function ntop(a) { return a !~ /:/ ? "(::|::ffff:)" a : a }
	NF && ($1 != $2 || $1 != $3 || $4 !~ "^" ntop($1) "$" || length($1) != $5 || $5 != $6 || $4 != $7)' "$out" >"$tmp/differ"
[ ! -s "$tmp/differ" ] || wrong "$(head -3 "$tmp/differ")"
finish
