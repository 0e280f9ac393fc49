# dwatch: the program that it generates, its profiles on a capture, its filters.
. tests/cli/lib.bash

D=scripts/dwatch/dwatch
watch() { # watch ARGUMENTS: writes $out and $err
	what="dwatch $*"
	sh $D "$@" >"$out" 2>"$err"
	status=$?
}
times='2023 Nov 14 22:13:2'
said() { sed "s/^$times[0-9] //" "$out" | grep .; } # removes the times
says() { # says LINES: the output begins with these lines
	checks=$((checks + 1))
	[ "$(said | head -n "$(printf '%s\n' "$1" | wc -l)")" = "$1" ] && return
	wrong "$what"
	said | head
}

watch -X ip -- -r tests/pcap/udp.pcap
status 0
says 'ip: udp.pcap 192.0.2.1 -> 192.0.2.2 9 bytes
ip: udp.pcap 192.0.2.2 <- 192.0.2.1 9 bytes'
err_has 'INFO Sourcing ip profile \[found in .*/profiles\]'
err_has "INFO Watching 'ip:::send, ip:::receive' \.\.\."
watch -X ip-receive -- -r tests/pcap/udp.pcap
says 'ip-receive: udp.pcap 192.0.2.2 <- 192.0.2.1 9 bytes'
watch -X udp -- -r tests/pcap/udp.pcap
says 'udp: 192.0.2.1:1000 -> 192.0.2.2:53 9 bytes
udp: 192.0.2.2:53 <- 192.0.2.1:1000 9 bytes
udp: [2001:db8::1]:1001 -> [2001:db8::2]:53 10 bytes'
watch -X udplite-send -- -r tests/pcap/udplite.pcap
says 'udplite-send: 192.0.2.1:1001 -> 192.0.2.2:53 0 bytes
udplite-send: 192.0.2.1:1002 -> 192.0.2.2:53 12 bytes'
watch -X tcp -- -r tests/pcap/connections.pcap
says 'tcp: 192.0.2.1:40000 CLOSED->SYN_SENT 192.0.2.2:80
tcp: 192.0.2.1:40000 -? 192.0.2.2:80
tcp: 192.0.2.1:40000 -> 192.0.2.2:80
tcp: 192.0.2.2:80 <- 192.0.2.1:40000'
watch -X tcp-io -- -r tests/pcap/owners.pcapng
said >"$tmp/said"
[ "$(grep -c '5 bytes$' "$tmp/said")" = 4 ] || wrong 'tcp-io prints wrong numbers of bytes'
watch -X tcp-refused -- -r tests/pcap/connections.pcap
says 'tcp-refused: 192.0.2.2:81 X- 192.0.2.1:40002
tcp-refused: 192.0.2.1:40002 -X 192.0.2.2:81'
# Each profile compiles and has a description.
for p in $(sh $D -1Q); do
	watch -eX "$p"
	status 0
	head -n 1 "scripts/dwatch/profiles/$p" | grep -q "^# $p - " || wrong "the first line of $p does not describe the profile"
done
[ "$(sh $D -1Q | wc -l)" -ge 47 ] || wrong 'profiles are missing'
watch -1Q -r '^udp'
out "udp
udp-receive
udp-send
udplite
udplite-receive
udplite-send"
# Owner filters: names, numbers and regular expressions.
here='-x local=auto -r tests/pcap/owners.pcapng'
watch -X tcp-send -k curl -- $here
says '4294967295.- curl[1234]: 192.0.2.1:40000 -> 192.0.2.2:80 0 bytes
4294967295.- curl[1234]: 192.0.2.1:40000 -> 192.0.2.2:80 0 bytes'
err_has 'INFO Setting execname: curl'
counts() { # counts N: the output has N lines
	checks=$((checks + 1))
	[ "$(said | wc -l)" = "$1" ] && return
	wrong "$what: not $1 lines"
	said
}
counts 2
for k in 'cu*' '*rl' '*ur*'; do
	watch -X tcp-send -k "$k" -- $here
	counts 2
done
watch -X tcp-send -k nobody -k 'a-very*' -- $here
counts 2
watch -X tcp-send -p 80 -- $here
counts 2
watch -X tcp-send -p '^12' -- $here
counts 2
watch -X tcp-send -z . -- $here
counts 0
# A capture's process 1 is not the one that runs here.
LC_ALL=C sed 's/PID: 80/PID: 01/' tests/pcap/owners.pcapng >"$tmp/init.pcapng"
watch -X tcp-send -p '^1$' -- -x local=auto -r "$tmp/init.pcapng"
counts 2
for filter in -z -g; do
	watch -X tcp-send $filter . -- -x local=auto -qr "$tmp/init.pcapng"
	counts 0
