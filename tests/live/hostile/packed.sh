# Files that unpack to more than a gigabyte, mapped executable: three compressed files, and a
# library with a compressed symbol table (.gnu_debugdata). dtrace needs little memory and counts
# every event.
. "$(dirname "$0")/hostile.bash"
need python3 objcopy strip

python3 - "$U" <<'PY' || { fail 'no packed files'; finish; }
import bz2, lzma, sys, zlib

where = sys.argv[1]
# A flushed compressed block can be repeated any number of times.
c = zlib.compressobj(9, zlib.DEFLATED, -15)
block = c.compress(bytes(16 << 20)) + c.flush(zlib.Z_FULL_FLUSH)
with open(where + "/packed.gz", "wb") as f:
    f.write(b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + block * 80 + b"\x03\0" + bytes(8))
part = lzma.compress(bytes(64 << 20), preset=0)
with open(where + "/packed.xz", "wb") as f:
    f.write(part * 20)
with open(where + "/packed.bz2", "wb") as f:
    f.write(bz2.compress(bytes(32 << 20), 9) * 40)
x = lzma.LZMACompressor(preset=0)
with open(where + "/names.xz", "wb") as f:
    for i in range(300):
        f.write(x.compress(bytes(4 << 20)))
    f.write(x.flush())
PY
library lib.so
strip -s "$U/lib.so"
objcopy --add-section .gnu_debugdata="$U/names.xz" "$U/lib.so"
mapper packed.gz packed.xz packed.bz2 lib.so
witness
run packed -n 'syscall::getppid:entry /pid == $1 || pid == $2/ { @[ustack(2)] = count(); @n = count(); }
	tick-1s { exit(0); } END { printa(@); printa("all %@d\n", @n); }' $user_pid $witness_pid
ended packed 0
for f in packed.gz packed.xz packed.bz2; do
	shown packed "$f\`0x"
	same "$f is not given to a reader" 0 "$(grep -c "$f" "$T/packed.err")"
done
shown packed 'lib\.so`'
shown packed 'witness`innocent\+0x'
shown packed 'hostile-mapper`fake_call\+0x'
same 'the table has the counts of all events' "$(sed -n 's/^all //p' "$T/packed.out")" "$(awk '/^ +[0-9]+$/ { n += $1 } END { print n }' "$T/packed.out")"
finish
