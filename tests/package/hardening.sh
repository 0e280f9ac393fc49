# Every build is hardened like Debian's own programs: the test build (as far as sanitizers allow), the
# optimised build, the package.
. tests/package/lib.bash
. tests/package/hardened.bash
command -v objdump >/dev/null || skip "there is no objdump"

is_hardened() { # is_hardened WHAT FILE
	local sanitized=no
	what=$1 checks=$((checks + 1))
	nm "$2" 2>/dev/null | grep -q __asan_ && sanitized=yes
	hardened "$2" '' $sanitized >"$out"
	[ ! -s "$out" ] || { wrong "hardening"; cat "$out"; }
}

is_hardened 'the test build' "$DTRACE"
is_hardened 'the optimised build' "$build/dtrace"
make_package
for package in "$deb" $fleet_deb; do
	dpkg-deb -x "$package" "$tmp/unpacked"
done
for program in "$tmp"/unpacked/usr/sbin/*; do
	case $(head -c 4 "$program") in *ELF) is_hardened "the package's ${program##*/}" "$program" ;; esac
done

# For a program without hardening, the check reports every flag as missing.
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
hardened "$tmp/weak" '' no >"$out"
[ "$(wc -l <"$out")" = 8 ] || { wrong "only this was found missing"; cat "$out"; }
finish
