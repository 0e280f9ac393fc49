# Shared by the tests of the command line: run a command, then check its output.
#
#   run ARGS...             runs dtrace ARGS; sets $out, $err (files) and $status
#   hinted ARGS...          as run, but with suggestions below messages, as users see them
#   status WANT             checks the exit status
#   succeeds ARGS...        as run; checks that the status is 0 and that stderr is empty
#   fails RE ARGS...        as run; checks that the status is 1 and that a line of stderr matches RE
#   out TEXT, err TEXT      checks the whole output (a newline is added; "" means no output)
#   out_has RE, err_has RE  checks that a line of the output matches RE
#   equal WHAT WANTED GOT   compares two files, which must not be empty
#   id_of PROBE             prints the ID that -l -r shows for the probe
#   finish                  ends the test, with status 1 if a check failed
#
# Messages are compared without suggestions (-x nohint), which have tests of their own. mask.sed
# replaces IDs of probes and offsets of faults by N.
set -u
export TZ=UTC LC_ALL=C DTRACE_OPT_nohint=
: "${DTRACE:?must be the path of the dtrace command}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
out=$tmp/out err=$tmp/err bad=0 checks=0
pcap=tests/pcap/udp.pcap

# With --foreground, timeout(1) sends one signal only; otherwise it also sends SIGCONT. After a
# SIGINT the leak checker stops the process. SIGCONT would undo the stop, and the process would wait
# for ever. (This is an alias because $! of a function in the background is the shell that runs it.)
shopt -s expand_aliases
alias timeout='timeout --foreground -k 60'

run() {
	what="dtrace $*"
	timeout 300 "$DTRACE" "$@" >"$out" 2>"$err" </dev/null
	status=$?
}

hinted() { DTRACE_OPT_nohint=off run "$@"; }

wrong() {
	echo "WRONG: $what: $1"
	bad=1
}

status() {
	checks=$((checks + 1))
	[ "$status" = "$1" ] && return
	wrong "status $status, not $1"
	head -n 5 "$err"
}

succeeds() {
	run "$@"
	status 0
	err ''
}

fails() {
	local re=$1
	shift
	run "$@"
	status 1
	err_has "$re"
}

masked() {
	sed -E -f tests/mask.sed "$1" >"$tmp/got"
}

id_of() {
	timeout 300 "$DTRACE" -r $pcap -l -n "$1" | awk 'NR == 2 { print $1 }'
}

text_is() { # text_is NAME FILE TEXT
	checks=$((checks + 1))
	case $3 in
	'') : ;;
	newline) echo ;;
	*) printf '%s\n' "$3" ;;
	esac >"$tmp/want"
	masked "$2"
	diff -u --label want --label got "$tmp/want" "$tmp/got" >"$tmp/diff" && return
	wrong "$1"
	head -n 40 "$tmp/diff"
}

text_has() { # text_has NAME FILE RE
	checks=$((checks + 1))
	masked "$2"
	grep -Eq -- "$3" "$tmp/got" && return
	wrong "$1 has no line like: $3"
	head -n 10 "$2"
}

out() { text_is stdout "$out" "$1"; }
err() { text_is stderr "$err" "$1"; }
out_has() { text_has stdout "$out" "$1"; }
err_has() { text_has stderr "$err" "$1"; }

equal() {
	checks=$((checks + 1))
	cmp -s "$2" "$3" && [ -s "$2" ] && return
	wrong "$1"
	diff "$2" "$3" | head -20
}

one_line_of_stderr() {
	checks=$((checks + 1))
	[ "$(wc -l <"$err")" = 1 ] && return
	wrong "stderr is not one line"
	head -n 5 "$err"
}

skip() {
	echo "SKIP: $*"
	exit 77
}

finish() {
	echo "$checks checks"
	exit $bad
}

# plain: from here on, the test uses the build without sanitizers. It is for tests that repeat some
# hundred programs in another form; other tests run these programs with sanitizers.
plain() { DTRACE=${DTRACE_PLAIN:-$DTRACE}; }