done
watch -X tcp-send -N 3 -- $here
status 0
counts 3
watch -X tcp-send -r '80 5 bytes|again' -- $here
counts 0
watch -X tcp-send -t 'args[2]->ip_plength > 20' -- $here
counts 1
watch -qX tcp-send -E 'printf("%d", args[4]->tcp_sport);' -N 1 -- $here
out 40000
err ''
watch -xX tcp-send -N 1 -- $here
out_has "^<[0-9]+> $times"
watch -X tcp-send -N 1 -o "$tmp/file" -- $here
out ''
grep -q 'tcp-send: 192' "$tmp/file" || wrong 'dwatch does not write the file'
watch -X tcp-send -N 2 -O 'echo "<$TAG> <$DETAILS>"' -- $here
out_has '^<2023 .* tcp-send> <192.0.2.1:40000 -> 192.0.2.2:80 0 bytes>$'
watch -yX tcp-send -N 1 -r 'tcp-[a-z]*' -- $here
out_has "$(printf '\033')\[31;1mtcp-send$(printf '\033')\[m"
watch -T 5s -dX tcp-send
out_has '^tick-5s \{ exit\(0\); \}$'
# Listings, and words that are probe names.
watch -l -r '^ *[0-9]+ +udp '
out_has 'udp .* drop$'
watch -lP -r '^udp'
out 'PROVIDER
udp
udplite'
watch -qd state-change
out_has '^:::state-change$'
watch -d tcp:::send
out_has 'tcp:::send$'
watch -d udp
out_has '^udp:::$'
watch -V
out 1.4
# Invalid requests are errors.
watch -X nothing
status 1
err_has 'dwatch: there is no profile nothing in '
watch -j web -X tcp
status 1
err_has 'Linux has no jails'
watch -RX tcp
status 1
err_has "dwatch: -R: the parents of a socket's owner are not known"
watch -T 5x tcp:::send
status 1
err_has 'dwatch: -T 5x: expected a number and s, m, h or d'
watch -N x tcp:::send
status 1
watch -u nobody-is-called-so tcp:::send
status 1
err_has 'dwatch: no passwd entry matches nobody-is-called-so'
watch
status 64
err_has '^usage: dwatch'
err_has 'dwatch -X tcp -k nginx$'
watch --help
status 64
err_has '^usage: dwatch'
watch -p nginx -X tcp
status 1
err_has 'dwatch: -p nginx: expected a process number .* to select by name use -k nginx$'
# Errors quote the user's text and never the temporary file.
wrongly() { # wrongly PLACE WHAT ARGUMENTS
	local place=$1 text=$2
	shift 2
	watch "$@" -- -r tests/pcap/udp.pcap
	status 1
	err_has "^dtrace: failed to compile: \"$place\", line 1: $text"
	grep -qE '/tmp/(tmp\.|[^/ ]*dwatch)' "$err" && wrong 'an error names the temporary file'
}
wrongly probe 'probe description udp:::sned does not match any probes' udp:::sned
wrongly -t 'failed to resolve nosuch' -t 'nosuch == 1' udp:::send
wrongly -E 'failed to resolve nosuch' -E 'trace(nosuch);' udp:::send
wrongly -E 'failed to resolve nosuch' -eE 'trace(nosuch);' udp:::send
wrongly -t 'failed to resolve nosuch' -v -t 'nosuch == 1' -X udp
watch -d -t 'pid == 1' -X udp
grep -q '^# ' "$out" && wrong 'the program that -d prints contains line directives'
# A stand-in for dtrace prints one short line and runs until it is interrupted.
cat >"$tmp/slow" <<'END'
#!/bin/sh
trap 'echo interrupted >"$MARK_FILE"; exit' INT
echo one
for i in $(seq 300); do sleep .1; done
END
chmod +x "$tmp/slow"
# dwatch works with each of these awks that is installed, so it uses no keyword of any of them as a
# name.
for awk in mawk gawk 'busybox awk'; do
	command -v ${awk% *} >/dev/null || continue
	mkdir "$tmp/$awk"
	printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >"$tmp/$awk/awk"
	chmod +x "$tmp/$awk/awk"
	PATH=$tmp/$awk:$PATH watch -qN 1 -p '^12' -X tcp-send -- $here
	says '192.0.2.1:40000 -> 192.0.2.2:80 0 bytes'
	PATH=$tmp/$awk:$PATH watch -qd udp
	out_has '^udp:::$'
	rm -f "$tmp/mark"
	PATH=$tmp/$awk:$PATH MARK_FILE=$tmp/mark DTRACE=$tmp/slow watch -qN 1 udp:::send
	[ -e "$tmp/mark" ] || wrong "$awk does not print each line at once"
done
# If the probe's pattern matches the name of a file in the current folder, dwatch does not run this
# file.
mkdir "$tmp/beside"
touch "$tmp/beside/udp:::send { exit(7); } udp:::receive"
top=$PWD
(cd "$tmp/beside" && sh "$top/$D" -d 'udp:::*') >"$out"
out_has '^udp:::\*$'
# A user's own profile, from the folder that the user names.
mkdir "$tmp/profiles"
printf '%s\n' 'PROBE=udp:::send' 'EVENT_TAG='"'"'printf("mine: ");'"'"'' 'EVENT_DETAILS='"'"'printf("%d", args[4]->udp_dport);'"'" >"$tmp/profiles/own"
DWATCH_PROFILES_PATH=$tmp/profiles watch -X own -- -r tests/pcap/udp.pcap
says 'mine: 53'
finish
