# Mistakes in library texts (-L), and library texts that need a feature of some kernels.
. tests/cli/lib.bash
lib=$tmp/lib
mkdir "$lib"
# library TEXT: writes the only file of the folder that -L names
library() { cat >"$lib/x.d"; }
probe='typedef struct foo { int len; int other; } foo_t;
provider foo { probe bar(struct sk_buff *skb) : (foo_t *skb); };
foo:::bar on replay:::send (args[0]);'
use() { run -r $pcap -q -x errtags -L "$lib" -n "$1"; }

# An undeclared name is an error on every kernel, even if no program uses it.
library <<'E'
udp:::send
	on replay:::send
	/ __data_ipp->version == 4 /
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)
or
	on replay:::send
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)
;
E
use BEGIN
status 1
err "dtrace: [D_IDENT_UNDEF] \"$lib/x.d\", line 3: failed to resolve __data_ipp: Unknown variable name"
for text in 'inline int __a = __b;' 'translator foo_t < int i > { len = j; };' 'iter:::tcp { __a = 1; }' \
	'int __a; iter:::tcp { __a = this->x; }' 'int __a; iter:::tcp / __b == 1 / { __a = 1; }'; do
	printf '%s\n' 'typedef struct foo { int len; } foo_t;' "$text" | library
	use BEGIN
	status 1
	err_has '\[D_(IDENT|VAR)_UNDEF\] ".*/x.d", line 2: (failed to resolve [a-z_]+: Unknown variable name|this->x has not yet been declared or assigned)'
done
echo 'inline int __a = __nosuch(1);' | library
use BEGIN
status 1
err_has '\[D_FUNC_UNDEF\] ".*/x.d", line 1: undefined function name: __nosuch'
echo 'inline int __a[int x] = x; inline int __b = __a[1, 2];' | library
use BEGIN
status 1
err_has '\[D_PROTO_LEN\] ".*/x.d", line 1: __a\[ \] prototype mismatch: 2 keys passed, 1 expected'

# Mistakes in translators, and in probes that use them.
printf '%s\n' "$probe" 'translator foo_t < struct sk_buff *S > { len = S->len; nosuch = 1; };' | library
use BEGIN
status 1
err_has '\[D_XLATE_MEMB\] ".*/x.d", line 4: translator member nosuch is not a member of foo_t'
printf '%s\n' "$probe" 'translator foo_t < struct sock *S > { len = 1; };' | library
use BEGIN
status 1
err_has '\[D_PROV_PRXLATOR\] ".*/x.d", line 2: argument 0 of probe bar: no translator of "struct sk_buff \*" to "foo_t"'
library <<'E'
typedef struct foo { int len; } foo_t;
provider foo { probe bar(struct sk_buff *skb, struct sock *sk) : (foo_t *(skb, sk)); };
translator foo_t < struct sk_buff *S, struct iphdr *I > { len = S->len; };
E
use BEGIN
status 1
err_has '\[D_PROTO_ARG\] ".*/x.d", line 2: .*input 2 .* is a struct iphdr \*, not a struct sock \*'
echo 'provider ip { probe send(int x); };' | library
use BEGIN
status 1
err_has '\[D_PROV_PRDUP\] ".*/x.d", line 1: probe redeclared: ip:::send'

# A definition that refers to itself is an error.
printf '%s\n' 'typedef struct foo { int len; } foo_t;' \
	'translator foo_t < int i > { len = xlate<foo_t>(i).len; }; inline int __a = __b; inline int __b = __a;
inline int loop = __a;' | library
use 'BEGIN { trace(xlate<foo_t>(1).len); }'
status 1
err_has '\[D_LIMIT\] in action list: the translator of foo_t refers to itself'
use 'BEGIN { trace(loop); }'
status 1
err_has "\\[D_LIMIT\\] in action list: inline '__[ab]' refers to itself"

# A hook is not used if it gives a native argument of the wrong type.
library <<'E'
udp:::send
	on replay:::send
	(args[1], args[0], __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)
;
E
use udp:::send
status 1
run -r $pcap -L "$lib" -lvn udp:::send
out_has 'passed over: replay:::send: argument 0 of udp:::send is a .* \(.*/x.d, line 3\)$'

# A hook is not used if it needs an offset that is not known at compile time.
library <<'E'
provider foo { probe bar(struct iphdr *ip) : (ipinfo_t *ip); };
foo:::bar on replay:::send ((struct iphdr *)__ip_header(args[0], args[0]->len));
E
run -r $pcap -L "$lib" -lvn foo:::bar
out_has 'passed over: replay:::send: __ip_header\( \) argument #2 must be an integer constant \(.*/x.d, line 2\)$'

