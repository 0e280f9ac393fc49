# A reader sleeps before it reads. netlat shows this time, within 10 % of the time that the
# processes measure. It shows the other stages with their processes. (live/packets/age.sh compares
# the time in a queueing discipline.) "netlat conn" shows the same times, and counts the same
# packets in each stage.
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
    """Reads data n times, each time 0.2 s after it came, and prints its age in microseconds."""
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
    print("port", c.getsockname()[1])
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for i in range(5):
        c.send(now())
        time.sleep(0.5)
else:
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.connect(("10.187.0.2", 7931))
    print("port", u.getsockname()[1])
    for i in range(5):
        u.sendto(now(), ("10.187.0.2", 7931))
        time.sleep(0.5)
END
for n in naptcp napudp; do
	background $n s python3 "$T/talk.py" $n || finish
done
script=$(realpath "$LIVE/../../scripts")/netlat.d
dt_start lat -x footer -s "$script" -x port=7930,7931
dt_start conn -x footer -x port=7930,7931 -s "$script" conn
in_ns c python3 "$T/talk.py" sendtcp >"$T/sendtcp" &
tcp=$!
in_ns c python3 "$T/talk.py" sendudp >"$T/sendudp"
wait $tcp
sleep 1.5
dt_stop lat
dt_stop conn
lossless lat
lossless conn

# near NAME: prints the process's count in the stage from the socket, and whether the mean of this
# stage is within 10 % of what the process measured.
near() {
	awk -v name="$1" 'FILENAME == ARGV[1] && NF == 1 && $1 ~ /^[0-9]+$/ { sum += $1; n++ }
		FILENAME == ARGV[2] && $1 == "socket" && $4 == name { print $5, ($6 > sum / n * 0.9 && $6 < sum / n * 1.1), $6, sum / n }' \
		"$T/$1.srv" "$T/lat.out" | cut -d ' ' -f "${2:-1,2}"
}
same 'TCP: count and mean time from the socket to the process' '5 1' "$(near naptcp)" ": $(near naptcp 3-)"
same 'UDP: count and mean time from the socket to the process' '5 1' "$(near napudp)" ": $(near napudp 3-)"
same 'packets take little time from the device to the socket' 1 "$(awk '$1 == "device" && $4 == "naptcp" { print ($5 >= 5 && $7 < 100000) }' "$T/lat.out")"
same 'sent packets are in the stages from the sender to the queue and to the driver' '1 1' "$(awk '$1 == "sender" && $4 == "sendtcp" { print ($5 >= 5) }' "$T/lat.out" | xargs)"

# The output of "netlat conn": columns 4 to 9 are COUNT, MEAN, MAX, LPORT, RPORT, REMOTE.
at() { # at SENDER: prints the port of the sender
	sed -n 's/^port //p' "$T/$1"
}
by_conn() { # by_conn NAME LPORT RPORT REMOTE: prints the same as near(), but for one connection
	awk -v c="$2 $3 $4" 'FILENAME == ARGV[1] && NF == 1 && $1 ~ /^[0-9]+$/ { sum += $1; n++ }
		FILENAME == ARGV[2] && $1 == "socket" && $7 " " $8 " " $9 == c { print $4, ($5 > sum / n * 0.9 && $5 < sum / n * 1.1) }' \
		"$T/$1.srv" "$T/conn.out"
}
same 'netlat conn: TCP, count and mean time from the socket to the process' '5 1' "$(by_conn naptcp 7930 "$(at sendtcp)" 10.187.0.1)"
# If functions cannot be traced, a read shows the remote address of the socket. An unconnected
# socket has none.
remote="$(at sendudp) 10.187.0.1"
"$PLAIN" -en 'fbt::skb_consume_udp:entry { }' 2>"$T/refused" || remote='0 0.0.0.0'
same 'netlat conn: UDP, count and mean time from the socket to the process' '5 1' "$(by_conn napudp 7931 $remote)"
same 'netlat conn: UDP, packets from the device to the socket' 5 "$(awk -v c="7931 $(at sendudp) 10.187.0.1" '$1 == "device" && $7 " " $8 " " $9 == c { print $4 }' "$T/conn.out")"
same 'netlat conn: a TCP connection has lines for both ends' "device $(at sendtcp) 7930 10.187.0.2
device 7930 $(at sendtcp) 10.187.0.1
sender $(at sendtcp) 7930 10.187.0.2
sender 7930 $(at sendtcp) 10.187.0.1
socket 7930 $(at sendtcp) 10.187.0.1" "$(awk '$9 ~ /^10\./ && ($7 == 7930 || $8 == 7930) { print $1, $7, $8, $9 }' "$T/conn.out" | sort -u)" ''
stages() { # stages FILE COLUMN: prints the number of packets of each stage
	awk -v n="$2" '/^Microseconds/ { exit } $2 == "->" && $n ~ /^[0-9]+$/ { s[$1 " " $3] += $n } END { for (i in s) print i, s[i] }' "$1" | sort
}
stages "$T/lat.out" 5 >"$T/lat.n"
stages "$T/conn.out" 4 >"$T/conn.n"
same_files 'netlat and netlat conn count the same packets in each stage' "$T/lat.n" "$T/conn.n"
same 'netlat prints its usage for an unknown argument' 'usage: dtrace netlat [conn]' "$("$DTRACE" -s "$script" by-conn 2>&1 | grep .)"

finish
