# A new aggregating function, added as docs/adding.md says, takes three files and works in every form of output.
. tests/builds/lib.bash
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar -c --exclude='./build*' --exclude=./.git . | tar -x -C "$copy"
python3 - "$copy" <<'PY' || exit 1
"""Adds bitor(), which has the bits that any of its arguments has."""
import sys


def insert(name, before, text):
    path = sys.argv[1] + '/' + name
    old = open(path).read()
    if old.count(before) != 1:
        sys.exit('%s has %d places that are %r' % (name, old.count(before), before))
    open(path, 'w').write(old.replace(before, text + before))


insert('agg/agg.h', '\tF(LLQUANTIZE, llquantize)', '\tF(BITOR, bitor) \\\n')
insert('agg/fns.c', '#define ROW(ID', '''static void merge_bitor(const struct agg_kind *k, void *into, const void *from)
{
	const uint64_t *f = from;
	uint64_t *t = into;

	(void)k;
	if (!f[EXTREME_GEN])
		return;
	t[EXTREME_VALUE] |= f[EXTREME_VALUE];
	t[EXTREME_GEN] = f[EXTREME_GEN];
}

static const struct agg_fn_def agg_bitor = {
	.name = "bitor",
	.fn = AGG_BITOR,
	.nvalue = 1,
	.size = size_2,
	.merge = merge_bitor,
	.result = result_extreme,
};

''')
insert('ir/agg_update.c', 'typedef void update_fn', '''static void update_bitor(struct irb *b, const struct agg_update *u)
{
	int gen = next_generation(b, u);
	int same = irb_block(b, "same generation"), set = irb_block(b, "set");
	int done = irb_block(b, "done");

	irb_br(b, CC_EQ, load_word(b, u, EXTREME_GEN), gen, same, set);
	irb_place(b, same);
	store_word(b, u, EXTREME_VALUE,
		   irb_bin(b, IR_OR, load_word(b, u, EXTREME_VALUE), u->value));
	irb_jmp(b, done);
	irb_place(b, set);
	store_word(b, u, EXTREME_GEN, gen);
	store_word(b, u, EXTREME_VALUE, u->value);
	irb_jmp(b, done);
	irb_place(b, done);
}

''')
PY
changed=$(diff -rq --exclude='build*' --exclude=.git . "$copy" | wc -l)
[ "$changed" = 3 ] || { echo "$changed files were changed"; exit 1; }

DTRACE_BUILD=$copy/build
mkdir "$DTRACE_BUILD"
cd "$copy" || exit 1
build new -DBUILD_TESTING=OFF
export DTRACE=$dir/dtrace DTRACE_TOP=$copy

# Every form, --merge and --diff, with numbers that are hard to divide.
bash tests/cli/aggregations/forms.sh || exit 1

# The values, in each form by its own shape.
. tests/cli/lib.bash
program='BEGIN { @b = bitor(5); @b = bitor(8); @k["x"] = bitor(16); @k["x"] = bitor(3); @k["y"] = bitor(1); @z = bitor(0); exit(0); }'
succeeds -qr $pcap -n "$program"
out $'\n               13\n  y                                                                 1\n  x                                                                19\n                0'
succeeds -qr $pcap -x oformat=json -n "$program"
out_has '"name":"k","function":"bitor","value":19'
succeeds -qr $pcap -x oformat=csv -n "$program"
out_has '^x,19$'
succeeds -qr $pcap -O -x oformat=xml -n "$program"
out_has '<bitor>19</bitor>'
succeeds -qr $pcap -x oformat=prometheus -n "$program"
out_has '^dtrace_k\{key1="x"\} 19$'
out_has '^# TYPE dtrace_k gauge$'
succeeds -qr $pcap -x oformat=folded -n "$program"
out_has '^x 19$'
for form in flame hist-svg time-svg; do
	succeeds -qr $pcap -x oformat=$form -n "$program"
	out_has '19'
done

# Two files are added up; what clear() took is not counted again; three processes share a capture.
succeeds -qr $pcap -x aggout="$tmp/1" -n 'BEGIN { @k["x"] = bitor(16); }'
succeeds -qr $pcap -x aggout="$tmp/2" -n 'BEGIN { @k["x"] = bitor(3); }'
succeeds -x anyprogram --merge "$tmp/1" "$tmp/2"
out $'\n  x                                                                19'
succeeds -x anyprogram --diff -x oformat=csv "$tmp/1" "$tmp/2"
out_has '^x,16,3,-13$'
succeeds -qr $pcap -n 'BEGIN { @k["x"] = bitor(16); clear(@k); } END { @k["x"] = bitor(3); }'
out $'\n  x                                                                 3'
all='udp:::send { @[args[2]->ip_saddr] = bitor(args[4]->udp_dport); }'
succeeds -qr $pcap -n "$all"
cp "$out" "$tmp/one"
succeeds -qr $pcap -x jobs=3 -n "$all"
equal 'of three processes' "$tmp/one" "$out"

# The screen: in a terminal of its own, until q is pressed.
checks=$((checks + 1))
(sleep 3; printf q) | TERM=xterm timeout 60 script -qc "stty rows 24 cols 80; $DTRACE -r $pcap -x view=top -n '$all'" /dev/null >"$tmp/screen"
grep -q 'bitor()' "$tmp/screen" || wrong 'the screen does not show it'
finish
