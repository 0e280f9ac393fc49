# --check prints a line per clause: whether it runs here, the reason if not, and a replacement.
. tests/cli/lib.bash
script=$tmp/mixed.d
cat >"$script" <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
/* a comment with { */
inline int N = 5;

dtrace:::BEGIN
{
	printf("go {\n");
}

nfsv4:::op-read-start
/ args[0]->b_bcount > 0 /
{
	@[execname] = count();
}

tcp:::send
/ args[4]->tcp_flags & TH_SYN /
{
	@[args[2]->ip_dadr] = count();
}

tcp:::receive { @[args[2]->ip_saddr] = hist(N); }

udp:::send, udp:::receive
{
	self->x = "}";
	printf("%d", N);
}
END { trace(zonename); }
D
run --check "$script" -r $pcap
status 1
err ''
what=--check
sed "s,^$tmp/,,; /^\tinstead/d" "$out" >"$tmp/short"
text_is stdout "$tmp/short" 'mixed.d:6: dtrace:::BEGIN: runs
mixed.d:11: nfsv4:::op-read-start: no: probe description nfsv4:::op-read-start does not match any probes
mixed.d:17: tcp:::send: no: ip_dadr is not a member of ipinfo_t
mixed.d:23: tcp:::receive: no: undefined function name: hist
mixed.d:25: udp:::send, udp:::receive: runs
mixed.d:30: END: no: there is no zonename here: Linux has no zones'
out_has '^	instead: there is no provider nfsv4'
out_has '^	instead: did you mean ip_daddr'
out_has '^	instead: did you mean quantize'

# A program of only those clauses that --check accepts can be compiled.
sed -n '1,9p;25,29p' "$script" >"$tmp/rest.d"
run --check "$tmp/rest.d" -r $pcap
status 0
out_has '^.*rest\.d:6: dtrace:::BEGIN: runs$'
run -r $pcap -es "$tmp/rest.d"
status 0

# Reports about options, destructive actions, features that exist only live, and a syntax error.
printf '#pragma D option nosuch=3\nBEGIN { system("x"); }\n' >"$tmp/options.d"
run --check "$tmp/options.d" -r $pcap
status 1
out_has 'options.d: no: line 1: option nosuch=3: Invalid option name'
out_has 'options.d: note: needs -w'
# Destructive actions that an argument of the script chooses.
for action in '$1 ? system("x") : 0' '$1 ? 0 : ($2 ? 0 : system("x"))' '$1 ? (pid ? (system("x"), 1) : 2) : 0' \
	'trace($1 ? panic() : 0)'; do
	printf 'BEGIN { %s; }\n' "$action" >"$tmp/choice.d"
	run --check "$tmp/choice.d" -r $pcap
	status 0
	out_has 'choice.d: note: needs -w'
done
printf 'BEGIN { 0 ? system("x") : trace(1); }\n' >"$tmp/choice.d"
run -r $pcap -es "$tmp/choice.d"
status 0
# A probe that exists only live is reported for its clause alone.
printf 'io:::start { @ = count(); }\nip:::send { @ = count(); }\n' >"$tmp/live.d"
run --check "$tmp/live.d" -r $pcap
status 1
text_is stdout "$out" "$tmp/live.d:1: io:::start: no: probe io:::start does not exist in replay: captures do not have its data
$tmp/live.d:2: ip:::send: runs"
printf 'tcp:::drop { @ = count(); }\n' >"$tmp/drop.d"
run --check "$tmp/drop.d" -r $pcap
status 1
out_has 'tcp:::drop does not exist in replay'
fails 'the program is for live tracing \(-x live\): captures do not have the data that it needs$' --check tcpdrop -r $pcap
printf 'BEGIN { x = ; }\nEND { y = 1; }\n' >"$tmp/syntax.d"
run --check "$tmp/syntax.d" -r $pcap
status 1
out_has 'syntax.d:1: BEGIN: no: '
out_has 'syntax.d:2: END: runs'
# Shipped scripts by name. Arguments are optional.
run --check tcplife -r $pcap
status 0
run --check iptop -r $pcap
status 0
fails 'failed to open .*none.d' --check "$tmp/none.d"
# Options on the interpreter line, in the ways that the kernel and env -S pass them.
printf '#!/usr/sbin/dtrace -Cqs\n#define N 5\nBEGIN { x = N; }\n\nEND { y = nosuch; }\n' >"$tmp/cpp.d"
run --check "$tmp/cpp.d" -r $pcap
status 1
text_is stdout "$out" "$tmp/cpp.d:3: BEGIN: runs
$tmp/cpp.d:5: END: no: failed to resolve nosuch: Unknown variable name
	instead: a variable must be assigned or declared before it is read: uint64_t nosuch; or uint64_t nosuch[uint64_t];"
