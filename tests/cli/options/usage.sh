# Wrong usage ends dtrace with status 2, a message on stderr and nothing on stdout.
. tests/cli/lib.bash

usage() {
	run "$@"
	status 2
	out ''
}

usage
err_has '^Usage: dtrace '
err_has 'dtrace --help has examples'
usage -y
err_has '^Usage: dtrace '
# Other commands have options such as --port. In dtrace the option is -x port, so a message suggests
# it. A misspelled word gets a suggestion, too.
illegal() { # illegal OPTION MEANT
	usage "$1"
	err "dtrace: illegal option -- ${1#--}: did you mean $2?"
}
illegal --port=80 '-x port=80'
illegal --port '-x port'
illegal --json '-x oformat=json'
illegal --oformt=json '-x oformat'
illegal --dport=80 '-x port, lport or rport'
illegal --list -l
illegal --usage --help
usage --nosuchword
err 'dtrace: illegal option -- nosuchword: dtrace --help lists the options'
# -h prints where to find help, for users of commands in which -h is help.
usage -h
err 'dtrace: -h makes a header from a script (-s); for help use dtrace --help'
usage tcplife -h
err 'dtrace: -h makes a header from a script (-s); for help use dtrace tcplife --help'
# Text after -l without -n or -P is an error, because otherwise dtrace would list all probes.
for of in tcp:-P tcp::::-n tcplife:-s; do
	run -r $pcap -l "${of%:*}"
	status 1
	out ''
	err_has "^dtrace: extraneous argument '${of%:*}': to list .* use -l ${of##*:} ${of%:*}\$"
done
usage -n
usage -r
usage -r $pcap -r $pcap -n BEGIN
one_line_of_stderr
usage -r $pcap -c /bin/true -n BEGIN
one_line_of_stderr
usage -r $pcap -p 1 -n BEGIN
one_line_of_stderr
usage -l -V
err_has 'only one of the .* options can be specified at a time'
usage -3x -n BEGIN
err 'dtrace: illegal option -- 3x'
usage -66
err 'dtrace: illegal option -- 66'
run -32 -r $pcap -qn 'BEGIN { printf("x\n"); }'
status 0
# Help that was asked for is no error and goes to stdout.
succeeds --help
out_has '^Usage: dtrace '
out_has 'man 8 dtrace'
expand "$out" | awk 'length > 80 { bad = 1; print "more than 80 columns: " $0 } END { exit bad }' || bad=1
# Each example in the help text compiles or lists. A program may continue on the next line.
sed -n '/^    dtrace -[rn]/{/'"'"'$/!{N;s/\n */ /};p}' "$out" | sed "s|capture.pcap|$pcap|" >"$tmp/examples"
sed -n 's/^    dtrace -lvn \([^ ]*\).*/\1/p' "$out" >"$tmp/listed"
[ "$(cat "$tmp/examples" "$tmp/listed" | wc -l)" = 4 ] || wrong 'the number of examples is not four'
while read -r line; do
	eval "run -e $(printf %s "${line#dtrace }")"
	status 0
	err ''
done <"$tmp/examples"
succeeds -r $pcap -ln "$(cat "$tmp/listed")"
run -V
status 0
out 'dtrace: Sun D 1.13'
for args in --version '-V -v'; do
	# shellcheck disable=SC2086
	run $args
	status 0
	out "dtrace: Sun D 1.13
dtrace for Linux networks $(sed -n 's/^project(dtrace VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
License: BSD-2-Clause"
done
# A command without a program is an error, except with -e.
mkdir "$tmp/lib"
run -q
status 1
err 'dtrace: no probes specified'
run -r $pcap -q
status 1
err "dtrace: no program to run on $pcap: give a script name, -n or -s"
# In bpftrace, -e takes the program; here it is -n.
run -e 'BEGIN { trace(1); }'
status 1
err 'dtrace: no probes specified: to run a program, put -n before it: -n '\''BEGIN { trace(1); }'\'''
succeeds -e
run -i lo
status 1
err "dtrace: -i lo: -i takes the number of a probe; to read an interface, use -r lo"
run -r nosuch -n BEGIN
status 1
err 'dtrace: failed to open nosuch: No such file or directory, and no such interface'
run -r $pcap tcplife port=80
status 1
err 'dtrace: port=80 is not an argument of tcplife: to set an option, use -x port=80'
run tcplife $pcap
status 1
err "dtrace: $pcap is not an argument of tcplife: to read a capture, use -r $pcap"
run $pcap
status 1
err "dtrace: no probes specified: to read the capture $pcap, use -r $pcap"
run tcplife -x pid=nginx
status 1
err 'dtrace: failed to set -x pid: "nginx": expected a number or a range (80-90); to select a process by name use execname='
echo 'BEGIN { exit(0); }' >"$tmp/x.d"
run -r $pcap "$tmp/x.d"
status 1
err "dtrace: no probes specified: to run the script $tmp/x.d, use -s $tmp/x.d"
for args in -e '-b 1g -e' "-L $tmp/lib -e"; do
	# shellcheck disable=SC2086
	succeeds -r $pcap $args
done
# Some editors write a byte order mark at the start of a file.
printf '\357\273\277BEGIN { printf("x\\n"); }\n' >"$tmp/bom.d"
run -r $pcap -qs "$tmp/bom.d"
status 0
out 'x
'
# -64 has no effect, because all programs are 64-bit. -F is -x flowindent.
succeeds -64 -r $pcap -qn 'BEGIN { printf("x\n"); }'
out 'x
'
run -r $pcap -x flowindent -n 'BEGIN { trace(1); } END { trace(2); }'
cp "$out" "$tmp/flow"
run -F -r $pcap -n 'BEGIN { trace(1); } END { trace(2); }'
status 0
cmp -s "$out" "$tmp/flow" || wrong '-F is not -x flowindent'
run -r $pcap -n 'BEGIN { trace(1); } END { trace(2); }'
cmp -s "$out" "$tmp/flow" && wrong '-F changes nothing'
checks=$((checks + 2))
# Options of missing features are errors. Creating objects and headers belongs to other commands.
run -A -n BEGIN
status 1
out ''
err 'dtrace: making boot-time enablings (-A) is not supported'
run -B -r $pcap -n BEGIN
status 1
out ''
err "dtrace: printing the calls of output handlers (-B) is not supported"
if [ ! -e /usr/bin/dtrace ]; then
	run -G -n BEGIN
	status 1
	err 'dtrace: -G and -h need /usr/bin/dtrace, which is not installed (package systemtap-sdt-dev)'
	run -h -n BEGIN
	status 1
	err 'dtrace: -G and -h need /usr/bin/dtrace, which is not installed (package systemtap-sdt-dev)'
fi
finish
