# Captures and aggregation files of another user, damaged at random. Root's replay prints END's
# output, and names the file if it fails. Root's --merge names the damaged file. No run ends by a
# signal.
. tests/cli/lib.bash
[ "$(id -u)" = 0 ] || skip 'only root can become somebody else'
for tool in setpriv python3; do command -v $tool >/dev/null || skip "no $tool"; done
user=1879048123 # no user has this number
mkdir "$tmp/user"
chown $user:$user "$tmp/user"
as_user() { setpriv --reuid $user --regid $user --clear-groups "$@"; }

# Copies of captures with wrong bytes after the file header, some of them truncated, and copies of
# an aggregation file with wrong bytes and a valid checksum.
"$DTRACE" -qr $pcap -x aggout="$tmp/agg" -x aggoutonly -n 'ip:::send { @[args[2]->ip_saddr] = quantize(args[2]->ip_plength); @n = count(); }'
chmod 644 "$tmp/agg"
python3 - "$tmp/user" "$tmp/agg" tests/pcap/{dns,frags,tcpoptions}.pcap tests/pcap/{owners,ifaces}.pcapng <<'PY' || skip 'no damaged files'
import random, struct, sys

def checked(b):
    h = 0xcbf29ce484222325
    for c in b:
        h = (h ^ c) * 0x100000001b3 % 2**64
    return b + struct.pack("<Q", h)

where, agg, *captures = sys.argv[1:]
r = random.Random(2)
for i in range(40):
    b = bytearray(open(captures[i % len(captures)], "rb").read())
    for k in range(1 + i % 8):
        at = r.randrange(40, len(b))
        b[at] = r.choice((0, 0xff, 0x80, r.randrange(256)))
    if i % 4 == 0:
        b = b[:r.randrange(40, len(b))]
    open("%s/%d.cap" % (where, i), "wb").write(b)
    b = bytearray(open(agg, "rb").read()[:-8])
    for k in range(1 + i % 4):
        b[r.randrange(8, len(b))] = r.choice((0, 0xff, 0x80, r.randrange(256)))
    open("%s/%d.agg" % (where, i), "wb").write(checked(bytes(b)))
PY
chown -R $user:$user "$tmp/user"
every='dns:::query,dns:::response,ip:::send,ip:::receive,tcp:::state-change,udp:::receive { @[probename] = count(); }
	tcp:::send { printf("%S %S\n", args[1]->cs_execname, args[1]->cs_psargs); }
	dns:::query { printf("%S\n", args[4]->dns_name); } END { printf("the end\n"); }'
for ((i = 0; i < 40; i++)); do
	run -qr "$tmp/user/$i.cap" -n "$every"
	checks=$((checks + 1))
	case $status in 0 | 1) ;; *) wrong "status $status" ;; esac
	out_has '^the end$'
	[ "$status" = 0 ] || err_has "^dtrace: $tmp/user/$i.cap: "
	run --merge "$tmp/user/$i.agg" "$tmp/agg"
	checks=$((checks + 1))
	case $status in
	0) out_has '[0-9]' ;;
	1) err_has "^dtrace: ($tmp/user/$i.agg is a damaged or incomplete aggregation file$|$tmp/user/$i.agg is not an aggregation file|$tmp/user/$i.agg is an aggregation file of another version|$tmp/user/$i.agg and $tmp/agg )" ;;
	*) wrong "status $status" ;;
	esac
done

# A privileged process opens the files that -x follow watches. Only root can end it.
mkdir "$tmp/hosts"
chmod 777 "$tmp/hosts"
as_user cp "$tmp/agg" "$tmp/hosts/theirs"
cp "$tmp/agg" "$tmp/hosts/ours"
chmod 644 "$tmp/hosts/ours"
what='-x follow'
timeout 180 "$DTRACE" --merge -x follow -x anyprogram "$tmp/hosts" >"$out" 2>"$err" </dev/null &
pid=$!
for ((i = 0; i < 2400; i++)); do
	dtrace=$(cat /proc/$pid/task/$pid/children 2>/dev/null) && dtrace=${dtrace% }
	opener=$(cat "/proc/$dtrace/task/$dtrace/children" 2>/dev/null) && opener=${opener% }
	[ "$(cat "/proc/$opener/comm" 2>/dev/null)" = dtrace-opener ] && grep -qs '^CapEff:.0*$' "/proc/$dtrace/status" && break
	sleep 0.05
done
# The parsing process has no privileges, so the user's files cannot gain root's. The privileged
# process parses nothing.
checks=$((checks + 1))
[ "$i" -lt 2400 ] || wrong 'the process that parses has rights'
as_user kill -KILL "$opener" 2>/dev/null && wrong 'another user can end the opener'
kill -KILL "$opener"
wait $pid
status=$?
status 1
err_has '^dtrace: the process that opens the files has died$'
finish
