# -x listen: the process that parses HTTP has no privileges. No client can block others or make
# dtrace do extra work.
. tests/cli/lib.bash
command -v python3 >/dev/null || skip 'no python3'
plain=$DTRACE
grep -q __asan_init "$DTRACE" && plain=${DTRACE_PLAIN:-}

start() { # start COMMAND ARGS...: sets $pid, and $url of the metrics
	: >"$err"
	"$@" -x listen=127.0.0.1:0 >"$out" 2>"$err" &
	pid=$!
	for _ in {1..900}; do
		url=$(sed -n 's/^dtrace: metrics are at //p' "$err")
		[ -n "$url" ] && return
		sleep 0.1
	done
	wrong "no metrics: $(head -n 3 "$err")"
	finish
}
end() {
	kill -INT $pid
	wait $pid
	status=$?
}
cat >"$tmp/client.py" <<'EOT2'
import http.client, socket, sys, threading, time, urllib.parse

url = urllib.parse.urlsplit(sys.argv[2])
host = (url.hostname, url.port)

def get(method="GET", path=url.path, **headers):
    c = http.client.HTTPConnection(*host, timeout=60)
    c.request(method, path, headers=headers)
    r = c.getresponse()
    body = r.read()
    c.close()
    return r.status, body

def status(name):
    print(get(Host=name)[0])

# Connections that send one request line now and then, and never finish.
def slow():
    socks = [socket.create_connection(host, timeout=60) for _ in range(80)]
    def speak(line):
        for s in socks:
            try:
                s.send(line)
            except OSError:
                pass
    def on():
        while True:
            speak(b"X-More: 1\r\n")
            time.sleep(0.5)
    speak(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n")
    threading.Thread(target=on, daemon=True).start()
    for _ in range(5):
        print(get()[0])
        time.sleep(1)

# Three clients that request in a loop. Prints the number of answers, of different texts, and of
# seconds.
def greedy():
    seen, n, began = set(), [0], time.monotonic()
    def ask():
        while time.monotonic() < began + 5 or n[0] < 100:
            seen.add(get()[1])
            n[0] += 1
    all = [threading.Thread(target=ask) for _ in range(3)]
    for t in all:
        t.start()
    for t in all:
        t.join()
    print(n[0], len(seen), int(time.monotonic() - began) + 1)

# Connections that ask and do not read the answer, which is larger than the sockets' buffers.
def deaf():
    socks = []
    for _ in range(100):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        s.settimeout(60)
        s.connect(host)
        s.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        socks.append(s)
    time.sleep(1)
    for _ in range(5):
        print(get()[0])

# A connection that sends nothing is closed.
def silent():
    s = socket.create_connection(host, timeout=60)
    print(len(s.recv(1)))

{"status": lambda: status(sys.argv[3]), "slow": slow, "greedy": greedy, "deaf": deaf, "silent": silent}[sys.argv[1]]()
EOT2
client() { python3 "$tmp/client.py" "$1" "$url" "${@:2}"; }
said() { # said WHAT WANTED COMMAND...
	local got

	checks=$((checks + 1))
	got=$("${@:3}" 2>&1 | tr '\n' ' ')
	[ "$got" = "$2 " ] || wrong "$1: $got, not $2"
}

program='ip:::receive { @ = count(); }'
what='host names in requests'
start "$DTRACE" -r $pcap -x oformat=prometheus -n "$program"
port=${url##*:}
port=${port%/*}
for name in "127.0.0.1:$port" 192.0.2.7 '[2001:db8::1]:80' localhost LOCALHOST:80 "$(uname -n):$port"; do
	said "$name" 200 client status "$name"
done
for name in example.com "example.com:$port" localhost.example.com 127.0.0.1.example.com '[example.com]' "x$(uname -n)"; do
	said "$name" 403 client status "$name"
done

what='slow clients'
said 'the others' '200 200 200 200 200' client slow
what='a silent client'
said 'what it gets' 0 client silent
end
status 0

what='clients that do not read'
python3 - >"$tmp/many.pcap" <<'EOT2'
import struct, sys
out = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)
for i in range(10000):
    ip = struct.pack(">BBHHHBBHII", 0x45, 0, 28, 1, 0, 64, 17, 0, 0x0a000000 + i, 0x0a010001)
    ip += struct.pack(">HHHH", 1, 9, 8, 0)
    out += struct.pack("<IIII", 1600000000, i, len(ip), len(ip)) + ip
sys.stdout.buffer.write(out)
EOT2
start "$DTRACE" -r "$tmp/many.pcap" -x oformat=prometheus -x promkeys=0 -n 'ip:::send {
	@[args[2]->ip_saddr] = lquantize(args[2]->ip_saddr[7], 0, 200); }' # 8 MB
said 'the others' '200 200 200 200 200' client deaf
end
status 0

# The answering process is a grandchild of the process $1.
answers() { pgrep -P "$(pgrep -P "$1" | head -n 1)" 2>/dev/null | head -n 1; }
what='the end of the process that answers'
start "$DTRACE" -r $pcap -x oformat=prometheus -n "$program"
said 'before' 200 client status localhost
for _ in 1 2; do
	kill -KILL "$(answers $pid)"
	said 'another one' 200 client status localhost
done
end
status 0
checks=$((checks + 1))
[ "$(grep -c '^dtrace: the process that answers HTTP ended; another one starts within 10 seconds$' "$err")" = 2 ] ||
	wrong "said $(cat "$err")"

if [ "$(id -u)" = 0 ]; then
	what='clients that ask in a loop'
	start "$DTRACE" -x oformat=prometheus -n 'tick-1ms { @ = sum(timestamp); }'
	checks=$((checks + 1))
	read -r answers texts seconds < <(client greedy)
	# If a text were made for each answer, the texts would all differ.
	[ "${answers:-0}" -ge 100 ] && [ "$texts" -le $((seconds + 1)) ] ||
		wrong "$answers answers of $texts texts in $seconds seconds"
	end
	status 0
fi

[ -x "$plain" ] || { finish; exit; }
has() { # has PID NAME WANTED
	said "$2" "$3" sed -n "s/^$2:[ 	]*//p" /proc/$1/status
}
what='the rights of the process that answers'
start "$plain" -r $pcap -x oformat=prometheus -n "$program"
for process in "$(answers $pid)" $pid; do
	has $process Seccomp 2
	has $process NoNewPrivs 1
	has $process CapEff 0000000000000000
	has $process CapPrm 0000000000000000
done
[ "$(id -u)" = 0 ] && said 'its user' 'another one' sh -c \
	"[ \$(awk '/^Uid:/ { print \$2 }' /proc/$(answers $pid)/status) != 0 ] && echo another one"
end
status 0
what='the process that answers, started again without privileges'
start "$plain" -r $pcap -x oformat=prometheus -n "$program"
said 'before' 200 client status localhost
kill -KILL "$(answers $pid)"
said 'another one' 200 client status localhost
end
status 0
finish
