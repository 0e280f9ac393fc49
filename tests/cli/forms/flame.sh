# -x oformat=flame: one SVG document that holds every positive value with a key, and nothing else.
# In a browser it searches, zooms and fits the window.
. tests/cli/lib.bash
command -v python3 >/dev/null || skip 'no python3'
program='BEGIN { @c["a<b>&\"c\"", "x\033[1m"] = sum(30); @c["a<b>&\"c\"", "y"] = sum(50); @c["d", "y;z"] = sum(20);
	@c["negative", ""] = sum(-5); @c["]]>", "y"] = sum(1); @alone = count(); }'

# Prints every frame as DEPTH FROM WEIGHT NAME.
frames() {
	python3 - "$out" <<-'EOT'
		import sys, xml.etree.ElementTree as E
		s = "{http://www.w3.org/2000/svg}"
		for g in E.parse(sys.argv[1]).getroot().iter(s + "g"):
		    t = g.find(s + "title").text.split("\n")
		    r = g.find(s + "rect")
		    assert t[1].split()[0] == g.get("data-w"), t
		    assert float(r.get("x")) >= 10 and float(r.get("x")) + float(r.get("width")) <= 1190.1, r.attrib
		    print(g.get("data-d"), g.get("data-x"), g.get("data-w"), t[0])
	EOT
}
succeeds -r $pcap -q -x oformat=flame -n "$program"
cp "$out" "$tmp/first"
frames | sort -n -k1 -k2 >"$tmp/frames" || wrong 'no XML'
text_is frames "$tmp/frames" '0 0 101 all
1 0 1 ]]>
1 1 80 a<b>&"c"
1 81 20 d
2 0 1 y
2 1 30 x\x1b[1m
2 31 50 y
2 81 20 y;z'
run -r $pcap -q -x oformat=flame -n "$program"
checks=$((checks + 1))
cmp -s "$out" "$tmp/first" || wrong 'the second picture differs from the first'
# -x oformat=folded prints the same values, and also negative values.
run -r $pcap -q -x oformat=folded -n "$program"
out ']]>;y 1
a<b>&"c";x\x1b[1m 30
a<b>&"c";y 50
d;y\x3bz 20
negative;- -5'
run -r $pcap -q -x oformat=flame -x title='<ours>' -n 'BEGIN { x = 1; }'
status 0
out_has 'data-title="&lt;ours&gt;"'
out_has 'nothing was counted'
frames >"$tmp/frames" || wrong 'no XML'
text_is frames "$tmp/frames" ''
# -x oformat on the command line overrides the pragma.
run -r $pcap -x oformat=folded -n '#pragma D option oformat=flame
#pragma D option quiet
BEGIN { @["k"] = count(); }'
out 'k 1'
# A label that is too long loses its module prefix first. Titles name the unit or the aggregations.
run -r $pcap -q -x oformat=flame -n 'BEGIN { @["module`a_function"] = sum(9); @["other"] = sum(91); }'
out_has '>a_function</text>'
run -r $pcap -q -x oformat=flame -n 'BEGIN { @["module`a_function"] = sum(90); @["other"] = sum(10); }'
out_has '>module`a_function</text>'
run -r $pcap -q -x oformat=flame -x unit='<us>' -n 'BEGIN { @["k"] = count(); }'
out_has '^1 &lt;us&gt; \(100.00 %\)</title>'
run -r $pcap -q -x oformat=flame -n 'BEGIN { @a["k"] = count(); @b["k"] = max(3); }'
out_has 'data-title="@a = count\(\), @b = max\(\)"'

# The picture has all of 5,000 stacks, and keeps its width.
run -r tests/pcap/seconds.pcap -q -x oformat=flame -n 'BEGIN { n = 0; } tick-1ms /n < 1000/ { @[n, 1] = count(); @[n, 2] = count(); @[n, 3] = count();
	@[n, 4] = count(); @[n, 5] = count(); n++; }'
checks=$((checks + 1))
frames >"$tmp/frames" || wrong 'no XML'
[ "$(awk '$1 == 2' "$tmp/frames" | wc -l)" = 5000 ] || wrong "stacks are lost: $(awk '$1 == 2' "$tmp/frames" | wc -l)"
run -r $pcap -q -x oformat=flame -n 'BEGIN { @[1] = sum(100000000); @[2] = sum(1); }'
out_has '1 frames are too narrow to be drawn'

# ----------------------------------------------------------------------- in a browser
tools/need browser >"$tmp/need" 2>&1
command -v chromium >/dev/null || { echo "not looked at: no chromium"; finish; }
run -r $pcap -q -x oformat=flame -n "$program"
cp "$out" "$tmp/flame.svg"
seen() { # seen HASH WIDTH: prints the labels and the frames that the browser shows, one per line
	timeout 300 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" --window-size="$2,700" --dump-dom \
		"file://$tmp/flame.svg#$1" 2>/dev/null >"$tmp/dom"
	what="the browser at #$1, $2 wide"
	python3 - "$tmp/dom" <<-'EOT'
		import re, sys
		dom = open(sys.argv[1]).read()
		for name in ("found", "reset"):
		    m = re.search(r'<text id="%s"([^>]*)>([^<]*)' % name, dom)
		    print(*filter(None, [name, "hidden" if "display: none" in m[1] or "display:none" in m[1] else m[2].strip()]))
		for m in re.finditer(r'<g class="([^"]*)" data-x="(\d+)" data-w="(\d+)" data-d="(\d+)"([^>]*)><title>([^\n]*)\n[^<]*</title>'
		                     r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', dom):
		    if "display: none" not in m[5]:
		        print(m[1], m[4], m[6], round(float(m[7])), round(float(m[8])))
	EOT
}
seen 'find=%5Ey' 1200 | sort >"$tmp/seen"
text_is 'what is found' "$tmp/seen" 'f 0 all 10 1180
f 1 ]]&gt; 10 11
f 1 a&lt;b&gt;&amp;"c" 22 934
f 1 d 956 233
f 2 x\x1b[1m 22 350
f m 2 y 10 11
f m 2 y 372 584
f m 2 y;z 956 233
found 3 found, 70.30 %
reset hidden'
# Finds the number of the frame with the weight 80, which is a<b>&"c". Zooming into it leaves only
# the frames below and above.
n=$(grep -o '<g class="f"[^>]*>' "$tmp/flame.svg" | grep -n 'data-w="80"' | cut -d: -f1)
seen "zoom=$((n - 1))" 640 | sort >"$tmp/seen"
text_is 'what is zoomed' "$tmp/seen" 'f 0 all 10 620
f 1 a&lt;b&gt;&amp;"c" 10 620
f 2 x\x1b[1m 10 232
f 2 y 242 387
found
reset reset zoom'
finish
