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

# Folders of root: everybody, the group (also group 0), or the users and groups of an ACL may write.
# walk WHO MODE GROUP ACL FILE
acl() { # acl FOLDER ENTRY...: entries are TAG,RIGHTS,ID in numbers; see acl(5)
	python3 -c '
import os, struct, sys
entries = [tuple(int(v, 0) for v in word.split(",")) for word in sys.argv[2:]]
text = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in entries)
os.setxattr(sys.argv[1], "system.posix_acl_access", text)' "$@"
}
nobody=4294967295
owner=1,7,$nobody user=2,7,65534 group=4,5,$nobody group_of=8,7,65534 mask=0x10,7,$nobody other=0x20,5,$nobody
walk() {
	local folder=$tmp/walk.$1
	mkdir -p "$folder/below"
	ln -sf "$tmp/victim" "$folder/below/link"
	ln -sf "$tmp/victim" "$folder/link"
	ln -sf below "$folder/to"
	chown "$3" "$folder"
	chmod "$2" "$folder"
	[ -z "${4-}" ] || acl "$folder" $4 || skip 'this file system has no ACLs'
	for file in link below/link to/new; do
		each 'the file is a link, in a folder that another user may write to' "$folder/$file"
	done
}
walk everybody 0777 0:0
walk group 0775 0:1
walk group-0 0775 0:0
walk user-in-acl 0755 0:0 "$owner $user $group $mask $other"
walk group-in-acl 0755 0:0 "$owner $group $group_of $mask $other"

# The folder of the user who called sudo counts as ours. But a link in it leads only to files of
# that user.
mkdir "$tmp/callers"
chown 1:1 "$tmp/callers" # daemon, whose group is private
chmod 775 "$tmp/callers"
setpriv --reuid 1 --regid 1 --clear-groups sh -c "echo theirs >$tmp/callers/file; cd $tmp/callers; ln -s file link; ln -s $tmp/victim victim; ln -s $tmp up; ln -s . here; ln -s $tmp/victim x.d"
export SUDO_UID=1
for file in victim up/new up/victim here/up/victim; do
	each 'the user who called sudo made a link to a file of another user' "$tmp/callers/$file"
done
for file in link file here/here/link new here/newer; do
	run -q -r $pcap -o "$tmp/callers/$file" -n "$agg"
	status 0
done
fails 'the user who called sudo made a link to a file of another user$' -L "$tmp/callers" -r $pcap -n BEGIN
what='a folder with an ACL'
acl "$tmp/callers" "$owner" "2,7,65533" "$group" "$mask" "$other"
each 'the file is a link, in a folder that another user may write to' "$tmp/callers/link"
# A group with another member, or that /etc/group does not have, is not private.
acl "$tmp/callers" "$owner" "$group" "$other"
chmod 775 "$tmp/callers"
for id in 65534 65533; do
	grep -q "^[^:]*:[^:]*:$id:$id:" /etc/passwd && continue # its group is private
	chown -h $id:$id "$tmp/callers" "$tmp/callers/file" "$tmp/callers/link"
	export SUDO_UID=$id
	each 'the file is a link, in a folder that another user may write to' "$tmp/callers/link"
done
unset SUDO_UID

# A replaced file keeps its rights, whatever default ACL the folder has.
mkdir "$tmp/defaults"
: >"$tmp/defaults/file"
chmod 640 "$tmp/defaults/file"
python3 -c '
import os, struct, sys
text = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in (
    (1, 7, 2**32 - 1), (2, 7, 65534), (4, 5, 2**32 - 1), (0x10, 7, 2**32 - 1), (0x20, 0, 2**32 - 1)))
os.setxattr(sys.argv[1], "system.posix_acl_default", text)' "$tmp/defaults"
run -q -r $pcap -x aggout="$tmp/defaults/file" -n "$agg"
status 0
what='rights of a replaced file'
checks=$((checks + 1))
setpriv --reuid 65534 --regid 65534 --clear-groups cat "$tmp/defaults/file" >/dev/null 2>&1 && wrong 'another user may read it'
acl "$tmp/defaults/file" 1,6,$nobody 2,4,65534 4,0,$nobody 0x10,4,$nobody 0x20,0,$nobody
run -q -r $pcap -x aggout="$tmp/defaults/file" -n "$agg"
checks=$((checks + 1))
setpriv --reuid 65534 --regid 65534 --clear-groups cat "$tmp/defaults/file" >/dev/null || wrong 'its ACL is lost'

# A user who holds a lease on a file does not make dtrace wait.
: >"$tmp/leased"
chown 65534 "$tmp/leased"
python3 -c '
import fcntl, os, signal, sys, time
os.setuid(65534)
signal.signal(signal.SIGIO, signal.SIG_IGN)
fcntl.fcntl(os.open(sys.argv[1], os.O_RDWR), fcntl.F_SETLEASE, fcntl.F_WRLCK)
print("ready", flush=True)
time.sleep(30)' "$tmp/leased" >"$tmp/ready" &
holder=$!
for _ in $(seq 100); do
	[ -s "$tmp/ready" ] && break
	sleep 0.1
done
run -q -r $pcap -o "$tmp/leased" -n "$agg"
kill $holder
status 1
err_has "failed to open output file '$tmp/leased': a process holds a lease on it\$"

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
