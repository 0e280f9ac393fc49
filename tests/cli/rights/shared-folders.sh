# In a folder that other users can write to, dtrace follows no link and writes to no file of another
# user.
. tests/cli/lib.bash
[ "$(id -u)" = 0 ] || skip 'only root can make files of another user'
d=$tmp/shared
mkdir -m 1777 "$d"
echo mine >"$tmp/victim"
agg='ip:::send, udp:::send { @ = count(); }'

# each WHY FILE: tries every way to write FILE
each() {
	what="$2"
	fails "^dtrace: failed to open output file '$2': $1\$" -q -r $pcap -o "$2" -n "$agg"
	fails "^dtrace: failed to open '$2' for aggregations: $1\$" -q -r $pcap -x aggout="$2" -n "$agg"
	fails "^dtrace: failed to open '$2' for aggregations: $1\$" -q -r $pcap -x aggout="$2" -x aggoutrate=1s -n "$agg"
	fails "^dtrace: failed to open the capture '$2': $1\$" -q -r $pcap -x capture="$2" -n "$agg"
	run -qw -r $pcap -n "BEGIN { freopen(\"$2\"); printf(\"theirs\"); exit(0); }"
	err_has "couldn't freopen\(\) \"$2\": $1\$"
	text_is 'the file' "$tmp/victim" mine
}
setpriv --reuid 65534 ln -s "$tmp/victim" "$d/link"
each 'the file is a link, in a folder that another user may write to' "$d/link"
setpriv --reuid 65534 sh -c "echo mine >$d/theirs"
each 'the file belongs to another user or has several names, in a folder that another user may write to' "$d/theirs"
mkfifo "$d/fifo"
chown 65534 "$d/fifo"
each 'the file belongs to another user or has several names, in a folder that another user may write to' "$d/fifo"

# A folder of another user, and a folder of root's inside it.
mkdir -p "$tmp/other/ours"
ln -s "$tmp/victim" "$tmp/other/ours/link"
chown 65534 "$tmp/other"
each 'the file is a link, in a folder that another user may write to' "$tmp/other/ours/link"

# dtrace writes root's own files in the shared folder. It follows links in other folders.
what="the user's own files in the shared folder"
for file in "$d/ours" "$tmp/link"; do
	ln -sf real "$tmp/link"
	: >"$d/ours"
	run -q -r $pcap -o "$file" -n "$agg"
	status 0
	run -q -r $pcap -x aggout="$file" -n "$agg"
	status 0
	run -q --merge "$file"
	status 0
	run -q -r $pcap -x capture="$file" -n "$agg"
	status 0
	run -q -r "$file" -n "$agg"
	status 0
	run -qw -r $pcap -n "BEGIN { freopen(\"$file\"); printf(\"said\"); exit(0); }"
	checks=$((checks + 1))
	grep -aq said "$file" || wrong 'freopen() wrote to another file'
done
finish
