# The io provider: start and done fire once for each disk request, with its fields.
. "$(dirname "$0")/../lib.bash"
need losetup dd
N=${REQUESTS:-10000}
unseen=0 # events that may be missing, because the kernel traces nothing in init (shields_init)
! shields_init || unseen=5

truncate -s $((N * 4096)) "$T/disk"
dev=$(losetup -f --show "$T/disk" 2>"$T/err") || skip "no loop device: $(cat "$T/err")"
loop=${dev#/dev/}
trap 'umount "$T/on" 2>/dev/null; losetup -d "$dev"; live_end' EXIT
major=$((0x$(stat -c %t "$dev"))) minor=$((0x$(stat -c %T "$dev")))

cat >"$T/all.d" <<'D'
io:::start /args[1]->dev_statname == $$1/ {
	@start[args[0]->b_flags & B_WRITE ? "write" : args[0]->b_flags & B_READ ? "read" : "?", args[0]->b_flags & B_ASYNC,
	    args[0]->b_flags & B_PAGEIO, args[0]->b_bcount, args[2]->fi_name] = count();
	@who[execname] = count();
	@bytes = sum(args[0]->b_bcount);
	@blocks = sum(args[0]->b_blkno);
	@device[args[1]->dev_major, args[1]->dev_minor, args[1]->dev_instance, args[1]->dev_name, args[1]->dev_pathname,
	    getmajor(args[0]->b_edev), args[0]->b_lblkno == args[0]->b_blkno, args[0]->b_bufsize == args[0]->b_bcount,
	    args[0]->b_iodone != 0] = count();
	since[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}
io:::done /args[1]->dev_statname == $$1/ {
	@done[args[0]->b_flags & B_WRITE ? "write" : "read", args[0]->b_flags & B_DONE, args[0]->b_flags & B_ERROR, args[0]->b_error,
	    args[0]->b_bcount, args[0]->b_resid, since[args[0]->b_edev, args[0]->b_blkno] != 0] = count();
	since[args[0]->b_edev, args[0]->b_blkno] = 0;
}
io:::wait-start /pid == $target/ { self->wait = timestamp; waits++; known += args[0]->b_bcount != 0; }
io:::wait-done /pid == $target && self->wait/ { self->wait = 0; waits--; waited = 1; }
END {
	printa("start %s %d %d %d %s %@d\n", @start);
	printa("who %s %@d\n", @who);
	printa("bytes %@d\n", @bytes);
	printa("blocks %@d\n", @blocks);
	printa("device %d %d %d %s %s %d %d %d %d %@d\n", @device);
	printa("done %s %d %d %d %d %d %d %@d\n", @done);
	printf("waits %d %d %d\n", waits, waited, known);
}
D

# trace COMMAND: prints the events that the command causes
trace() {
	"$DTRACE" -qs "$T/all.d" -c "$1" "$loop" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
	sed '/^$/d' "$T/got"
}

one_by_one() { # read|write FLAG COMMAND
	trace "$3" >"$T/both"
	awk -v n="$N" -v unseen=$unseen '$1 == "done" && $NF < n && $NF >= n - unseen { $NF = n } $1 != "who"' "$T/both" >"$T/seen"
	cat >"$T/want" <<-WANT
	start $1 0 0 4096 <none> $N
	bytes $((N * 4096))
	blocks $((N * (N - 1) / 2 * 8))
	device $major $minor $minor $loop $dev $major 1 1 1 $N
	done $1 2 0 0 4096 0 1 $N
	waits 0 1 0
	WANT
	same_files "$N times $1" "$T/want" "$T/seen"
	# For writes, and with an I/O scheduler, a kernel thread may submit the request.
	[ "$1" = write ] || ! grep -q '\[none\]' "/sys/block/$loop/queue/scheduler" || same "$1: the process that made the requests" "who dd $N" "$(grep ^who "$T/both")"
}

one_by_one write 256 "dd if=/dev/zero of=$dev bs=4k count=$N oflag=direct status=none"
one_by_one read 64 "dd if=$dev of=/dev/null bs=4k count=$N iflag=direct status=none"

# Through the page cache: requests may be merged, but each byte counts once.
blockdev --flushbufs "$dev"
trace "dd if=$dev of=/dev/null bs=64k status=none" >"$T/seen"
same 'bytes read through the page cache' "bytes $((N * 4096))" "$(grep bytes "$T/seen")"
same 'each of these requests has the flag B_PAGEIO' "$(grep -c '^start' "$T/seen")" "$(grep -c '^start read [0-9]* 16 ' "$T/seen")"

# Bytes by direction, as /proc/diskstats counts them. Its fields 3, 7 and 14 are blocks of 512 bytes that
# were read, written and discarded. Zeroing blocks is a write.
blocks() { awk '{ print $3, $7, $14 }' "/sys/block/$loop/stat"; }
cat >"$T/ways" <<-END
dd if=/dev/zero of=$dev bs=4k count=100 oflag=direct status=none
dd if=$dev of=/dev/null bs=4k count=50 iflag=direct status=none
blkdiscard -o 1048576 -l 4194304 $dev
blkdiscard -z -o 8388608 -l 1048576 $dev
END
if command -v blkdiscard >/dev/null && [ "$(cat "/sys/block/$loop/queue/discard_max_bytes")" != 0 ]; then
	for try in 1 2 3; do # again if the kernel traced nothing in init (shields_init)
		blocks >"$T/from"
		"$DTRACE" -qn 'io:::start /args[1]->dev_statname == $$1/ {
				@r = sum(args[0]->b_flags & B_READ ? args[0]->b_bcount / 512 : 0);
				@w = sum(args[0]->b_flags & B_WRITE ? args[0]->b_bcount / 512 : 0);
				@d = sum(args[0]->b_flags & (B_READ | B_WRITE) ? 0 : args[0]->b_bcount / 512); }
			END { printa("%@d %@d %@d\n", @r, @w, @d); }' -c "sh $T/ways" "$loop" >"$T/got" 2>"$T/err"
		want=$(blocks | paste -d ' ' "$T/from" - | awk '{ print $4 - $1, $5 - $2, $6 - $3 }')
		got=$(sed '/^$/d' "$T/got")
		[ "$want" != "$got" ] && [ "$unseen" != 0 ] || break
	done
	# In some guests, the file of the device is on a file system that cannot discard.
	[ "${want##* }" != 0 ] || [ -n "${IN_VM:-}" ] || fail "the device has discarded no blocks"
	same 'blocks that are read, written and discarded, as the kernel counts them' "$want" "$got"
fi

# Reads past the end of the file that the device uses.
truncate -s 0 "$T/disk"
dd "if=$dev" of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null
fails=$? # 0 on a tmpfs, where such a read does not fail
trace "dd if=$dev of=/dev/null bs=4k count=1 iflag=direct status=none" >"$T/seen"
[ $fails = 0 ] || same 'a failed request has B_ERROR and its errno' 'done read 2 4 5 4096 4096 1 1' "$(grep '^done' "$T/seen" | head -n 1)"

truncate -s 16M "$T/disk"
losetup -c "$dev"
mkdir "$T/on"
# Requests that only flush a cache do not fire start or done. So each done has a start, and a size
# that is not 0.
if mkfs.ext4 -qF "$dev" 2>/dev/null && mount "$dev" "$T/on" 2>/dev/null; then
	umount "$T/on"
	echo "mkfs.ext4 -qF $dev && mount $dev $T/on && sync -f $T/on && umount $T/on" >"$T/mounts"
	"$DTRACE" -qn 'io:::start, io:::done /args[1]->dev_statname == $$1/ { @[probename] = count(); }
		io:::done /args[1]->dev_statname == $$1 && args[0]->b_bcount == 0/ { @["empty"] = count(); }
		END { printa("%s %@d\n", @); }' \
		-c "sh $T/mounts" "$loop" >"$T/got" 2>"$T/err"
	started=$(sed -n 's/^start //p' "$T/got")
	[ "$unseen" = 0 ] || started=$(sed -n 's/^done //p' "$T/got")
	same 'each started request is done' "$started" "$(sed -n 's/^done //p' "$T/got")"
	grep '^empty' "$T/got" && fail 'requests without bytes are done'
fi
# args[2] names the file whose pages a request writes.
if mkfs.ext4 -qF "$dev" 2>/dev/null && mount "$dev" "$T/on" 2>/dev/null; then
	"$DTRACE" -qn 'io:::start /args[2]->fi_name == "afile"/ { @[args[2]->fi_fs] = sum(args[0]->b_bcount); } END { printa("%s %@d\n", @); }' \
		-c "dd if=/dev/zero of=$T/on/afile bs=64k count=4 conv=fsync status=none" >"$T/got" 2>"$T/err"
	same 'args[2] names the file' 'ext4 262144' "$(sed '/^$/d' "$T/got")"
fi
finish
