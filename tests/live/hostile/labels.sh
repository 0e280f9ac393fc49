# Hostile names of an interface, a control group, a container, a network namespace and static
# probes: escape sequences, C1 control characters as single bytes, direction marks, quotes and
# markup. They harm neither a terminal nor a file, in any output form.
. "$(dirname "$0")/../lib.bash"
need cc perl python3 iconv

CONTROLS='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]'
harmless() { # harmless WHAT FILE
	if LC_ALL=C grep -aqP "$CONTROLS" "$2"; then
		fail "$1: controls: $(LC_ALL=C grep -aP "$CONTROLS" "$2" | cat -v | head -n 3 | cut -c 1-300)"
	elif ! iconv -f UTF-8 -t UTF-8 "$2" >/dev/null 2>&1; then
		fail "$1: bytes that are no UTF-8: $(cat -v "$2" | head -n 3 | cut -c 1-300)"
	elif grep -aE '^ *forged' "$2"; then
		fail "$1: a forged line"
	else
		echo "ok: $1: harmless"
	fi
}
well_formed() { # well_formed WHAT FORM FILE
	case $2 in
	json) python3 -c 'import json, sys; [json.loads(l) for l in open(sys.argv[1]) if l.strip()]' "$3" ;;
	*-svg | flame) python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$3" ;;
	html) ! grep -q '<b>' "$3" ;;
	esac || fail "$1: not well-formed"
}

# An interface with a hostile name, whose peer is in another namespace.
hostile=$'e\033[2J\233"<b>\342\201\246' # 13 bytes; the kernel allows 15
space=$'n\033[2J\233<b>'
ip netns add "$space" && ip link add name "$hostile" type veth peer name far netns "$space" ||
	skip 'ip(8) makes no interface or namespace whose name has control characters'
ip addr add 192.0.2.1/24 dev "$hostile"
ip link set "$hostile" up
ip -n "$space" addr add 192.0.2.2/24 dev far
ip -n "$space" link set far up
ip -n "$space" link set lo up
# A control group with a hostile name, and in it a control group with the name of a container.
group=
mkdir "$T/tree"
if mount -t cgroup2 none "$T/tree" && [ "$(stat -c %i "$T/tree")" = 1 ]; then
	group=$T/tree/$'evil\033[2J\r\233"<b>'$$
	box=$group/docker-$(printf '0123456789abcdef%.0s' 1 2 3 4).scope
fi
labels_end() {
	if [ -n "$group" ]; then
		for p in $(cat "$box/cgroup.procs"); do kill -KILL "$p"; done
		until rmdir "$box" "$group" || [ ! -d "$group" ]; do sleep 0.1; done
	fi 2>/dev/null
	umount "$T/tree"
	ip netns del "$space"
	live_end
}
trap labels_end EXIT
[ -z "$group" ] || mkdir -p "$box" || skip 'no control group can be made'

# Sends a datagram from each of the two addresses, 20 times a second.
cat >"$T/send.py" <<'END'
import ctypes, os, socket, sys, time
here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
there = os.open(sys.argv[1], os.O_RDONLY)
if ctypes.CDLL(None).setns(there, 0x40000000): # CLONE_NEWNET
    sys.exit("no namespace")
far = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    for s, to in ((here, "192.0.2.2"), (far, "192.0.2.1")):
        try:
            s.sendto(b"x", (to, 9))
        except OSError: # an answer of ICMP to an earlier datagram
            pass
    time.sleep(0.05)
