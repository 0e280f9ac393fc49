# Names and values of -x options, and of -b.
. tests/cli/lib.bash

run -r $pcap -x nosuch -n BEGIN
status 1
out ''
err 'dtrace: failed to set -x nosuch: Invalid option name'
run -r $pcap -x nosuch=1 -n BEGIN
status 1
err 'dtrace: failed to set -x nosuch: Invalid option name'
# A misspelled name gets a suggestion. The test misspells filters, options of the command and
# options of the consumer.
for near in prot=port rpot=rport exename=execname durration=duration strsiz=strsize oformt=oformat quie=quiet; do
	run -r $pcap -x "${near%=*}=1" -n BEGIN
	status 1
	err "dtrace: failed to set -x ${near%=*}: Invalid option name: did you mean ${near#*=}?"
done
DTRACE_OPT_prot=80 run -r $pcap -n BEGIN
status 1
err 'dtrace: failed to set DTRACE_OPT_prot=80: Invalid option name: did you mean port?'
run -r $pcap -n '#pragma D option prot=80
BEGIN'
status 1
err_has "failed to set option 'prot' to '80': Invalid option name: did you mean port\?\$"
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

# An option for the input of -r is an error in a live run, where it has no effect.
for option in local=192.0.2.1 promisc; do
	run -x $option -e -n BEGIN
	status 1
	err_has "^dtrace: failed to set -x ${option%=*}: it applies to (captures|-r INTERFACE) only"
done
# A host name may look like an address. A message then suggests -x addr, in case the user meant
# packets.
run -x host=192.0.2.1 -r $pcap -qn 'BEGIN { printf("%s\n", host); }'
status 0
out '192.0.2.1
'
err 'dtrace: -x host=192.0.2.1 sets the name of this host; to select packets of 192.0.2.1, use -x addr=192.0.2.1'
run -x locked -x host=192.0.2.1 -r $pcap -qn 'BEGIN { printf("%s\n", host); }'
err ''

# Options of DTrace are accepted silently, including those that have no meaning here.
run -r $pcap -q -b 4m -x bufsize=64k -x aggsize=1m -x dynvarsize=16m -x switchrate=10hz -x aggrate=100ms \
	-x cleanrate=101hz -x statusrate=1s -x bufpolicy=switch -x bufresize=auto -x nspec=4 -x specsize=32k \
	-x stackframes=100 -x ustackframes=100 -x temporal -x evaltime=exec -x amin=Private/Private/Unknown \
	-x pspec -x stdc=a -x version=1.0 -x knodefs -x unodefs -x scratchsize=256 -x maxframes=10 \
	-x lazyload -x linkmode=dynamic -x pgmax=8 -x jstackframes=5 -x jstackstrsize=512 \
	-x pcapsize=96 -x lockmem=1m -x bpflog -x quietresize -x noresolve \
	-n 'BEGIN { printf("x\n"); }'
status 0
err ''
out 'x
'
for v in yes on true enable enabled set 1 YES On sEt; do
	run -r $pcap -x quiet=$v -n 'BEGIN { printf("x\n"); }'
	err ''
done
for v in no off false disable disabled unset 0 NO UnSet; do
	run -r $pcap -q -x quiet=$v -n 'BEGIN { n = 1; }'
	err "dtrace: description 'BEGIN ' matched 1 probe"
