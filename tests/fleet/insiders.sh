# Three insiders want more than the policy gives them: the owner of a listed key with few rights, a
# viewer whose key is not listed, and a user with an account on a host.
. tests/fleet/lib.bash
for c in python3 setpriv; do
	command -v $c >/dev/null || skip "no $c here"
done
network 0
# The folder $T/pub belongs to an unprivileged user, who may read nothing else in $T.
mkdir -m 755 "$T/pub"
chown nobody "$T/pub"
chmod 711 "$T"
user() { setpriv --reuid=nobody --regid=65534 --clear-groups "$@"; }
keys "replay $T/pub/*"
sed -i 's/^key \([0-9a-f]*\) .*/key \1 ann/' "$T/policy"
"$FLEET" keygen "$T/bob" | sed 's/^key \([0-9a-f]*\) .*/key \1 bob/' >>"$T/policy"
start_server
"$FLEET" setup || wrong setup
mkdir "$T/always.d"
ln -s "$T/secret" "$T/pub/metrics"
: >"$T/secret"
start_local h1 -v --always "$T/always.d" --labels "$T/labels" --metrics "$T/pub/metrics"
until_true $LONG there 1 || { wrong 'h1 does not come'; finish; }

ask() { # ask STATUS ARGS: runs a viewer with ARGS, and checks its exit status
	checks=$((checks + 1))
	timeout 60 "$FLEET" run -d 20 "${@:2}" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
}
works() { ask 0 -n 'BEGIN { @ = sum(7); exit(0); }'; } # ann can use h1
policy() { # policy LINE: adds the line to the policy, and waits until the agent has read it
	local n
	n=$(grep -c 'policy .* was read' "$T/h1.log")
	{ cat "$T/policy" && echo "$1"; } >"$T/policy.new" && mv "$T/policy.new" "$T/policy"
	was_read() { [ "$(grep -c 'policy .* was read' "$T/h1.log")" -gt "$n" ]; }
	until_true $LONG was_read || wrong "$what: the policy is not read again"
}

# Each of these programs is refused with the message that follows it.
what='programs that want to reach files, commands or the network'
wants=()
for option in capture=/tmp/x listen=127.0.0.1:9 probes=/dev/null libdir=/tmp cpppath=/bin/sh confine=off setenv=LD_PRELOAD=/tmp/x; do
	wants+=("#pragma D option $option"$'\nBEGIN { @ = count(); exit(0); }' "failed to set option '${option%%=*}'")
