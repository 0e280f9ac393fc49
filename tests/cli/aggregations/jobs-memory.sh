# Histograms with many keys use memory only for buckets in use. With -x jobs=8, the largest process
# takes less than twice the memory of a single process. The command's CPU time includes the time of
# all its processes.
. tests/cli/lib.bash
python3 - "$tmp/many.pcap" <<'P'
import struct, sys
out = bytearray(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101))
for i in range(60000):
    size = 28 + i % 1000
    ip = struct.pack('>BBHHHBBH4s4s', 0x45, 0, size, 0, 0, 64, 17, 0,
                     bytes((10, i % 20000 >> 16, i % 20000 >> 8 & 255, i % 20000 & 255)), bytes((192, 0, 2, 1)))
    udp = struct.pack('>HHHH', 1000, 2000, size - 20, 0)
    out += struct.pack('<IIII', 1000 + i // 1000, i % 1000, 28, size) + ip + udp
open(sys.argv[1], 'wb').write(out)
P
what='histograms of many keys'
measure() { # measure JOBS [FUNCTION]: prints the peak memory of the largest process, in KB
	python3 - "$DTRACE" "$tmp/many.pcap" "$1" "$tmp/out.$1${2:+.count}" "${2:-quantize(args[2]->ip_plength)}" <<'P'
import os, resource, subprocess, sys
with open(sys.argv[4], 'wb') as out:
    p = subprocess.Popen([sys.argv[1], '-qr', sys.argv[2], '-x', 'jobs=' + sys.argv[3], '-n',
                          'ip:::receive { @[args[2]->ip_saddr] = ' + sys.argv[5] + '; }'], stdout=out)
    _, status, usage = os.wait4(p.pid, 0)
print(usage.ru_maxrss if status == 0 else 0)
P
}
one=$(measure 1) eight=$(measure 8) count=$(measure 1 'count()')
checks=4
[ "$one" -gt 0 ] && [ "$eight" -gt 0 ] || wrong 'the memory could not be measured'
[ "$eight" -lt $((one * 2)) ] || wrong "$eight KB, one process takes $one"
# A full value of quantize() has 1,016 bytes, so 20,000 full values would take 20 MB. The histograms
# must take less than 12 MB more than counts.
[ "$count" -gt 0 ] && [ $((one - count)) -lt 12000 ] || wrong "$one KB, count() takes $count"
cmp "$tmp/out.1" "$tmp/out.8" || wrong 'one process and eight processes print different output'
[ "$(grep -c 10\\. "$tmp/out.1")" = 20000 ] || wrong 'not all keys are there'
# The command's CPU time includes the time of all processes.
what='CPU time of four processes'
cpu() { # cpu JOBS: prints the CPU time in milliseconds
	python3 - "$DTRACE" "$tmp/many.pcap" "$1" <<'P'
import os, subprocess, sys
q = ''.join('@q%d = quantize(args[2]->ip_plength + %d); ' % (i, i) for i in range(40))
p = subprocess.Popen([sys.argv[1], '-qr', sys.argv[2], '-x', 'nojit', '-x', 'jobs=' + sys.argv[3], '-n',
                      'ip:::receive { ' + q + '}'], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(p.pid, 0)
print(int((usage.ru_utime + usage.ru_stime) * 1000) if status == 0 else 0)
P
}
one=$(cpu 1) again=$(cpu 1) four=$(cpu 4)
[ "$again" -ge "$one" ] || one=$again
checks=$((checks + 1))
[ "$one" -gt 0 ] && [ "$four" -gt $((one * 6 / 10)) ] || wrong "$four ms, one process takes $one"
finish
