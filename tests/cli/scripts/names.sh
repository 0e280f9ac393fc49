# Shipped scripts by name: dtrace NAME, -s NAME, --scripts, NAME --help.
. tests/cli/lib.bash

capture=tests/pcap/sessions.pcap
run -r $capture -s scripts/tcplife.d
cp "$out" "$tmp/wanted"
for args in tcplife tcplife.d '-s tcplife' '-s tcplife.d'; do
	# shellcheck disable=SC2086
	succeeds -r $capture $args
	cmp -s "$out" "$tmp/wanted" || wrong 'the output differs from that of the file'
done
[ "$(wc -l <"$tmp/wanted")" -gt 2 ] || wrong 'prints nothing'
# Words after the name are arguments of the script. Errors about them name the script.
run tcptop -r $capture 3
status 0
fails '^dtrace: failed to compile script ipio: line [0-9]+: extraneous argument .3. .*; usage: dtrace ipio \[wide\] \[-r CAPTURE\]$' \
	-r $capture ipio wide 2 3
fails "macro variable .target is not defined; usage: dtrace offcpu -c COMMAND, or -p PID " offcpu
fails "failed to resolve abc: .*; usage: dtrace cpuflame \[SECONDS\] >FILE.svg\$" cpuflame abc
# A file has priority over the shipped script of that name.
mkdir "$tmp/here"
echo '#pragma D option quiet
BEGIN { printf("mine\n"); }' >"$tmp/here/tcplife"
(cd "$tmp/here" && "$DTRACE" -r "$DTRACE_TOP/$capture" -s tcplife) >"$out" 2>"$err"
what='-s with a file that has the name of a script' status=$?
out 'mine
'
# --scripts WORD prints only matching lines.
run --scripts
cp "$out" "$tmp/all"
# --scripts shows the first line of a script's comment, so the description must end there.
for script in scripts/*.d; do
	checks=$((checks + 1))
	sed -n 3p "$script" | grep -q '\.$' || wrong "$script: the description is longer than a line"
done
run --scripts UDP
status 0
grep -i udp "$tmp/all" | cmp -s - "$out" || wrong '--scripts UDP are not the lines about UDP'
[ -s "$out" ] && [ "$(wc -l <"$out")" -lt 10 ] || wrong '--scripts UDP prints no line, or too many lines'
run --scripts nosuchword
status 1
out ''
err 'dtrace: no script matches nosuchword; dtrace --scripts lists all scripts'
run --scripts two words
status 2
# With a program on the command line, operands are its arguments, even if one is a script name.
run -qr $capture -n 'BEGIN { printf("%s\n", $$1); }' tcplife
status 0
out 'tcplife
'
for near in tcplif=tcplife tcplif.d=tcplife iosnop=iosnoop TCPLIFE=tcplife; do
	for help in '' --help; do
		# shellcheck disable=SC2086
		run -r $capture "${near%=*}" $help
		status 1
		out ''
		err "dtrace: no probes specified: there is no script ${near%=*}: did you mean ${near#*=}?"
	done
done
run -r $capture tcp:::send
status 1
err "dtrace: no probes specified: to trace a probe, use -n 'tcp:::send'"
for name in nosuch nosuch.d '' scripts/nosuch; do
	run -r $capture "$name"
	status 1
	out ''
	err "dtrace: no probes specified: there is no script $name; dtrace --scripts lists all scripts"
done
run -r $capture -s nosuch
status 1
err 'dtrace: failed to open nosuch: No such file or directory'

succeeds --scripts
for script in scripts/*.d; do
	name=$(basename "$script" .d)
	grep -qE "^$name +[A-Za-z].*[a-z]" "$out" || wrong "no line for $name"
	succeeds "$name" --help
	out_has "^usage: dtrace $name( |\$)"
	out_has "^$name\.d - "
	! grep -qF '*/' "$out" || wrong 'the help contains the end of the comment'
	run --scripts
done
# --scripts marks the scripts that run live only. Such scripts refuse a capture. --help names
# options.
out_has '^tcplife +a line for .* duration$'
out_has '^tcpcong .*; live only$'
out_has '^cpuwalk .*; live only$'
for script in $(sed -n 's/ .*; live only$//p' "$out"); do
	run -r $capture "$script" $(case $script in offcpu | procsystime) echo 1 ;; esac)
	status 1
	one_line_of_stderr
done
run -r $capture -x live -n BEGIN
status 1
err 'dtrace: the program is for live tracing (-x live): captures do not have the data that it needs'
run tcplife --help
out_has "^-x port=443,8000-8100 -x addr=10.0.0.0/8 -x execname='!sshd' "
run opensnoop --help
out_has "^-x execname='nginx,php\*' -x pid=4711 -x user='!root' "
run runqlen --help
out_has '^The script takes dtrace.s options .man dtrace.: -x duration=10s, -x oformat=json \.\.\.$'
run --scripts
[ "$(wc -l <"$out")" = "$(ls scripts/*.d | wc -l)" ] || wrong '--scripts prints other lines than those of scripts'
echo 'BEGIN { exit(0); }' >"$tmp/mute.d"
run -s "$tmp/mute.d" --help
status 1
err "dtrace: $tmp/mute.d has no description: a script begins with a comment that describes it"
run -n BEGIN --help
status 1
# A dtrace outside of its installation folder has no scripts.
cp "$DTRACE" "$tmp/here/alone"
what='a dtrace without scripts'
"$tmp/here/alone" --scripts >"$out" 2>"$err"
status=$?
status 1
err 'dtrace: no scripts are installed with this command'
finish
