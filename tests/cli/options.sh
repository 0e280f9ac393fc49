# -x and -b: names, values.
. tests/cli/lib.bash

run -r $pcap -x nosuch -n BEGIN
status 1
out ''
err 'dtrace: failed to set -x nosuch: Invalid option name'
run -r $pcap -x nosuch=1 -n BEGIN
status 1
err 'dtrace: failed to set -x nosuch: Invalid option name'
run -r $pcap -x strsize=many -n BEGIN
status 1
err 'dtrace: failed to set -x strsize: Invalid value for specified option'
run -r $pcap -x quiet=perhaps -n BEGIN
status 1
err 'dtrace: failed to set -x quiet: Invalid value for specified option'
run -r $pcap -b x -n BEGIN
status 1
err 'dtrace: failed to set -b x: Invalid value for specified option'
run -r $pcap -x local=nowhere -n BEGIN
status 1
one_line_of_stderr

# Known to DTrace, without a meaning here: taken in silence.
run -r $pcap -q -b 4m -x bufsize=64k -x aggsize=1m -x dynvarsize=16m -x switchrate=10hz -x aggrate=100ms \
	-x cleanrate=101hz -x statusrate=1s -x bufpolicy=switch -x bufresize=auto -x nspec=4 -x specsize=32k \
	-x stackframes=100 -x ustackframes=100 -x temporal -x evaltime=exec -x amin=Private/Private/Unknown \
	-x pspec -x stdc=a -x version=1.0 -x knodefs -x unodefs -x scratchsize=256 -x maxframes=10 \
	-x lazyload -x linkmode=dynamic -x pgmax=8 -x jstackframes=5 -x jstackstrsize=512 \
	-n 'BEGIN { printf("x\n"); }'
status 0
err ''
out 'x
'
for v in yes on true enable enabled set; do
	run -r $pcap -x quiet=$v -n 'BEGIN { printf("x\n"); }'
	err ''
done
for v in no off false disable disabled unset; do
	run -r $pcap -q -x quiet=$v -n 'BEGIN { n = 1; }'
	err "dtrace: description 'BEGIN ' matched 1 probe"
done
# Bytes are shown as bytes.
run -r $pcap -q -x rawbytes -n 'BEGIN { trace("AB"); }'
status 0
out_has '^ +0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef$'
out_has '^ +0: 41 42 00 '
# Without the library there is no ip_saddr, and there are no translators.
run -r $pcap -q -x nolibs -n 'BEGIN { printf("%d\n", 6 * 7); }'
status 0
out '42
'
# An empty program is one, if that is wanted.
echo '/* nothing */' >"$tmp/empty.d"
run -r $pcap -q -x empty -s "$tmp/empty.d"
status 0
run -r $pcap -x destructive -n 'BEGIN { n = 1; }'
status 0
err_has '^dtrace: allowing destructive actions$'
# Sizes: k m g.
run -r $pcap -q -x strsize=1k -n 'BEGIN { printf("%d\n", sizeof(string)); }'
out '1024
'
# Options that may change while tracing, and one that may not.
run -r $pcap -q -n 'BEGIN { @["a"] = sum(1); @["b"] = sum(2); setopt("aggsortrev"); }'
status 0
run -r $pcap -q -n 'BEGIN { setopt("strsize", "5"); }'
status 0
err_has '^dtrace: error on enabled probe ID 1 .*couldn.t set option "strsize" to "5": Operation illegal when tracing is active'
finish
