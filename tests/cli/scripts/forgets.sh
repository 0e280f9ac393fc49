# The arrays of scripts, and of the dns provider, forget packets that never get an answer: SYNs, DNS
# queries, stray ACKs. Each capture has one such packet in every second. With 300 times as many packets, a script may need only
# little more memory.
. tests/cli/lib.bash
plain
command -v python3 >/dev/null || { echo 'no python3 here'; exit 77; }
cat >"$tmp/capture.py" <<'END'
import socket, struct, sys
kind, n = sys.argv[1], int(sys.argv[2])
out = [struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)]
for i in range(n):
    port = 1024 + (i & 1023) * 7
    if kind == "query":
        data = struct.pack(">HHHHHH", i & 0xffff, 0x100, 1, 0, 0, 0) + b"\1a\7example\0\0\1\0\1"
        l4, proto = struct.pack(">HHHH", port, 53, 8 + len(data), 0) + data, 17
    else:
        ack = kind == "ack"
        l4, proto = struct.pack(">HHIIBBHHH", port, 80, 1000 + i, ack * 7, 0x50, 16 if ack else 2, 65535, 0, 0), 6
    p = struct.pack(">BBHHHBBHI4s", 0x45, 0, 20 + len(l4), 1, 0, 64, proto, 0, 0x0a000000 + (i >> 10),
                    socket.inet_aton("192.0.2.2")) + l4
    out.append(struct.pack("<IIII", 1700000000 + i, 0, len(p), len(p)) + p)
sys.stdout.buffer.write(b"".join(out))
END
# Prints the largest size of the command's memory in KB. Status 3: replay gave up connections. The
# child's memory begins with that of python, so python loads little.
cat >"$tmp/size.py" <<'END'
import os, resource, sys
if not os.fork():
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.execv(sys.argv[1], sys.argv[1:])
assert os.waitstatus_to_exitcode(os.wait()[1]) in (0, 3)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
for kind in syn query ack; do
	for n in 1000 300000; do python3 "$tmp/capture.py" $kind $n >"$tmp/$kind.$n"; done
done
echo 'dns:::response { @ = max(args[4]->dns_latency); }' >"$tmp/latency.d"
while read -r script kind local; do
	what="memory of $script"
	text=scripts/$script.d
	[ -e "$text" ] || text=$tmp/$script.d
	checks=$((checks + 1))
	for n in 1000 300000; do
		size[n]=$(python3 -I -S "$tmp/size.py" "$DTRACE" -x conns=100 -x local="$local" -r "$tmp/$kind.$n" -s "$text") ||
			wrong "the script failed"
	done
	[ $((size[300000] - size[1000])) -lt 2000 ] ||
		wrong "1,000 packets (${kind}) need ${size[1000]} KB, and 300,000 need ${size[300000]} KB"
done <<'END'
connaudit syn 192.0.2.2
tcpwhy syn 192.0.2.2
gethostlatency query 10.0.0.0/8
dnslat query 10.0.0.0/8
tcpscan ack 192.0.2.2
latency query 10.0.0.0/8
END
finish