done
# -x rawbytes prints a string as bytes.
run -r $pcap -q -x rawbytes -n 'BEGIN { trace("AB"); }'
status 0
out_has '^ +0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef$'
out_has '^ +0: 41 42 00 '
# A program that needs nothing from the library also runs with -x nolibs.
run -r $pcap -q -x nolibs -n 'BEGIN { printf("%d\n", 6 * 7); }'
status 0
out '42
'
# -x empty accepts an empty program, but a run without probes is still an error.
echo '/* nothing */' >"$tmp/empty.d"
succeeds -r $pcap -q -x empty -e -s "$tmp/empty.d"
run -r $pcap -q -x empty -s "$tmp/empty.d"
status 1
err 'dtrace: no probes matched'
run -r $pcap -x destructive -n 'BEGIN { n = 1; }'
status 0
err_has '^dtrace: allowing destructive actions$'
# Sizes may end with k, m or g.
run -r $pcap -q -x strsize=1k -n 'BEGIN { printf("%d\n", sizeof(string)); }'
out '1024
'
# setopt() can set aggsortrev during a run. It cannot set strsize.
run -r $pcap -q -n 'BEGIN { @["a"] = sum(1); @["b"] = sum(2); setopt("aggsortrev"); }'
status 0
run -r $pcap -q -n 'BEGIN { setopt("strsize", "5"); }'
status 0
err_has '^dtrace: error on enabled probe ID 1 .*couldn.t set option "strsize" to "5": Operation illegal when tracing is active'

# All switches accept the same words.
run -r $pcap -q -x zdefs=Yes -x quiet=ENABLE -n 'nosuch:::probe { }'
status 0

# Values are checked, also for options without an effect here.
for x in bufsize=99999999999999999999 bufsize=9t9 bufsize=-1 bufpolicy=foo bufresize=foo switchrate=foo switchrate=5parsecs \
	aggrate=-1 statusrate= cleanrate=hz nspec=-1 specsize=lots dynvarsize=m amin=Bogus amin=Stable/Stable/Bogus \
	evaltime=never setenv=A setenv==1 unsetenv=A=1 unsetenv= version=1 version=x linkmode=no stdc=x temporal=perhaps conns=15 conns=1 dump=foo dump= \
	aggzoom=perhaps agghist=perhaps aggpack=2 encoding=ebcdic encoding= cpu=x cpu=-1 cpu=99999 libdir syslibdir; do
	run -r $pcap -q -x $x -n 'BEGIN { trace(1); }'
	status 1
	out ''
	case ${x%%=*} in
	bufpolicy) more=': possible values: switch, ring, fill' ;;
	bufresize) more=': possible values: auto, manual' ;;
	evaltime) more=': possible values: exec, preinit, postinit, main' ;;
	linkmode) more=': possible values: kernel, dynamic, static' ;;
	stdc) more=': possible values: a, c, s, t' ;;
	dump) more=': possible values: ast, typed, ir, plain, bpf' ;;
	*) more='' ;;
	esac
	err "dtrace: failed to set -x ${x%%=*}: Invalid value for specified option$more"
done
run -r $pcap -q -b 99999999999999999999 -n BEGIN
status 1
err 'dtrace: failed to set -b 99999999999999999999: Invalid value for specified option'
run -r $pcap -q -X x -n BEGIN
status 1
err 'dtrace: failed to set -X x: Invalid value for specified option'
run -r $pcap -q -x version=99.0 -n 'BEGIN { trace(1); }'
status 1
err 'dtrace: failed to set -x version: Requested version is not supported'

# An option that is not implemented and would change the result is an error. Its value "off" is
# accepted.
for x in -x zone=a \
	-x kdefs=a -x udefs=a -x linktype=elf -x late -x tree=1 -x iregs=8 -x tregs=8 \
	-x verbose -x ctypes=a -x dtypes=a -x core=a -x aggpercpu \
	-x printsize=1k -x grabanon; do
	[ "$x" = -x ] && continue
	run -r $pcap -q -x $x -n 'BEGIN { trace(1); }'
	status 1
	out ''
	err "dtrace: failed to set -x ${x%%=*}: Option is not supported"
