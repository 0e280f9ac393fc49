# Each constant of compiler/builtins/consts.c is found, and has the value that C gives it.
. tests/cli/lib.bash
command -v cc >/dev/null || { echo "SKIP: no cc here"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sed -n '/ constants\[\] = {/,/^};/s/^	{"\(\w*\)", \(.*\)},$/\1 \2/p' compiler/builtins/consts.c >"$dir/names"
[ "$(wc -l <"$dir/names")" -gt 200 ] || wrong "the table was not found"
{
	printf '#include <errno.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <sys/stat.h>\n'
	printf '#include "ir/program.h"\nint main(void)\n{\n'
	sed 's/\(.*\) \(.*\)/	printf("\1 %d\\n", \2);/' "$dir/names"
	printf '}\n'
} >"$dir/c.c"
cc -D_GNU_SOURCE -I. -o "$dir/c" "$dir/c.c" && "$dir/c" >"$dir/want" || wrong "the C headers lack some of the constants"
{
	printf '#pragma D option quiet\nBEGIN {\n'
	sed 's/\(.*\) .*/	printf("\1 %d\\n", \1);/' "$dir/names"
	printf '	exit(0);\n}\n'
} >"$dir/c.d"
"$DTRACE" -r tests/pcap/empty.pcap -s "$dir/c.d" 2>&1 | grep . >"$dir/got"
diff "$dir/want" "$dir/got" || wrong "D and C give different values (see above)"
finish