printf '#!/usr/bin/env -S dtrace -C -D N=5 -w -x strsize=2 -s\nBEGIN { x = N; system("x"); }\n' >"$tmp/env.d"
run --check "$tmp/env.d" -r $pcap
status 0
text_is stdout "$out" "$tmp/env.d:2: BEGIN: runs"
printf '#!/usr/sbin/dtrace -x nosuch -s\nBEGIN { }\n' >"$tmp/bad.d"
fails 'failed to set -x nosuch' --check "$tmp/bad.d"
# The interpreter line of another user's script starts no command.
printf '#!/bin/sh\ntouch "%s/started"\nexec cpp "$@"\n' "$tmp" >"$tmp/evil"
chmod 755 "$tmp/evil"
printf -- '-DN=5 -wrapper %s/evil' "$tmp" >"$tmp/words"
for option in "x cpppath=$tmp/evil" "xcpppath=$tmp/evil" "x cppargs=@$tmp/words" "D @$tmp/words" "I@$tmp/words" \
	"x define=@$tmp/words"; do
	printf '#!/usr/sbin/dtrace -C -%s -s\nBEGIN { x = 5; }\n' "$option" >"$tmp/foreign.d"
	run --check "$tmp/foreign.d" -r $pcap
	status 0
	text_is stdout "$out" "$tmp/foreign.d:2: BEGIN: runs"
	argument=${option:1}
	err_has "^dtrace: --check ignores -${option:0:1} ${argument# } in a script's first line, because this option could start a command; give"
	checks=$((checks + 1))
	[ ! -e "$tmp/started" ] || wrong "-$option started a command"
	rm -f "$tmp/started"
