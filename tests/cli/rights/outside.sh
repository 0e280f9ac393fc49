# A program may write files and open ports only with -w. Options of the command line and of the
# environment need no -w.
. tests/cli/lib.bash
agg='tcp:::send, udp:::send, ip:::send { @ = count(); }'
# 192.0.2.1 is not an address of this machine, so an attempt to listen there is an error.
nowhere=192.0.2.1:9
tried='^dtrace: cannot listen at '

for option in aggout="$tmp/made" capture="$tmp/made" listen=$nowhere; do
	name=${option%%=*}
	pragma="#pragma D option $option
$agg"
	# Checks that the last command did what the option asks.
	tells_done() {
		if [ "$name" = listen ]; then
			status 1
			err_has "$tried"
		else
			status 0
			checks=$((checks + 1))
			[ -s "$tmp/made" ] || wrong 'no file was made'
			rm -f "$tmp/made"
		fi
	}
	why="failed to set option '$name': this option writes a file or opens a port, so a program may set it only with -w or #pragma D option destructive; or set it on the command line: -x $name=...$"
	what="$name in a text"
	fails "$why" -q -r $pcap -n "$pragma"
	fails "$why" -q -e -r $pcap -n "$pragma"
	echo "$pragma" >"$tmp/script.d"
	fails "^dtrace: failed to compile script $tmp/script.d: line 1: $why" -q -r $pcap -s "$tmp/script.d"
	checks=$((checks + 1))
	[ ! -e "$tmp/made" ] || wrong 'a file was made'

	run -qw -r $pcap -n "$pragma"
	tells_done
	run -q -r $pcap -n "$pragma" -n '#pragma D option destructive
BEGIN { }'
	tells_done
	run -q -r $pcap -x $option -n "$agg"
	tells_done
	what="DTRACE_OPT_$option"
	env "DTRACE_OPT_$option" timeout 300 "$DTRACE" -q -r $pcap -n "$agg" >"$out" 2>"$err"
	status=$?
	tells_done
done

# The user's option overrides the same option of the program.
what='the same option from the user and from the program'
succeeds -q -r $pcap -x aggout="$tmp/mine" -n "#pragma D option aggout=$tmp/made
$agg"
checks=$((checks + 2))
[ -s "$tmp/mine" ] || wrong 'the file that the user names is not written'
[ ! -e "$tmp/made" ] || wrong 'the file that the program names is written'

# setopt() cannot set these options.
run -q -r $pcap -n "BEGIN { setopt(\"aggout\", \"$tmp/made\"); } $agg"
err_has 'aggout'
[ ! -e "$tmp/made" ] || wrong 'setopt() made a file'

# A pragma in a comment or a string is ignored. A pragma after one is not.
what='comments'
cat >"$tmp/comment.d" <<END
/*
#pragma D option capture=$tmp/made
#pragma D option listen=$nowhere
*/
BEGIN { s = "/*"; }
#pragma D option strsize=16
BEGIN { printf("%s|", "it's text of more than sixteen bytes /*"); exit(0); }
END
succeeds -q -r $pcap -s "$tmp/comment.d"
out "it's text of mo|"
checks=$((checks + 1))
[ ! -e "$tmp/made" ] || wrong 'a file was made'
# Options that are read early accept quoted values, too.
succeeds -q -r $pcap -n '#pragma D option strsize = "16"
BEGIN { printf("%s|", "text of more than sixteen bytes"); exit(0); }'
out 'text of more th|'
finish
