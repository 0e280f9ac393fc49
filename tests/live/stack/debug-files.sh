# A stripped program gets names from its debug file, found by build ID. The file may be large.
. "$(dirname "$0")/../lib.bash"
need cc objcopy strip readelf python3

cat >"$T/spins.c" <<'C'
#include <unistd.h>

__attribute__((noipa)) static void inner(void)
{
	usleep(1000);
}

int main(void)
{
	for (;;)
		inner();
}
C
cc -g -O1 -fno-omit-frame-pointer -Wl,--build-id -o "$T/spins" "$T/spins.c" || fail 'no test program'
objcopy --only-keep-debug "$T/spins" "$T/spins.debug"
strip "$T/spins"
# Moves the strings to the end of the file and extends them to 500 MB, mostly a hole.
python3 - "$T/spins.debug" <<'END' || fail 'no large debug file'
import struct, sys

with open(sys.argv[1], "r+b") as f:
    elf = f.read()
    headers, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    at = [headers + i * size for i in range(count)]
    name = struct.unpack_from("<Q", elf, at[names] + 24)[0]
    for h in at:
        if elf[name + struct.unpack_from("<I", elf, h)[0]:].startswith(b".strtab\0"):
            offset, length = struct.unpack_from("<QQ", elf, h + 24)
            f.seek(h + 24)
            f.write(struct.pack("<QQ", len(elf), 500 << 20))
            f.seek(0, 2)
            f.write(elf[offset:offset + length])
            f.truncate(len(elf) + (500 << 20))
            sys.exit(0)
sys.exit(1)
END
id=$(readelf -n "$T/spins" | sed -n 's/.*Build ID: //p')

mkdir -p /usr/lib/debug && mount -t tmpfs none /usr/lib/debug || skip 'no folder for debug files'
"$T/spins" &
pid=$!

# frames: prints the frame of main() in a stack of the program, if the frame has its name
frames() {
	timeout 120 "$DTRACE" -qn 'syscall::clock_nanosleep:entry /pid == $target/ { ustack(9); exit(0); }' -p $pid |
		grep -o 'spins`main'
}
same 'without the debug file no frame has a name' 'no names' "$(frames | grep . || echo no names)"
mkdir -p "/usr/lib/debug/.build-id/${id:0:2}"
mv "$T/spins.debug" "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
same 'with the debug file the frame has a name' 'spins`main' "$(frames)"
same 'a function of the debug file can be traced' inner \
	"$(timeout 120 "$DTRACE" -ln 'pid$target:spins:inner:entry' -p $pid | awk '$NF == "entry" { print $(NF - 1) }')"
finish