END
traffic() {
	[ -z "$group" ] || echo $BASHPID >"$box/cgroup.procs"
	exec python3 "$T/send.py" "/run/netns/$space"
}
traffic &
busy=$!
for form in text json csv prometheus html folded flame heat-svg time-svg; do
	timeout 60 "$DTRACE" -q -x oformat=$form -n 'ip:::send /args[2]->ip_saddr == "192.0.2.1" || args[2]->ip_saddr == "192.0.2.2"/ {
		seen++;
		@i[args[3]->if_name] = count();
		@g[args[1]->cs_cgroup_path] = quantize(args[2]->ip_plength);
		@o[args[1]->cs_container, args[1]->cs_netns_name] = count();
		printf("%s %s %s %s\n", args[3]->if_name, args[1]->cs_cgroup_path, args[1]->cs_container, args[1]->cs_netns_name); }
		tick-100ms /seen > 3 && i++ == 14/ { exit(0); }' >"$T/out" 2>"$T/err" </dev/null || fail "$form: $(cat "$T/err")"
	[ -s "$T/out" ] || fail "$form: nothing"
	harmless "$form" "$T/out"
	harmless "$form: stderr" "$T/err"
	well_formed "$form" $form "$T/out"
	cp "$T/out" "$T/out.$form"
done
grep -qF 'e\x1b[2J\x9b"<b>\xe2\x81\xa6' "$T/out.text" || fail "no interface: $(head "$T/out.text")"
grep -qF 'n\x1b[2J\x9b<b>' "$T/out.text" || fail "no network namespace: $(head "$T/out.text")"
[ -z "$group" ] || grep -qF 'evil\x1b[2J\r\x9b"<b>' "$T/out.text" || fail "no control group: $(head "$T/out.text")"
# Hostile names as filters: messages about names that do not exist.
for option in netns cgroup iface; do
	timeout 60 "$DTRACE" -q -x $option=$'x\033[2J\n\233' -n 'udp:::send { exit(0); } tick-1s { exit(0); }' >"$T/out" 2>"$T/err" </dev/null
	harmless "-x $option" "$T/err"
done
kill $busy

# Static probes with hostile providers, names and functions, in the notes of a program.
cat >"$T/notes.c" <<'C'
#include <unistd.h>
__attribute__((noinline)) void function_with_probe(void)
{
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n"
		".asciz \"provider_evil\"\n.asciz \"probename_evil\"\n.asciz \"\"\n994: .balign 4\n.popsection\n"
		".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",%progbits,.stapsdt.base,comdat\n"
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n");
}
int main(void) { for (;; usleep(10000)) function_with_probe(); }
C
cc -O1 -o "$T/plain" "$T/notes.c" || { fail 'no program'; finish; }
perl -0pe 's/provider_evil/prov\x1b[2J\nforg/g; s/probename_evil/name\x1b[2J\x9bforge/g; s/function_with_probe/fun\x1b[2J\nforged\x9b"<b>/g' \
	"$T/plain" >"$T/notes"
chmod 755 "$T/notes"
"$T/notes" &
evil=$!
sleep 0.3
timeout 60 "$DTRACE" -l -p $evil -n 'prov*$target:::' >"$T/out" 2>"$T/err" </dev/null
harmless '-l of static probes' "$T/out"
harmless '-l of static probes: stderr' "$T/err"
grep -qF 'name\x1b[2J\x9bforge' "$T/out" || fail "-l: no static probe: $(cat -v "$T/out" "$T/err" | head -n 5)"
for form in text json csv html; do
	timeout 60 "$DTRACE" -x oformat=$form -p $evil -n 'prov*$target:::nam* { printf("%s %s %s", probeprov, probefunc, probename);
		@[probeprov, probefunc, probename] = count(); } tick-100ms /i++ == 4/ { exit(0); }' >"$T/out" 2>"$T/err" </dev/null
	harmless "static probes, $form" "$T/out"
	harmless "static probes, $form: stderr" "$T/err"
	well_formed "static probes, $form" $form "$T/out"
	grep -q 'forge' "$T/out" || fail "$form: no static probe: $(cat -v "$T/out" "$T/err" | head -n 5)"
done
# Descriptions that match no probe: the messages suggest names from the process.
for probe in 'prov*$target:::nan*' 'pid$target:notes:fun*x:entry' 'prof*$target:::name'; do
	timeout 60 "$DTRACE" -x nohint=off -p $evil -n "$probe" >"$T/out" 2>"$T/err" </dev/null
	grep -q 'does not match any probes' "$T/err" || fail "$probe: $(cat -v "$T/err")"
	harmless "$probe" "$T/err"
done
kill $evil
finish
