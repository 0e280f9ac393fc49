# For a wrong command line, a bad key or an absent server, dtrace-fleet prints one line that quotes
# the words of the user.
set -u
export LC_ALL=C TZ=UTC ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # LeakSanitizer needs the rights that a command gives up
: "${FLEET:?must be the path of dtrace-fleet}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0 checks=0
unset DTRACE_FLEET_SERVER DTRACE_FLEET_KEY

says() { # says STATUS TEXT ARGUMENTS...: prints only TEXT, on standard error
	local want=$1 text="dtrace-fleet: $2" got
	shift 2
	timeout 30 "$FLEET" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	checks=$((checks + 1))
	[ "$got" = "$want" ] && [ "$(cat "$tmp/err")" = "$text" ] && [ ! -s "$tmp/out" ] && return
	echo "WRONG: dtrace-fleet $*: status $got, wanted $want; it says: $(cat "$tmp/err" "$tmp/out")"
	bad=1
}
nowhere=nats://127.0.0.1:1

# Help that the user requests is not an error.
for help in --help --version; do
	checks=$((checks + 1))
	"$FLEET" $help >"$tmp/out" 2>"$tmp/err" || { echo "WRONG: dtrace-fleet $help: status $?"; bad=1; }
	case $help,$(cat "$tmp/out" "$tmp/err") in
	--help,'usage: dtrace-fleet agent'*'man 8 dtrace-fleet.') ;;
	--version,"dtrace-fleet $(sed -n 's/^project(dtrace VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"*) ;;
	*)
		echo "WRONG: dtrace-fleet $help says: $(cat "$tmp/out" "$tmp/err")"
		bad=1
		;;
	esac
done

says 2 'agnt: no such command; the commands are agent, relay, run, show, stop, hosts, health, runs, audit, expect, retire, permit, setup, keygen' agnt
says 2 'x.d: run takes only options: -s FILE for a script, -n TEXT for a program' run -k k x.d
says 2 'more: agent takes only options' agent -S $nowhere more
says 2 'keygen: needs one file, for the key' keygen
says 2 'b: needs one file, for the key' keygen a b
says 2 "show: needs the ID of one run, which 'dtrace-fleet run' printed; or, with --from, the name of a program" show
says 2 "no/id: needs the ID of one run, which 'dtrace-fleet run' printed; or, with --from, the name of a program" show no/id
says 2 "stop: needs the ID of one run, which 'dtrace-fleet run' printed" stop
says 2 "no/id: needs the ID of one run, which 'dtrace-fleet run' printed" stop no/id
says 2 '-z: there is no such option; see man dtrace-fleet' run -z
says 2 '--zone: there is no such option; see man dtrace-fleet' run --zone
says 2 '-x: needs a value' run -x
says 2 '--keep: needs a value' run --keep
for what in expect retire; do
	says 2 "$what: needs names of hosts" $what
done
for option in -i --rate; do
	says 2 'soon: not a time in seconds; write 10 or 0.5, for example' run $option soon
done
for value in soon 0 0.5 2.9; do
	for option in -d --grace; do
		says 2 "$value: not a number of whole seconds; write 10, for example" run $option $value
	done
done
for value in soon 0.5; do
	says 2 "$value: not a time of at least a second; write 10, for example" agent --every $value
done
says 1 '-k: programs must be signed: name the file of a key (dtrace-fleet keygen FILE makes one)' run -n BEGIN
says 1 '-n: there is no program: give it with -n, or a script with -s' run -k "$tmp/k"
says 1 "$tmp/no.d: No such file or directory" run -k "$tmp/k" -s "$tmp/no.d"
says 1 'a b: not a name for a host: use letters, digits, - . and _' agent -H 'a b'
says 1 "failed to connect to $nowhere: No server available for connection; set the server's address with -S or DTRACE_FLEET_SERVER" \
	setup -S $nowhere
says 1 '-S: needs the address of the server, such as tls://NAME:4222' setup -D "$tmp/fleet" h1
for url in nats://a:4222 tls://a:b tls://a:0 tls://a:70000 tls:// 'tls://a/b' tls://a,x; do
	says 1 "${url#*,}: not tls://NAME:PORT" setup -D "$tmp/fleet" -S "$url" h1
done
says 1 'h1: the name is given twice' setup -D "$tmp/fleet" -S tls://a h1 --viewer h1
says 1 'a b: not a name: use letters, digits, - . and _' setup -D "$tmp/fleet" -S tls://a h1 --admin 'a b'
checks=$((checks + 1))
[ ! -e "$tmp/fleet" ] || { echo "WRONG: a wrong setup leaves $(find "$tmp/fleet")"; bad=1; }
for n in 0 6 many; do
	says 2 "$n: not a number of servers from 1 to 5" setup --replicas $n
done
# Mistakes in other options are reported by dtrace before any host is asked.
"$FLEET" keygen "$tmp/k2" >/dev/null
timeout 30 "$FLEET" run -S $nowhere -k "$tmp/k2" -x nosuchoption -n BEGIN >"$tmp/out" 2>"$tmp/err"
[ $? = 2 ] && [ "$(cat "$tmp/err")" = 'dtrace: failed to set -x nosuchoption: Invalid option name' ] ||
	{ echo "WRONG: -x nosuchoption: $(cat "$tmp/err")"; bad=1; }
checks=$((checks + 1))
# An agent without a server waits, and prints why. Without a machine ID (as in a clean root) it
# prints the command that makes one.
echo >"$tmp/policy"
expected="$nowhere does not answer yet; waiting for it"
[ -s /etc/machine-id ] || expected='/etc/machine-id: no machine ID (systemd-machine-id-setup makes one)'
timeout -s TERM 3 "$FLEET" agent -S $nowhere -H words -p "$tmp/policy" -D "$tmp/dir" >"$tmp/out" 2>"$tmp/err"
checks=$((checks + 1))
[ "$(cat "$tmp/err")" = "dtrace-fleet: $expected" ] ||
	{ echo "WRONG: the agent says: $(cat "$tmp/err")"; bad=1; }
# An invalid key file is reported before any host is asked.
"$FLEET" keygen "$tmp/k" >"$tmp/line" || bad=1
echo nonsense >"$tmp/none" && chmod 600 "$tmp/none" && cp "$tmp/k" "$tmp/open" && chmod 644 "$tmp/open"
says 1 "$tmp/none: no key (dtrace-fleet keygen makes one)" run -S $nowhere -k "$tmp/none" -n BEGIN
says 1 "$tmp/gone: no key (dtrace-fleet keygen makes one)" run -S $nowhere -k "$tmp/gone" -n BEGIN
says 1 "$tmp/open: others may read this key (chmod 600)" run -S $nowhere -k "$tmp/open" -n BEGIN
says 1 "$tmp/k: File exists" keygen "$tmp/k"
echo "$checks checks"
exit $bad
