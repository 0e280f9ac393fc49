# Every build resists exploits as Debian's own programs do: the test build, the optimised one, the package.
. tests/package/lib.bash
. tests/package/hardened.bash
command -v objdump >/dev/null || skip "there is no objdump"

is_hardened() { # WHAT FILE FORTIFIED
	what=$1 checks=$((checks + 1))
	hardened "$2" '' "$3" >"$out"
	[ ! -s "$out" ] || { wrong "hardening"; cat "$out"; }
}

# The address sanitizer checks in place of the C library.
fortified=yes
nm -D "$DTRACE" | grep -q __asan_ && fortified=no
is_hardened 'the test build' "$DTRACE" $fortified
is_hardened 'the optimised build' "$build/dtrace" yes
make_package
for package in "$deb" $fleet_deb; do
	dpkg-deb -x "$package" "$tmp/unpacked"
done
for program in "$tmp"/unpacked/usr/sbin/*; do
	case $(head -c 4 "$program") in *ELF) is_hardened "the package's ${program##*/}" "$program" yes ;; esac
done

# Programs without each of these are found out.
cat >"$tmp/weak.c" <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	char name[20000];
	snprintf(name, sizeof(name), "%s%d", argv[0], argc);
	return name[argc];
}
END
what='a program without hardening' checks=$((checks + 1))
cc -O2 -no-pie -fno-stack-protector -fno-stack-clash-protection -Wl,-z,lazy,-z,norelro,-z,execstack \
	-o "$tmp/weak" "$tmp/weak.c" 2>"$err" || skip "there is no compiler: $(cat "$err")"
hardened "$tmp/weak" '' yes >"$out"
[ "$(wc -l <"$out")" = 8 ] || { wrong "only this was found missing"; cat "$out"; }
finish
