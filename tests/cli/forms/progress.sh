# The progress line of a terminal while dtrace reads a capture: drawn, then erased before other
# output.
. tests/cli/lib.bash
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }
what='progress on a terminal'
python3 - "$DTRACE" $pcap >"$out" <<'END'
import os, pty, subprocess, sys, time
data = open(sys.argv[2], 'rb').read()
master, slave = pty.openpty()
p = subprocess.Popen([sys.argv[1], '-q', '-r', '-', '-n', 'ip:::receive { printf("<%s>\\n", probename); }'],
                     stdin=subprocess.PIPE, stdout=slave, stderr=slave)
os.close(slave)
p.stdin.write(data[:-1])
p.stdin.flush()
seen = b''
while b'\r10 packets, ' not in seen:    # the last packet lacks one byte
    seen += os.read(master, 4096)
p.stdin.write(data[-1:])
p.stdin.close()
try:
    while True:
        got = os.read(master, 4096)
        if not got:
            break
        seen += got
except OSError:                         # the other end of the terminal is closed
    pass
print(p.wait())
for line in seen.decode().replace('\r\n', '\n').split('\n'):
    print(line.replace('\r', '^').replace('\033[K', '$'))
END
status=$(head -n 1 "$out")
status 0
sed -i 1d "$out"
out_has '^\^10 packets, [0-9]+ packets/s\$\^'
# Output after the progress line begins with a carriage return.
checks=$((checks + 1))
grep -q 'packets/s\$[^^]' "$out" && wrong 'text is written after the progress line'
sed -i -E 's/\^[0-9]+ packets, [0-9]+ packets\/s\$//g; s/\^\$//g' "$out"
out "$(yes '<receive>' | head -n 10)

"
finish