done
# A script that another user can change starts no preprocessor by its first line, and that line makes
# --check read no other file. -C on the command line starts the preprocessor, without rights.
if [ "$(id -u)" = 0 ]; then
	foreign() { # foreign LINE TEXT: a script with this first line and text
		printf '#!/usr/sbin/dtrace %s\n%b' "$1" "$2" >"$tmp/foreign.d"
		chown 65534 "$tmp/foreign.d"
	}
	echo 'secret words' >"$tmp/secret"
	mkdir "$tmp/lib"
	echo 'secret words' >"$tmp/lib/secret.d"
	chmod -R go= "$tmp/secret" "$tmp/lib"
	for option in C 'x cpp' "x libdir=$tmp/lib" "x syslibdir=$tmp/lib" "x probes=$tmp/secret"; do
		foreign "-$option -s" '# 2 "x.d"\nBEGIN { x = 5; }\n'
		run --check "$tmp/foreign.d" -r $pcap
		status 0
		out_has ': BEGIN: runs$'
		err_has "^dtrace: --check ignores -$option in a script's first line, because other users can change the script and this option reads files; give the option on the command line$"
	done
	# The first line of a script of ours does not apply to the next script.
	foreign '-s' "#include \"$tmp/secret\"\nBEGIN { }\n"
	run --check "$tmp/env.d" "$tmp/foreign.d" -r $pcap
	err ''
	out_has 'foreign.d: no: line 2: invalid control directive: #include$'
	for change in "chown 0 $tmp/foreign.d; chmod 666 $tmp/foreign.d" "chmod 644 $tmp/foreign.d; chmod 777 $tmp"; do
		foreign '-Cs' "#include \"$tmp/secret\"\nBEGIN { }\n"
		eval "$change"
		run --check "$tmp/foreign.d" -r $pcap
		err_has "--check ignores -C in a script's first line"
		run -C --check "$tmp/foreign.d" -r $pcap
		status 1
		err "dtrace: failed to compile script $tmp/foreign.d: Preprocessor failed to process input program"
	done
	chmod 755 "$tmp"
	# A pragma starts no preprocessor either.
	foreign '-s' "#pragma D option cpp\n#pragma D option cpppath=$tmp/evil\nBEGIN { }\n"
	run --check "$tmp/foreign.d" -r $pcap
	run -r $pcap -es "$tmp/foreign.d"
	checks=$((checks + 1))
	[ ! -e "$tmp/started" ] || wrong 'a pragma started a command'
	# The preprocessor has no rights, and its time and its output are limited.
	foreign '-s' 'BEGIN { }\n'
	printf '#!/bin/sh\n[ "$(id -u)" != 0 ] && echo "BEGIN { }"\n' >"$tmp/who"
	chmod 755 "$tmp/who"
	run -C -x cpppath="$tmp/who" --check "$tmp/foreign.d" -r $pcap
	status 0
	err ''
	mkfifo "$tmp/fifo"
	chmod 666 "$tmp/fifo"
	foreign '-s' "#include \"$tmp/fifo\"\nBEGIN { }\n"
	run -C --check "$tmp/foreign.d" -r $pcap
	status 1
	err_has 'Preprocessor failed to process input program: Connection timed out$'
	foreign '-s' '#include "/dev/zero"\nBEGIN { }\n'
	run -C --check "$tmp/foreign.d" -r $pcap
	status 1
	err_has 'Preprocessor failed to process input program'
	what=--check
	checks=$((checks + 1))
	pgrep -f "$tmp" >"$tmp/left" && wrong "processes are left: $(cat "$tmp/left")"
	# A FIFO, a folder and a lease do not make --check wait.
	chown 65534 "$tmp/fifo"
	fails "failed to open $tmp/fifo: it is not a regular file$" --check "$tmp/fifo" -r $pcap
fi
# A link in a folder of another user is not followed, at any place of the path.
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$tmp/theirs" "$tmp/ours"
	echo 'secret words' >"$tmp/ours/secret"
	chmod 600 "$tmp/ours/secret"
	ln -s "$tmp/ours/secret" "$tmp/theirs/link.d"
	ln -s "$tmp/ours" "$tmp/theirs/folder"
	ln -s "$tmp/theirs/link.d" "$tmp/ours/link.d"
	ln "$tmp/ours/secret" "$tmp/theirs/name.d"
	echo 'BEGIN { }' >"$tmp/theirs/file.d"
	ln -s "$tmp/theirs/file.d" "$tmp/ours/file.d"
	chown -h 65534 "$tmp/theirs" "$tmp/theirs/link.d" "$tmp/theirs/folder" "$tmp/theirs/file.d"
	for path in theirs/link.d theirs/folder/secret ours/link.d; do
		fails "failed to open $tmp/$path: the file is a link, in a folder that another user may write to$" \
			--check "$tmp/$path" -r $pcap
	done
	fails "failed to open $tmp/theirs/name.d: .* has several names" --check "$tmp/theirs/name.d" -r $pcap
	for path in theirs/file.d ours/file.d; do
		run --check "$tmp/$path" -r $pcap
		out "$tmp/$path:1: BEGIN: runs"
	done