done
succeeds -r $pcap -q -x aggpercpu=no -n 'BEGIN { printf("x\n"); }'
run -a
status 1
err 'dtrace: anonymous tracing (-a) is not supported'
# A capture has only CPU 0.
run -r $pcap -q -x cpu=0 -n 'udp:::send { n++; } END { printf("%d %d\n", n > 0, cpu); }'
out '1 0
'
run -r $pcap -q -x cpu=1 -n 'BEGIN { trace(1); }'
status 1
err 'dtrace: failed to set -x cpu: Invalid value for specified option'
# The environment sets options that neither -x nor pragmas set.
DTRACE_OPT_quiet=yes DTRACE_OPT_strsize=64 run -r $pcap -n 'BEGIN { printf("%d\n", sizeof(string)); }'
status 0
err ''
out '64
'
DTRACE_OPT_strsize=64 run -qr $pcap -x strsize=32 -n 'BEGIN { printf("%d\n", sizeof(string)); }'
out '32
'
printf '#pragma D option strsize=16\nBEGIN { printf("%%d\\n", sizeof(string)); }\n' >"$tmp/size.d"
DTRACE_OPT_quiet= DTRACE_OPT_strsize=64 run -r $pcap -s "$tmp/size.d"
out '16
'
DTRACE_OPT_nosuch=1 run -r $pcap -n BEGIN
status 1
err 'dtrace: failed to set DTRACE_OPT_nosuch=1: Invalid option name'
DTRACE_OPT_strsize=many run -r $pcap -n BEGIN
status 1
err 'dtrace: failed to set DTRACE_OPT_strsize=many: Invalid value for specified option'
# -x libdir adds libraries. -x syslibdir replaces the library of dtrace.
mkdir "$tmp/more" "$tmp/ours"
echo 'inline int ELEVEN = 11;' >"$tmp/more/more.d"
echo 'inline int TWELVE = 12;' >"$tmp/ours/ours.d"
run -qr $pcap -x libdir="$tmp/more" -n 'BEGIN { printf("%d %s\n", ELEVEN, inet_ntop(AF_INET, 0) == "" ? "" : ""); }' -e
status 0
run -qr $pcap -x libdir="$tmp/more" -x syslibdir="$tmp/ours" -n 'BEGIN { printf("%d\n", ELEVEN + TWELVE); }'
err ''
out '23
'
run -qr $pcap -x syslibdir="$tmp/ours" -n 'udp:::send { }'
status 1
err 'dtrace: invalid probe specifier udp:::send { }: probe description udp:::send does not match any probes'
run -qr $pcap -x syslibdir=/nowhere/at/all -n BEGIN
status 1
one_line_of_stderr
# Preprocessor options without -C have no effect.
run -r $pcap -q -D X=1 -U Y -I /tmp -H -x define=A -x undef=B -x incdir=/tmp -x cpppath=/bin/cpp \
	-x cppargs=-P -x cpphdrs -n 'BEGIN { printf("x\n"); }'
status 0
err ''
out 'x
'

# -x aggzoom scales bars to the longest bar, not to the total.
cat >"$tmp/zoom.d" <<'EOF'
BEGIN { @ = lquantize(0, 0, 2, 1); @ = lquantize(1, 0, 2, 1); @ = lquantize(1, 0, 2, 1); }
EOF
run -r $pcap -q -x aggzoom -s "$tmp/zoom.d"
status 0
out "

           value  ------------- Distribution ------------- count    
             < 0 |                                         0        
               0 |@@@@@@@@@@@@@@@@@@@                      1        
               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        
            >= 2 |                                         0        
"

# Only the command line may allow a run to continue with privileges that it could not drop.
run -qr $pcap -x confine=off -n 'BEGIN { printf("x"); exit(0); }'
status 0
out x
run -r $pcap -x confine=maybe -n BEGIN
status 1
err 'dtrace: failed to set -x confine: Invalid value for specified option: possible values: on, off'
run -r $pcap -n '#pragma D option confine=off
BEGIN'
status 1
err_has "failed to set option 'confine' to 'off': Only the command line may set this option\$"
DTRACE_OPT_confine=off run -r $pcap -n BEGIN
status 1
err 'dtrace: failed to set DTRACE_OPT_confine=off: Only the command line may set this option'
finish
