# The manual of the command names every option, that of the language every word of it.
. tests/cli/lib.bash
named() { # named PAGE WORD...: with what roff has between them taken off
	what=$1 page=$1
	shift
	sed 's/\\f[A-Z]//g; s/\\-/-/g' "$page" >"$tmp/page"
	for word; do
		checks=$((checks + 1))
		grep -qE -- "(^|[^a-zA-Z0-9_-])$word([^a-zA-Z0-9_]|\$)" "$tmp/page" || wrong "does not name $word"
	done
}
run --complete options
status 0
# shellcheck disable=SC2046
named docs/dtrace.8 $(sed 's/=.*//' "$out" | sort -u)
run --help
# shellcheck disable=SC2046
named docs/dtrace.8 $(sed -n 's/^\t\(-[a-zA-Z]\)  .*/\1/p' "$out") --help --version --scripts --check --test DTRACE_OPT_ CAP_BPF
run --complete words
# Constants are not the language's.
# shellcheck disable=SC2046
named docs/d.7 $(grep -v '[A-Z]' "$out" | grep -vE '^(protocols|tcp_state_string|tcpflag_string|tcpdebug_dir_string|prureq_string)$')
run --complete no-such-kind
status 2
finish