# If this kernel lacks the hooks of one group, the next group is used.
library <<'E'
provider foo { probe bar(struct sk_buff *skb) : (pktinfo_t *skb); };
foo:::bar
	on replay:::send
	/ args[0]->nosuch == 1 /
	(args[0])
or
	on replay:::send
	/ args[0]->len == SOME_ENUMERATOR /
	(args[0])
or
	on replay:::send
	(args[0])
;
E
use 'foo:::bar { @ = count(); }'
status 0
err ''
run -r $pcap -L "$lib" -lvn foo:::bar
out_has 'passed over: replay:::send: nosuch is not a member of struct sk_buff \(.*/x.d, line 4\)$'
out_has 'passed over: replay:::send: failed to resolve SOME_ENUMERATOR: .* \(.*/x.d, line 8\)$'

# A translator may read a field that this kernel lacks. A program that names the translator's member
# for this field is an error. Other programs compile.
printf '%s\n' "$probe" 'translator foo_t < struct sk_buff *S > { len = S->len; other = S->nosuch; };' | library
use 'foo:::bar { @[args[0]->len] = count(); }'
status 0
use 'foo:::bar { trace(1);
trace(args[0]->other); }'
status 1
err_has '\[D_TYPE_MEMBER\] in action list: nosuch is not a member of struct sk_buff'
use 'foo:::b* { trace(args[0]->other); } udp:::send { n++; } END { printf("%d\n", n); }'
status 0
out_has '^[1-9][0-9]*$'
err_has 'skipped:.*foo:::bar'
use 'foo:::b* { trace(args[0]->nosuch); }'
status 1

# Files are read in dependency order, whatever their names are.
rm "$lib/x.d"
echo '#pragma D depends_on library b.d
inline int one = two - 1; typedef two_t one_t;' >"$lib/a.d"
echo '#pragma D depends_on library net.d
inline int two = AF_INET; typedef int two_t;' >"$lib/b.d"
use 'BEGIN { trace((one_t)one); exit(0); }'
status 0
out 1
echo '#pragma D depends_on library a.d' >>"$lib/b.d"
use BEGIN
status 1
err "dtrace: [D_PRAGMA_DEPEND] \"$lib/b.d\", line 3: libraries depend on each other: b.d, a.d"
echo '#pragma D depends_on library nosuch.d' >"$lib/b.d"
use BEGIN
status 1
err "dtrace: [D_PRAGMA_DEPEND] \"$lib/b.d\", line 1: library b.d depends on nosuch.d, which does not exist"
# A library text that depends on a missing provider is skipped.
echo '#pragma D depends_on provider nosuch
inline int one = 1;' >"$lib/a.d"
echo '#pragma D depends_on provider ip
inline int two = 2;' >"$lib/b.d"
use 'BEGIN { trace(two); exit(0); }'
status 0
use 'BEGIN { trace(one); }'
status 1

# Each probe has its own ID, however many probes there are.
rm "$lib"/*.d
{
	echo 'provider many {'
	seq 300 | sed 's/.*/probe p&(struct sk_buff *skb);/'
	echo '};'
	seq 300 | sed 's/.*/many:::p& on replay:::send (args[0]);/'
} | library
run -r $pcap -L "$lib" -l
status 0
out_has ' many .* p300$'
[ -z "$(awk '{ print $1 }' "$out" | sort | uniq -d)" ] || wrong 'two probes have the same ID'
use 'many:::p300 { @ = count(); }'
status 0

# A derivation may not have side effects. So a derivation that assigns a variable defines no probe.
rm "$lib"/*.d
library <<'END'
provider my { probe p(struct sk_buff *skb); };
this int x;
my:::p on replay:::send / (this->x = 1) == 1 / (args[0]);
END
use 'my:::p { @ = count(); }'
status 1
err_has 'probe my:::p does not exist'
# A folder that other users can write to: a FIFO in it does not block dtrace.
rm "$lib"/*
mkfifo "$lib/pipe.d"
fails "^dtrace: failed to read $lib/pipe.d: it is not a regular file\$" -r $pcap -L "$lib" -qn BEGIN
rm "$lib/pipe.d"
# In such a folder, another user's link cannot make root's dtrace show a file of root's in a
# message. dtrace follows a link of its own user.
echo 'root:secret:1:2:3' >"$tmp/secret"
ln -s ../secret "$lib/link.d"
fails "^dtrace: \"$lib/link.d\", line 1: .*root:secret" -r $pcap -L "$lib" -qn BEGIN
if [ "$(id -u)" = 0 ]; then
	chown -h 65534 "$lib/link.d"
	fails "^dtrace: failed to read $lib/link.d: it is a link that another user made\$" -r $pcap -L "$lib" -qn BEGIN
fi
finish