done
wants+=(
	$'#include "/etc/shadow"\nBEGIN { exit(0); }' 'need the C preprocessor'
	$'#line 1 "/etc/shadow"\nroot' 'root: \"/etc/shadow\", line 1: probe description :::root does not match any probes'
	'BEGIN { freopen("/tmp/x"); }' 'Destructive actions not allowed'
	'BEGIN { system("id"); }' 'Destructive actions not allowed'
)
capture=$PWD/tests/pcap/$(cd tests/pcap && printf '%s\n' ./*.pcap | head -n 1 | cut -c 3-)
for ((i = 0; i < ${#wants[@]}; i += 2)); do
	timeout 60 "$FLEET" run -k "$T/bob" -d 20 -r "$capture" -n "${wants[i]}" >"$T/want.$i" 2>&1 &
	viewers[i]=$!
done
for ((i = 0; i < ${#wants[@]}; i += 2)); do
	wait "${viewers[i]}" && wrong "$what: ${wants[i]}: status 0"
	checks=$((checks + 1))
	grep -q "h1: .*${wants[i + 1]}" "$T/want.$i" && ! grep -q "root:[x*!]*:" "$T/want.$i" || wrong "$what: ${wants[i]}: $(cat "$T/want.$i")"
done

what='programs that take very long to compile'
python3 - "$T" <<'P'
import sys
big = 'inline int a0 = pid;\n' + ''.join('inline int a%d = a%d + a%d;\n' % (i, i - 1, i - 1) for i in range(1, 40))
open(sys.argv[1] + '/bomb.0', 'w').write(big + 'BEGIN { @ = sum(a39); exit(0); }')
open(sys.argv[1] + '/bomb.1', 'w').write('BEGIN { @ = sum(' + '(' * 30000 + '1' + ')' * 30000 + '); exit(0); }')
open(sys.argv[1] + '/bomb.2', 'w').write('BEGIN { @ = sum(' + '1 ? 1 : ' * 8000 + '1); exit(0); }')
P
for i in 0 1 2; do
	timeout 60 "$FLEET" run -k "$T/bob" -d 20 -s "$T/bomb.$i" >"$T/bombed.$i" 2>&1 &
	viewers[i]=$!
done
works # while the viewers wait
for i in 0 1 2; do
	wait "${viewers[i]}" && wrong "$what: status 0"
	checks=$((checks + 1))
	grep -q '^dtrace-fleet: h1: dtrace: ' "$T/bombed.$i" && ! grep -q 'signal' "$T/bombed.$i" || wrong "$what: $i: $(cut -c 1-300 "$T/bombed.$i")"
done

what='a key that is for other hosts ends a run'
policy 'limit bob hosts web*'
begin_run h1 -d 50 -n 'tick-100ms { @ = sum(7); }'
"$FLEET" stop -k "$T/bob" "$id" || wrong "$what: the stop is not sent"
until_true $LONG grep -q "run $id: a request to end it is ignored: the keys of bob are not for this host, or not for its fleet" "$T/h1.log" || wrong "$what: $(tail -n 3 "$T/h1.log")"
checks=$((checks + 1))
[ ! -e "$T/h1/runs/$id/stop" ] || wrong "$what: the run ends: $(cat "$T/h1/runs/$id/stop")"
"$FLEET" stop "$id" || wrong "$what: the stop of ann is not sent"
wait $viewer
says '1 host asked: 1 whole'
policy 'limit bob hosts h*'

# requests N KEYFILE KIND [NAME [SECONDS]]: sends N requests that h1 refuses (run), or that end no run
# (stop). The IDs of the runs begin with "many" and NAME, or with "many" and KIND. The runs end in SECONDS
# (50).
requests() {
	python3 - "${SERVER%:*}" "${SERVER#*:}" "$@" <<'P'
import ctypes, socket, sys, time
host, port, n, seed, kind, *more = sys.argv[1:]
na = ctypes.CDLL('libsodium.so.23')
pub, sec, sig = (ctypes.create_string_buffer(k) for k in (32, 64, 64))
na.crypto_sign_seed_keypair(pub, sec, bytes.fromhex(open(seed).read().strip()))
s = socket.create_connection((host, int(port)))
f = s.makefile('rb')
f.readline()
s.sendall(b'CONNECT {"verbose":false}\r\n')
for i in range(int(n)):
    name = 'many%s%d' % (more[0] if more else kind, i)
    m = ('DTFLEET1\nask %s\nid %s\nfleet default\nhosts h1\nuntil %d\nseconds 9999\nrate 1000\n\nBEGIN\x1b[31m\xc2\x9b { @ = count(); }' % (kind, name, time.time() + int(more[1] if more[1:] else 50))).encode('latin-1')
    na.crypto_sign_detached(sig, None, m, ctypes.c_ulonglong(len(m)), sec)
    b = pub.raw + sig.raw + m
    s.sendall(b'PUB fleet.%s.%s %d\r\n%s\r\n' % (kind.encode(), (name + ('.x%d' % time.time_ns() if kind == 'stop' else '')).encode(), len(b), b))
s.sendall(b'PING\r\n')
while f.readline() not in (b'PONG\r\n', b''):
    pass
P
}
what='a key that wants to fill the audit stream'
requests 60 "$T/bob" run
requests 60 "$T/bob" stop
requests 60 "$T/bob" stop run # the runs are those that h1 has refused
until_true $LONG grep -q 'run manyrun59: ended by bob' "$T/h1.log" || wrong "$what: $(tail -n 3 "$T/h1.log")"
works
id=$(run_of "$T/err")
audited() { "$FLEET" audit >"$T/audit" 2>&1 && grep -q " ended .*$id" "$T/audit"; }
until_true 30 audited || wrong "$what: no entry about the run of ann: $(cat "$T/audit")"
checks=$((checks + 2))
n=$(grep -c 'bob .* many' "$T/audit")
[ "$n" -ge 1 ] && [ "$n" -le 20 ] || wrong "$what: $n entries"
[ "$(grep -c 'run manyrun.* of bob refused' "$T/h1.log")" = 60 ] || wrong "$what: the log has not all requests"

what='a key that wants the host to forget that ann has ended a run'
requests 1 "$T/bob" stop short 2
requests 1 "$T/key" stop short
requests 1 "$T/key" stop early
requests 4200 "$T/bob" stop flood
until_true $LONG grep -q 'run manyflood4199: ended by bob' "$T/h1.log" || wrong "$what: $(tail -n 3 "$T/h1.log")"
sleep 3
for name in short early; do
	requests 1 "$T/key" run $name
	checks=$((checks + 1))
	until_true $LONG grep -q "run many${name}0 of ann refused: " "$T/h1.log" || wrong "$what: $(tail -n 3 "$T/h1.log")"
	grep -q "run many${name}0 of ann refused: the viewer ended the run before it began here" "$T/h1.log" || wrong "$what: $(tail -n 3 "$T/h1.log")"
done

what='a key that wants to fill the audit stream with short runs'
policy "$("$FLEET" keygen "$T/dan" | sed 's/^key \([0-9a-f]*\) .*/key \1 dan/')"
policy 'limit dan daily 3'
short() { ask "$1" -k "$T/dan" -d 3 -n 'BEGIN { @ = sum(7); exit(0); }'; }
for i in 1 2 3; do
	short 0
done
short 1
says 'h1: policy: the key may start 3 runs in a day, and the next one in 2[0-9]{4} s'
works # ann can still run programs
sed -i '/^limit dan daily 3$/d' "$T/policy"
policy 'limit dan daily 20000' # dan has used up his runs, and gets a new one every 24 h / 20,000 = 4 s
again() { timeout 60 "$FLEET" run -k "$T/dan" -d 3 -n 'BEGIN { @ = sum(7); exit(0); }' >/dev/null 2>&1; }
until_true $LONG again || wrong "$what: a higher bound does not count"
entries() { "$FLEET" audit >"$T/audit" 2>&1 && [ "$(grep -c " $1 .*dan " "$T/audit")" -ge "$2" ]; }
checks=$((checks + 1))
entries accepted 4 && until_true $LONG entries refused 1 || wrong "$what: $(cat "$T/audit")"

what='control characters in what the commands print'
"$FLEET" keygen "$T/strange" >/dev/null
requests 1 "$T/strange" run # no policy lists this key
for command in runs audit hosts health; do
	checks=$((checks + 1))
	"$FLEET" $command >"$T/out" 2>&1
	[ -s "$T/out" ] && ! grep -q '[[:cntrl:]]' "$T/out" && ! grep -q $'\xc2\x9b' "$T/out" || wrong "$what: $command: $(cat -v "$T/out")"
done
checks=$((checks + 1))
cat >"$T/screen.py" <<'P'
import os, pty, sys
seen = b''
def read(fd):
    global seen
    b = os.read(fd, 65536)
    seen += b
    return b
pty.spawn(sys.argv[1:], read)
assert b'whole' in seen and b'red' in seen, seen
left = seen.replace(b'\r\n', b'\n').replace(b'\n', b'').replace(b'\t', b'')
assert not any(c < 32 or c == 127 for c in left) and b'\xc2\x9b' not in left, seen
P
timeout 60 python3 "$T/screen.py" "$FLEET" run -d 20 -n 'BEGIN { printf("\033[31mred\033]0;x\007\302\233\r"); @["\033[31mkey"] = count(); exit(0); }' </dev/null >"$T/out" 2>&1 || wrong "$what: on a terminal: $(cat -v "$T/out")"

what='keys that look like metrics'
begin_run h1 -d 50 -x listen=127.0.0.1:9377 -n 'BEGIN { @["\"} 1\nforged_total 7\n# \\"] = sum(7); }'
scraped() { (exec 3<>/dev/tcp/127.0.0.1/9377 && printf 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3 && cat <&3) >"$T/metrics" 2>/dev/null && grep -q forged "$T/metrics"; }
checks=$((checks + 1))
until_true 30 scraped || wrong "$what: no metrics: $(cat "$T/metrics" "$T/err")"
grep -q '^forged_total\|^# \\' "$T/metrics" && wrong "$what: $(cat "$T/metrics")"
"$FLEET" stop "$id"
wait $viewer

what='captures that a user without rights made'
user sh -c 'mkfifo "$1/fifo" && ln -s /etc/shadow "$1/link" && ln -s "$1/pub" "$1/up"' sh "$T/pub"
ask 1 -r "$T/pub/link" -n 'BEGIN { @ = count(); }'
says "h1: policy: the capture $T/pub/link leads to a file that may not be replayed"
ask 1 -r "$T/pub/fifo" -n 'BEGIN { @ = count(); }'
says "h1: failed to open $T/pub/fifo: it is not a regular file"

what='a capture that a user without rights exchanges for a link'
policy "replay $T/pub/*.pcap"
packets() { "$DTRACE" -qr "$1" -n 'ip:::send { @ = count(); }' | tr -d ' \n'; }
cp tests/pcap/seconds.pcap "$T/pub/good"
cp tests/pcap/"$(ls tests/pcap | grep -v seconds | grep -m 1 tcp)" "$T/private"
chmod 600 "$T/private"
good=$(packets "$T/pub/good") private=$(packets "$T/private")
[ "$good" != "$private" ] && [ "${private:-0}" -gt 0 ] || wrong "$what: the captures have $good and $private packets"
(exec setpriv --reuid=nobody --regid=65534 --clear-groups sh -c 'cd "$1" && while :; do cp good new && mv -T new x.pcap && ln -s "$2" new && mv -T new x.pcap; done' sh "$T/pub" "$T/private") &
exchanger=$!
until_true $LONG test -e "$T/pub/x.pcap" || wrong "$what: no capture"
exchanged() { # exchanged: of twelve runs, some have read the file and some were refused
	local i v=()
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		timeout 60 "$FLEET" run -d 20 -r "$T/pub/x.pcap" -n 'ip:::send { @ = count(); }' >"$T/x.$i" 2>&1 &
		v+=($!)
	done
	wait "${v[@]}"
	grep -Eq "^ +$private\$" "$T"/x.* && wrong "$what: dtrace has read the private file"
	grep -Eq "^ +$good\$" "$T"/x.* && grep -q 'leads to a file that may not be replayed' "$T"/x.*
}
checks=$((checks + 1))
exchanged || exchanged || exchanged || wrong "$what: $(cat "$T"/x.*)"
kill $exchanger
# Messages about a capture have its path.
head -c 100 "$T/pub/good" >"$T/pub/cut.pcap"
ask 1 -r "$T/pub/cut.pcap" -n 'ip:::send { @ = count(); }'
says "h1: dtrace: .*$T/pub/cut\.pcap.*"
checks=$((checks + 2))
[ -L "$T/pub/metrics" ] && [ ! -s "$T/secret" ] || wrong 'the metrics are written through a link of another user'
grep -q "failed to write $T/pub/metrics: the file is a link, in a folder that another user may write to" "$T/h1.log" || wrong "metrics: $(cat "$T/h1.log")"

what='the files of an agent'
checks=$((checks + 1))
user sh -c 'ls "$1/h1" || cat "$1/hostkey.h1" || cat "$1/h1/runs/"*/request' sh "$T" >"$T/out" 2>/dev/null && wrong "$what: another user can read them: $(cat "$T/out")"

what='a labels file, a program and a policy of another user'
echo role=db >"$T/labels"
chown nobody "$T/labels"
until_true $LONG grep -q 'labels: it belongs to another user (chown root)' "$T/h1.log" || wrong "$what: labels: $(tail -n 3 "$T/h1.log")"
echo 'BEGIN { @ = count(); }' >"$T/always.d/evil.d"
chown nobody "$T/always.d/evil.d"
until_true $LONG grep -q 'always evil: it belongs to another user (chown root)' "$T/h1.log" || wrong "$what: always: $(tail -n 3 "$T/h1.log")"
cp "$T/policy" "$T/theirs"
chown nobody "$T/theirs"
refuses() { # refuses RE ARGS: an agent does not start
	checks=$((checks + 1))
	timeout 60 "$FLEET" agent -H h2 "${@:2}" >"$T/out" 2>&1
	[ $? = 1 ] && grep -Eq "^dtrace-fleet: $1" "$T/out" || wrong "$what: $(cat "$T/out")"
}
refuses "policy $T/theirs: it belongs to another user \\(chown root\\)\$" -p "$T/theirs" -D "$T/h2"
chown root "$T/labels"
chmod 666 "$T/labels"
refuses 'labels: other users may write to it \(chmod 644\)$' -p "$T/policy" --labels "$T/labels" -D "$T/h3"

what="an agent's folder that another user made"
user mkdir -m 700 "$T/pub/agent"
refuses "$T/pub/agent: it belongs to another user \\(chown root\\)\$" -p "$T/policy" -D "$T/pub/agent"
mkdir -m 777 "$T/open"
chmod 777 "$T/open"
refuses "$T/open: other users may write to it \\(chmod 700\\)\$" -p "$T/policy" -D "$T/open"
mkdir -m 700 "$T/open/agent"
refuses "$T/open/agent: other users may write to a folder above it\$" -p "$T/policy" -D "$T/open/agent"
cp "$T/policy" "$T/open/policy"
refuses "policy $T/open/policy: other users may write to a folder above it\$" -p "$T/open/policy" -D "$T/h2"
finish
