# A program that nests or expands too much is an error, and dtrace's stack does not overflow.
# Programs with very many names still compile in a few seconds.
. tests/cli/lib.bash
# script: compiles $tmp/x.d with -s
script() { run -r $pcap -q -x errtags -e -s "$tmp/x.d"; }
repeat() { printf "%$2s" '' | sed "s/ /$1/g"; }

echo "BEGIN { trace($(repeat '1?' 60000)1$(repeat ':1' 60000)); }" >"$tmp/x.d"
script
status 1
err_has '\[D_LIMIT\] line 1: the program is nested too deeply: more than 256 levels'

# values N: a printf() of N values.
values() { echo "BEGIN { printf(\"$(repeat %d "$1")\"$(repeat ,1 "$1")); }" >"$tmp/x.d"; }
values 1025
script
status 1
err_has '\[D_LIMIT\] line 1: printf\( \) has more than 1024 values$'
values 1024
script
status 0

# Each inline adds 900 levels to the inline before it.
{
	echo 'inline int a0 = 1;'
	for i in $(seq 30); do echo "inline int a$i = a$((i - 1))$(repeat '+x' 900);"; done
	echo 'BEGIN { trace(a30); }'
} | sed '1s/^/int x; /' >"$tmp/x.d"
script
status 1
err_has '\[D_LIMIT\] line [0-9]+: expression is nested too deeply: after inlines are expanded, it has more than 2000 levels'

# Each call of f puts its argument below 900 levels, so nested calls exceed the limit, too.
{
	echo "int x; inline int f[int y] = y$(repeat '+x' 900);"
	echo "BEGIN { trace($(repeat 'f[' 40)1$(repeat ']' 40)); }"
} >"$tmp/x.d"
script
status 1
err_has '\[D_LIMIT\] line [0-9]+: expression is nested too deeply: after inlines are expanded, it has more than 2000 levels'

# Each inline is twice as large as the inline before it.
{
	echo 'int x; inline int a0 = x;'
	for i in $(seq 40); do echo "inline int a$i = a$((i - 1)) + a$((i - 1));"; done
	echo 'BEGIN { trace(a40); }'
} >"$tmp/x.d"
script
status 1
err_has '\[D_LIMIT\] line [0-9]+: expression is too long: after inlines and translators are expanded, it has more than [0-9]+ parts'

# A lookup of a name takes constant time, so a program with tens of thousands of names or texts
# needs at most six seconds of CPU time.
many() {
	(ulimit -t 6; run -r $pcap -q -e -s "$tmp/x.d"; exit $status)
	status=$?
	what="$1 of them"
}
seq 60000 | sed 's/.*/int v&;/' >"$tmp/x.d"
echo 'BEGIN { }' >>"$tmp/x.d"
many variables
status 0
{ echo 'BEGIN {'; seq 30000 | sed 's/.*/@a& = count();/'; echo '}'; } >"$tmp/x.d"
many aggregations
status 0
{ echo 'BEGIN {'; seq 60000 | sed 's/.*/trace("text &");/'; echo '}'; } >"$tmp/x.d"
many texts
status 0
finish
