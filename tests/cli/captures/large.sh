# Captures of more than 2 GB, as a file and through a pipe: the last packet is read too.
. tests/cli/lib.bash
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }
# A sparse file: 9,000 packets, but only their headers are written.
python3 - "$tmp/large.pcap" <<'END' || exit 1
import struct, sys
N, SIZE = 9000, 262144
ip = struct.pack('>BBHHHBBH8s', 0x45, 0, 60000, 0, 0, 64, 17, 0, bytes([192, 0, 2, 1, 192, 0, 2, 2]))
with open(sys.argv[1], 'wb') as f:
    f.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, SIZE, 101))
    for i in range(N):
        f.seek(24 + i * (16 + SIZE))
        f.write(struct.pack('<IIII', 1700000000 + i, 0, SIZE, SIZE) + ip)
    f.truncate(24 + N * (16 + SIZE))
END
prog='ip:::receive { @n = count(); @bytes = sum(args[2]->ip_plength); last = timestamp; }
	END { printf("%d\n", last / 1000000000); }'
want='1700008999

             9000
        539820000'
succeeds -q -r "$tmp/large.pcap" -n "$prog"
out "$want"
what='cat large.pcap | dtrace -r -'
cat "$tmp/large.pcap" | timeout 300 "$DTRACE" -q -r - -n "$prog" >"$out" 2>"$err"
status=$?
status 0
err ''
out "$want"

# A file truncated after its second gigabyte is reported, and earlier packets are counted.
truncate -s -1 "$tmp/large.pcap"
run -q -r "$tmp/large.pcap" -n "$prog"
status 1
out_has '^ +8999$'
err_has 'packet 9000|cut|ends'
finish
