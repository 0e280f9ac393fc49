# In a chroot whose root is no mount point, the lists of mounts have no entry for the files there.
# pid and usdt probes find their files nevertheless, also in a chroot in a chroot.
. "$(dirname "$0")/../lib.bash"

cat >"$T/called.c" <<'END'
__attribute__((noinline, noclone)) void called(void)
{
	__asm__ volatile("");
}

int main(void)
{
	called();
	return 0;
}
END
for root in "$T/box" "$T/box/inner"; do
	mkdir -p "$root/proc" "$root/dev" "$root/sys" "$root/usr" "$root/etc" "$root/here"
	for link in bin sbin lib lib64; do
		[ ! -L /$link ] || cp -P /$link "$root/"
	done
	cp /etc/ld.so.cache "$root/etc/" 2>/dev/null
	cp "$DTRACE" "$root/here/dtrace"
	cc -O1 -static -o "$root/here/called" "$T/called.c" || skip 'cannot compile'
done
[ -L "$T/box/lib" ] || skip '/lib is no link to /usr/lib'

count() { # count [INNER]: traces one call in the chroot, or in the chroot INNER in it
	# shellcheck disable=SC2016
	unshare -m --propagation private sh -c '
		for root in "$1" "$1$2"; do
			cd "$root" && for dir in proc dev sys usr; do mount --rbind /$dir ./$dir; done || exit
		done
		exec chroot "$1" chroot "/$2" /here/dtrace -qc /here/called -n "pid\$target:called:called:entry { @ = count(); }"' \
		sh "$T/box" "${1-}" 2>&1 | tr -d ' \n'
}
same 'in a chroot' 1 "$(count)"
same 'in a chroot in a chroot' 1 "$(count /inner)"
finish
