# A name in a program does not change the meaning of library texts. The test declares every word of
# the library as a variable.
. tests/cli/lib.bash
pcap=tests/pcap/connections.pcap what="declared names"

# Keeps only names that a program may declare: names of inlines, for example, are refused. The
# library has hundreds of words, so the build without sanitizers tries them, which is faster.
PLAIN=${DTRACE_PLAIN:-$DTRACE}
try() { timeout 300 "$PLAIN" -r tests/pcap/empty.pcap -q -e -n "int $1; BEGIN { }" 2>/dev/null && echo "$1"; }
export -f try
export PLAIN
words=$(cat translators/*.d providers/*/*.d | sed 's,/\*.*,,; /^ \*/d' | grep -oE '\b[A-Za-z][A-Za-z_0-9]*' | sort -u)
echo "$words" | xargs -P 4 -n 100 bash -c 'for name; do try "$name"; done' - | sort >"$tmp/taken"
[ "$(wc -l <"$tmp/taken")" -gt 200 ] || wrong 'fewer than 200 names were tested'
! grep -qxE 'IPPROTO_TCP|pid|ntohs|args' "$tmp/taken" || wrong 'a name of the library was taken'

# Gives each variable a value. If a library text read the variable, its result would be wrong.
{
	sed 's/.*/int &; this int &; self int &;/' "$tmp/taken"
	echo 'ip:::,tcp:::,udp::: {'
	sed 's/.*/& = 77; this->& = 78;/' "$tmp/taken"
	echo '}'
} >"$tmp/names.d"
cat >"$tmp/x.d" <<'E'
tcp:::send, tcp:::receive {
	printf("%s %d %s %s %s %s %d %d %d %d\n", probename, args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr,
	    args[3]->tcps_laddr, args[3]->tcps_raddr, args[3]->tcps_state, args[2]->ip_plength, args[4]->tcp_flags,
	    args[1]->cs_pid);
}
tcp:::state-change { printf("%s %d %d\n", probename, args[3]->tcps_state, args[5]->tcps_state); }
tcp:::connect-*, tcp:::accept-* { printf("%s %d\n", probename, args[3]->tcps_lport); }
ip:::send { printf("%s %s\n", args[3]->if_name, args[4]->ipv4_protostr); }
E
run -r "$pcap" -q -s "$tmp/x.d"
status 0
cp "$out" "$tmp/without"
[ "$(wc -l <"$tmp/without")" -gt 100 ] || wrong 'too little to compare'
cat "$tmp/names.d" "$tmp/x.d" >"$tmp/both.d"
run -r "$pcap" -q -s "$tmp/both.d"
status 0
cmp "$out" "$tmp/without" || wrong 'the names change the output'
finish
