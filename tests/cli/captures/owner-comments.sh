# A packet's owner comes from one comment: pid and name are never taken from two comments.
. tests/cli/lib.bash
command -v python3 >/dev/null || skip 'no python3'

# UDP packets from the ports 1, 2 ... Each has comments, and some have a pid in an option.
python3 - "$tmp/owners.pcapng" <<'PY'
import struct, sys
block = lambda kind, body: struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)
option = lambda code, v: struct.pack("<HH", code, len(v)) + v + bytes(-len(v) % 4)
note = lambda text: option(1, text.encode())
process = lambda pid: option(8, struct.pack("<I", pid))
packets = [
    note("PID: 11\nCmd: /bin/first") + note("PID: 12\nCmd: second"),
    note("PID: 21") + note("PID: 22\nCmd: second\nUser: b"),
    note("Cmd: nobody\nUser: a") + note("PID: 32\nCmd: second"),
    note("a remark") + note("PID: 42\nCmd: second") + note("Cmd: third"),
    process(51) + note("PID: 52\nCmd: other"),
    note("PID: 62\nCmd: other") + process(61),
    process(71) + note("PID: 71\nCmd: same"),
    note("PID: 81\nCmd: same") + process(81),
    note("PID: 91\nCmd: x\nPID: 92\nCmd: y"),
]
b = block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)) + block(1, struct.pack("<HHI", 101, 0, 0))
for n, options in enumerate(packets, 1):
    udp = struct.pack(">HHHH", n, 9, 8, 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28, 0, 0, 64, 17, 0, bytes((192, 0, 2, 1)), bytes((192, 0, 2, 2)))
    s = sum(struct.unpack(">10H", ip))
    s = (s & 0xffff) + (s >> 16)
    ip = ip[:10] + struct.pack(">H", ~s & 0xffff) + ip[12:] + udp
    b += block(6, struct.pack("<IIIII", 0, 0, n, len(ip), len(ip)) + ip + options + option(0, b""))
open(sys.argv[1], "wb").write(b)
PY
succeeds -qr "$tmp/owners.pcapng" -x local=192.0.2.1 -n 'udp:::send { printf("%d %d %s %s\n", args[4]->udp_sport, args[1]->cs_pid,
	args[1]->cs_execname, args[1]->cs_user); }'
out '1 11 first unknown
2 21 <unknown> unknown
3 32 second unknown
4 42 second unknown
5 51 <unknown> unknown
6 61 <unknown> unknown
7 71 same unknown
8 81 same unknown
9 91 x unknown
'
finish
