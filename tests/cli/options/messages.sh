# Messages about options and programs have the same words as on other systems.
. tests/cli/lib.bash

# For an unknown option, or an option without its value, dtrace prints one line and then the usage.
first_line() { # first_line TEXT
	checks=$((checks + 1))
	[ "$(head -n 1 "$err")" = "$1" ] && return
	wrong "does not begin with $1"
	head -n 3 "$err"
}
while IFS='|' read -r args text; do
	# shellcheck disable=SC2086
	run $args
	status 2
	out ''
	first_line "dtrace: $text"
	err_has '^Usage: dtrace '
done <<'END'
-y|illegal option -- y
-qy|illegal option -- y
-qE -n BEGIN|illegal option -- E
-n|option requires an argument -- n
-qo|option requires an argument -- o
--libxo|option requires an argument -- libxo
END
# Options that only other systems have are errors. The message names the missing feature.
while IFS='|' read -r args text; do
	# shellcheck disable=SC2086
	run $args -r $pcap
	status 1
	out ''
	err "dtrace: $text is not supported"
done <<'END'
-d -n BEGIN|printing the program after its transformation (-d)
-a|anonymous tracing (-a)
-A -n BEGIN|making boot-time enablings (-A)
-B -n BEGIN|printing the calls of output handlers (-B)
END
run -W sshd -n BEGIN
status 1
err 'dtrace: waiting for a process by name (-W) is not supported'
for both in -lV -AV '-G -h' -hl; do
	# shellcheck disable=SC2086
	run $both -n BEGIN
	status 2
	out ''
	err 'dtrace: only one of the [-AGhlV] options can be specified at a time'
done

# Operands may stand anywhere; $0 is the command or the script.
run -q one -r $pcap 2 -n 'BEGIN { printf("%s %d %d\n", $$1, $2, basename($$0) == "dtrace"); }'
status 0
out 'one 2 1
'
echo 'BEGIN { printf("%s %s\n", $$0, $$1); }' >"$tmp/named.d"
run -qr $pcap -s "$tmp/named.d" x
out "$tmp/named.d x
"
run -qr $pcap -n 'BEGIN { trace($1); }' 1 two
status 1
err "dtrace: invalid probe specifier BEGIN { trace(\$1); }: extraneous argument 'two' (\$2 is not referenced)"
run -r $pcap -n 'ip$nosuch:::'
status 1
err 'dtrace: invalid probe specifier ip$nosuch:::: macro variable $nosuch is not defined'
run -p 1x -n BEGIN
status 1
err 'dtrace: invalid pid: 1x'

# -s with a missing file, with a folder, and with standard input by either of its names.
run -s "$tmp/none.d"
status 1
out ''
err "dtrace: failed to open $tmp/none.d: No such file or directory"
run -s "$tmp"
status 1
err "dtrace: failed to read $tmp: Is a directory"
echo 'BEGIN { trace(x); }' >"$tmp/wrong.d"
run -r $pcap -s "$tmp/wrong.d"
status 1
err "dtrace: failed to compile script $tmp/wrong.d: line 1: failed to resolve x: Unknown variable name"
for stdin in - /dev/stdin; do
	what="-s $stdin"
	echo 'BEGIN { printf("x\n"); }' | "$DTRACE" -r $pcap -q -s $stdin >"$out" 2>"$err"
	status=$?
	status 0
	out 'x
'
done
run -r $pcap -s "$tmp/named.d" x
err "dtrace: script '$tmp/named.d' matched 1 probe"

# User libraries are read after ours, so they can use ours. An error in a library names its place.
mkdir "$tmp/lib"
echo 'inline int NEXT = IPPROTO_TCP + 1;' >"$tmp/lib/next.d"
run -L "$tmp/lib" -qr $pcap -n 'BEGIN { printf("%d\n", NEXT); }'
status 0
out '7
'
printf '\ninline int WRONG = nosuch;\n' >"$tmp/lib/wrong.d"
run -L "$tmp/lib" -qr $pcap -n 'BEGIN { exit(0); }'
status 1
err "dtrace: \"$tmp/lib/wrong.d\", line 2: failed to resolve nosuch: Unknown variable name"
run -L "$tmp/none" -r $pcap -n BEGIN
status 1
err "dtrace: failed to open library directory $tmp/none: No such file or directory"

# -q removes notices, not errors.
run -qw -r $pcap -n 'BEGIN { n = 1; }'
err ''
printf '#pragma D option quiet\n#pragma D option destructive\nBEGIN { trace(*(int *)16); }\n' >"$tmp/quiet.d"
run -r $pcap -s "$tmp/quiet.d"
status 0
err 'dtrace: error on enabled probe ID 1 (ID N: dtrace:::BEGIN): invalid address (0x10) in action #1 at DIF offset N'
run -r $pcap -n 'BEGIN { system("true"); }'
status 1
err "dtrace: description 'BEGIN ' matched 1 probe
dtrace: could not enable tracing: Destructive actions not allowed"
# The notice for -w follows all match lines.
run -w -r $pcap -n 'BEGIN { n = 1; }' -n 'END { n = 2; }'
err "dtrace: description 'BEGIN ' matched 1 probe
dtrace: description 'END ' matched 1 probe
dtrace: allowing destructive actions"

# The status is the low eight bits of the argument of exit().
while read -r said want; do
	run -qr $pcap -n "BEGIN { exit($said); }"
	status "$want"
done <<'END'
3 3
300 44
-1 255
END
# exit(): earlier records of its firing are kept; END runs, and aggregations are printed.
run -qr $pcap -n 'ip:::send { @ = count(); printf("one\n"); exit(4); } ip:::send { printf("two\n"); } END { printf("end\n"); }'
status 4
out 'one
end

                1'
# -Z with a probe that does not exist: nothing fires, and that is no error. With -l, a message names
# the description without a match.
run -Z -r $pcap -n 'nosuch:::p { }'
status 0
err "dtrace: description 'nosuch:::p ' matched 0 probes"

# -l widens columns for long names and truncates no name. It does not list probes that are created
# on demand.
run -r $pcap -ln mm_vmscan_memcg_softlimit_reclaim_begin
[ "$(wc -l <"$out")" = 1 ] || out '   ID   PROVIDER            MODULE                          FUNCTION NAME
    N     rawtp           vmlinux                                   mm_vmscan_memcg_softlimit_reclaim_begin'
rm "$tmp/lib/wrong.d"
echo 'provider a_name_beyond_its_column { probe p(struct sk_buff *b) : (pktinfo_t *b); };
a_name_beyond_its_column:::p on cgroup_skb:::egress (args[0]);' >"$tmp/lib/long.d"
run -L "$tmp/lib" -r $pcap -lP a_name_beyond_its_column
out '   ID   PROVIDER            MODULE                          FUNCTION NAME
    N a_name_beyond_its_column            kernel                              none p'
for p in profile fbt kinst; do
	run -r $pcap -l -P $p
	status 0
	out '   ID   PROVIDER            MODULE                          FUNCTION NAME'
	err "dtrace: failed to match $p:::: No probe matches description"
done
# The preprocessor defines the system's name and release.
if command -v cpp >/dev/null; then
	printf '#if !__%s_%s\n#error which system\n#endif\nBEGIN { printf("x\\n"); }\n' "$(uname -s)" "$(uname -r | tr -c 'A-Za-z0-9\n' _)" >"$tmp/system.d"
	run -C -qr $pcap -s "$tmp/system.d"
	status 0
	out 'x
'
fi
finish