fi
# What a script or its name contains reaches the terminal only with escapes.
raw=$tmp/$'two\nlines\x1b[2K.d'
shown="$tmp/two\\nlines\\x1b[2K.d"
printf '#pragma D option a\x1b[1Ab=c\x1b[1Ad\nBEGIN /1/ { }\nEND,\x1b[2K x:::\x1b[2Ky { }\n' >"$raw"
run --check "$raw" -r $pcap
text_is stdout "$out" "$shown:2: BEGIN: runs
$shown:3: END,\\x1b[2K x:::\\x1b[2Ky: no: syntax error near \"\\x1b\"
$shown: no: line 1: option a\\x1b[1Ab=c\\x1b[1Ad: Invalid option name"
for line in '#error x\x1b[1A\x1b[2Kx.d: all fine' 'inline int a = `\x1b[2K;' '#pragma D option a=\x1b[2K' \
	'#pragma D option \xc2\x9b2K' '#pragma D depends_on library \x1b[2K' '#line 7 "a\x1b[2K"\nEND { x = y; }' \
	'END { printf("\x1b[2K%%", 1); }' 'END { x = strlen(\x27\x1b[2K\x27); }' 'END { \x1b[2K }'; do
	printf 'BEGIN { }\n%b\n' "$line" >"$raw"
	run --check "$raw" -r $pcap
	status 1
	checks=$((checks + 1))
	tr -d '\n\t' <"$out" | LC_ALL=C grep -q -e $'[\x01-\x1f\x7f]' -e $'\xc2\x9b' && wrong "a control character for $line"
done
# The output of the preprocessor is limited in every run.
bomb='#define A "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"'
for name in B C D E F G H; do
	before=$(printf '%s' "$bomb" | sed -n '$s/#define \(.\) .*/\1/p')
	bomb+=$'\n'"#define $name $before $before $before $before $before $before $before $before"
done
printf '%s\nBEGIN { x = H; }\n' "$bomb" >"$tmp/bomb.d"
for options in '-C --check' '-Ces'; do
	run -r $pcap $options "$tmp/bomb.d"
	status 1
	err_has 'bomb.d: Preprocessor failed to process input program: File too large$'
done
# --check with several scripts, with options before the scripts, and without a script.
run --check -r $pcap "$tmp/env.d" "$tmp/cpp.d"
status 1
out_has 'env.d:2: BEGIN: runs$'
out_has 'cpp.d:3: BEGIN: runs$'
run --check
status 2
err 'dtrace: --check needs the name of a script'
# $target is the process given with -p.
if [ "$(id -u)" = 0 ] && [ -r /sys/kernel/btf/vmlinux ]; then
	sleep 60 &
	printf 'BEGIN / $target == %d / { }\npid$target:a.out::entry { }\n' $! >"$tmp/target.d"
	run --check -p $! "$tmp/target.d"
	kill $!
	out_has 'target.d:1: BEGIN: runs$'
	out_has "target.d:2: pid.target:a.out::entry: (runs|no: .*pid$!)"
fi
# A clause that uses what a clause without a probe defines: the reason is that clause. With -Z, the
# one waits and the other runs.
cat >"$tmp/waits.d" <<'D'
tcp:::nosuch { @lat[1] = count(); began[1] = 1; }
tick-1s { printa(@lat); }
udp:::send /began[1]/ { trace(args[2]->ip_sadr); }
tcp:::send /began[1]/ { exit(0); }
D
run --check "$tmp/waits.d" -r $pcap
status 1
sed "s,^$tmp/,,; /^\tinstead/d" "$out" >"$tmp/short"
text_is stdout "$tmp/short" 'waits.d:1: tcp:::nosuch: no: probe description tcp:::nosuch does not match any probes
waits.d:2: tick-1s: no: undefined aggregation: @lat: the clause that defines it has no probe here
waits.d:3: udp:::send: no: ip_sadr is not a member of ipinfo_t
waits.d:4: tcp:::send: no: failed to resolve began: Unknown variable name: the clause that defines it has no probe here'
run -Z --check "$tmp/waits.d" -r $pcap
status 1
sed "s,^$tmp/,,; /^\tinstead/d" "$out" >"$tmp/short"
text_is stdout "$tmp/short" 'waits.d:1: tcp:::nosuch: waits for a probe that does not exist yet
waits.d:2: tick-1s: runs
waits.d:3: udp:::send: no: ip_sadr is not a member of ipinfo_t
waits.d:4: tcp:::send: runs'
sed -i 3d "$tmp/waits.d"
run -Z --check "$tmp/waits.d" -r $pcap
status 0
finish
