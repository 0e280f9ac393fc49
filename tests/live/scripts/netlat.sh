# netlat: for a reader that sleeps, the time until it reads is within 10 % of what the processes
# measure. The other stages are shown with their processes. (live/packets/age.sh compares the time
# in a queueing discipline.)
. "$(dirname "$0")/../lib.bash"
need python3

pair c s 10.187.0
cat >"$T/talk.py" <<'END'
import ctypes
import os
import socket
import sys
import time

name = sys.argv[1]
ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)


def now():
    return str(time.monotonic_ns()).encode().ljust(100)


def napping(s, n):
    """reads after a while: prints how long ago the data was sent, in microseconds"""
    while n:
        if not s.recv(10, socket.MSG_PEEK):        # waits for the data
            return
        time.sleep(0.2)
        sent = int(s.recv(65536))
        print((time.monotonic_ns() - sent) // 1000, flush=True)
        n -= 1


if name == "naptcp":
    with socket.create_server(("10.187.0.2", 7930)) as l:
        print("listening", flush=True)
        napping(l.accept()[0], 5)
elif name == "napudp":
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.bind(("10.187.0.2", 7931))
    print("listening", flush=True)
    napping(u, 5)
elif name == "sendtcp":
    c = socket.create_connection(("10.187.0.2", 7930))
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for i in range(5):
        c.send(now())
        time.sleep(0.5)
else:
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for i in range(5):
        u.sendto(now(), ("10.187.0.2", 7931))
        time.sleep(0.5)
END
for n in naptcp napudp; do
	background $n s python3 "$T/talk.py" $n || finish
done
script=$(realpath "$LIVE/../../scripts")/netlat.d
dt_start lat -x footer -s "$script" -x port=7930,7931
in_ns c python3 "$T/talk.py" sendtcp &
in_ns c python3 "$T/talk.py" sendudp
sleep 1.5
dt_stop lat
lossless lat

# near NAME: whether the stage's mean of that process is within 10 % of what it measured.
near() {
	awk -v name="$1" 'FILENAME == ARGV[1] && NF == 1 && $1 ~ /^[0-9]+$/ { sum += $1; n++ }
		FILENAME == ARGV[2] && $1 == "socket" && $4 == name { print $5, ($6 > sum / n * 0.9 && $6 < sum / n * 1.1), $6, sum / n }' \
		"$T/$1.srv" "$T/lat.out" | cut -d ' ' -f "${2:-1,2}"
}
same 'TCP, socket to process' '5 1' "$(near naptcp)" ": $(near naptcp 3-)"
same 'UDP, socket to process' '5 1' "$(near napudp)" ": $(near napudp 3-)"
same 'device to socket' 1 "$(awk '$1 == "device" && $4 == "naptcp" { print ($5 >= 5 && $7 < 100000) }' "$T/lat.out")"
same 'sender to queue, to driver' '1 1' "$(awk '$1 == "sender" && $4 == "sendtcp" { print ($5 >= 5) }' "$T/lat.out" | xargs)"

finish
