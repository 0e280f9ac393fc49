#!/bin/bash
# cs_pid, cs_execname and cs_uid describe the process that made the socket: across threads, fork(2),
# execve(2), setuid(2), and after the socket is passed to another process.
. "$(dirname "$0")/../lib.bash"
need python3

ns one
mkfifo "$T/go"
GO="$T/go" background lives one "$LIVE/helpers/lives" || finish
dt_start lives -x footer -n '
udp:::send /args[1]->cs_netns == '"$(inum one)"'/
{ printf("%d %d %s %d\n", args[4]->udp_dport, args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_uid); }
tcp:::connect-request /args[1]->cs_netns == '"$(inum one)"'/
{ printf("%d %d %s %d\n", args[4]->tcp_dport, args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_uid); }' || finish
echo go >"$T/go"
for ((i = 0; i < 200; i++)); do
	grep -q done "$T/lives.srv" && break
	sleep 0.1
done
dt_stop lives
lossless lives
grep '^79' "$T/lives.srv" | sort >"$T/want"
grep '^79' "$T/lives.out" | sort >"$T/got"
same 'the helper has run 8 cases' 8 "$(wc -l <"$T/want")"
same_files 'the maker'\''s, whoever sends' "$T/want" "$T/got"
finish
