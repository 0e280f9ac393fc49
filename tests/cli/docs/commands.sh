# Runs every command that a document or manual page shows: on a capture, or live if a capture cannot
# answer it.
. tests/cli/lib.bash
plain
command -v python3 >/dev/null || skip 'there is no python3'
top=$PWD
pages=$(dirname "${DTRACE_PLAIN:-$DTRACE}")/pages
python3 tests/cli/docs/commands.py README.md docs/*.md docs/*.[0-9] scripts/dwatch/profiles/*.md $(ls "$pages"/*.[0-9] 2>/dev/null) |
	grep -v 'is made by$' >"$tmp/all"
checks=$((checks + 1)) what='README.md, docs/, the manual'
[ "$(wc -l <"$tmp/all")" -ge 90 ] || wrong "only $(wc -l <"$tmp/all") commands were found"

# Captures, scripts and aggregation files for the commands in the documents.
mkdir "$tmp/bin" "$tmp/dir" "$tmp/lib"
ln -s "$(realpath "$DTRACE")" "$tmp/bin/dtrace"
printf '#!/bin/sh\nexec sh %s/scripts/dwatch/dwatch "$@"\n' "$top" >"$tmp/bin/dwatch"
chmod +x "$tmp/bin/dwatch"
PATH=$tmp/bin:$PATH
cp tests/pcap/connections.pcap "$tmp/capture.pcap"
cp tests/pcap/owners.pcapng "$tmp/"
cp tests/pcap/udp.pcap "$tmp/dir/x.pcap"
printf '#pragma D option quiet\nudp:::send { @ = count(); }\n' | tee "$tmp/dir/x.d" >"$tmp/old.d"
echo 'inline int nine = 9;' >"$tmp/lib/nine.d"
cp "$tmp/old.d" "$tmp/script.d"
ln -s "$top/scripts" "$tmp/scripts"
cd "$tmp" || exit 1
dtrace -s dir/x.d -r dir/x.pcap >dir/x.out
for agg in yesterday today web1 web2; do
	dtrace -qx aggout=$agg.agg -n 'ip:::send { @[args[2]->ip_daddr] = sum(args[2]->ip_plength); }' -r capture.pcap >/dev/null
done

# as_run COMMAND: replaces placeholders with values
as_run() {
	sed -E "s,tools/run ,dtrace ,; s, \[.*\]( >FILE|\$),\1,; s,-c COMMAND\, or -p PID,-c true,; s,HOW-MANY,5,; s,FILE\.svg,file.svg,
		s, \[SECONDS.*\] -c, -c,; s,--test DIR,--test dir,; s,-L DIR,-L lib -e,; s,-X NAME,-X udp,; s,--(merge|diff)\$,--\1 today.agg web1.agg,; s,-x listen=:[0-9]+,," <<<"$1"
}
# Runs the command on a capture and sets $status. Returns 2 if a capture cannot answer the command.
on_capture() {
	case $1 in
	dwatch\ *-r\ * | *--help | *--scripts | *--check* | *--merge* | *--diff* | *--test* | 'dwatch -Q' | *\ -r\ *) set -- "$1" '' ;;
	dwatch\ -X*) set -- "$1" ' -- -x local=auto -r owners.pcapng' ;;
	*) set -- "$1" ' -r capture.pcap' ;;
	esac
	case $1 in
	*' | '*) set -- "${1%% |*}$2 |${1#*|}" '' ;;
	esac
	eval "timeout 300 $1$2" >"$out" 2>"$err" </dev/null
	status=$?
	! grep -qE 'does not exist in replay|a capture (has|does not)|captures do not have|(rawtp|iter).* does not match any' "$err" || grep -q 'left out' "$err" || return 2
	return 0
}
live() {
	eval "timeout 300 $1$([[ $1 = dwatch* ]] && echo ' --') -x duration=200ms" >"$out" 2>"$err" </dev/null
	status=$?
}
captured=0 lived=0
can_live=$([ "$(id -u)" = 0 ] && timeout 120 dtrace -qn 'BEGIN { exit(0); }' >/dev/null 2>&1 && echo yes)
while IFS=$'\t' read -r document command; do
	what="$document: $command"
	case $command in
	*'| jq '*) command -v jq >/dev/null || continue ;;
	esac
	command=$(as_run "$command")
	if on_capture "$command"; then
		captured=$((captured + 1))
	elif [ -n "$can_live" ]; then
		live "$command"
		lived=$((lived + 1))
	else
		continue
	fi
	status 0
	# Losses and missed firings in such a short run are not errors of the example.
	checks=$((checks + 1))
	! grep -E '^dtrace: (failed|invalid|could not|error)|^Usage' "$err" || wrong 'the command prints an error'
done <all
cd "$top" || exit 1
echo "$captured on captures, $lived live"
finish
