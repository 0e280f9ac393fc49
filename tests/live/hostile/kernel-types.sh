# root's dtrace parses the kernel's types and symbols. Another user cannot replace them: not by
# writing the files, not by mounts over the files, and not with types loaded by bpf(2).
. "$(dirname "$0")/hostile.bash"
need unshare
TYPES=/sys/kernel/btf/vmlinux SYMBOLS=/proc/kallsyms

# Types that claim to be longer than their file, and symbols that name every address.
head -c 4096 "$TYPES" >"$U/types"
printf '0000000000000000 T forged\n' >"$U/symbols"
chmod 644 "$U/types" "$U/symbols"
user() { setpriv --reuid $HOSTILE_UID --regid $HOSTILE_UID --clear-groups "$@"; }
for file in "$TYPES" "$SYMBOLS"; do
	same "$file: written to" 1 "$(user sh -c 'cat "$1" 2>/dev/null >"$2"' sh "$U/types" "$file" 2>"$T/err"; echo $(($? != 0)))"
done

# In a mount namespace of their own, users may mount anything over the files.
as_user unshare -Urm sh -c 'mount --bind "$1/types" "$2" && mount --bind "$1/symbols" "$3" && echo mounted &&
	sleep 600' sh "$U" "$TYPES" "$SYMBOLS" >"$T/said" 2>&1
for ((i = 0; i < 100; i++)); do [ ! -s "$T/said" ] || break; sleep 0.05; done
grep -q '^mounted$' "$T/said" || echo "not tried: mounting over them: $(cat "$T/said")"

# Loading types needs CAP_BPF in the initial user namespace.
cat >"$U/load.c" <<'C'
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct { struct { uint16_t magic; uint8_t version, flags; uint32_t len, type, types, text, texts; } head;
		uint32_t type[4]; char text[8]; } btf = {{0xeb9f, 1, 0, 24, 0, 16, 16, 8}, {1, 1 << 24, 4, 32}, "\0int"};
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.btf = (uint64_t)(uintptr_t)&btf;
	a.btf_size = sizeof(btf);
	puts(syscall(SYS_bpf, BPF_BTF_LOAD, &a, sizeof(a)) >= 0 ? "loaded" : strerror(errno));
	return 0;
}
C
compile load
same 'root loads types' loaded "$("$U/load")"
same 'another user cannot load types' 'Operation not permitted' "$(user "$U/load")"
if user unshare -Ur true 2>/dev/null; then
	same 'another user cannot load types in a user namespace' 'Operation not permitted' "$(user unshare -Ur "$U/load")"
fi

witness
run types -n 'syscall::getppid:entry /pid == $1/ { printf("comm %s\n", stringof(curthread->comm)); @[stack(1)] = count();
	n++; } tick-100ms /n > 5/ { exit(0); }' $witness_pid
ended types 0
shown types '^comm witness$'
shown types '^ +vmlinux`[a-z_]'
not_shown types forged
finish
