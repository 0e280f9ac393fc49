# -x oformat=csv, and --libxo, whose output has the same structure as on FreeBSD.
. tests/cli/lib.bash
command -v python3 >/dev/null || skip 'no python3'
true_of() { # true_of WHAT PYTHON: checks that PYTHON is true of the output: d is JSON, x is XML, t is CSV
	checks=$((checks + 1))
	python3 -c '
import csv, io, json, sys, xml.etree.ElementTree as ET
text = open(sys.argv[1], encoding="utf-8", newline="").read()
d = x = t = None
if sys.argv[2] == "json":
    d = json.loads(text)["dtrace"]["probes"]
elif sys.argv[2] == "xml":
    x = ET.fromstring(text)
else:
    t = [list(csv.reader(io.StringIO(table))) for table in text.split("\n\n")]
sys.exit(not eval("(" + sys.argv[3] + ")"))' "$out" "$kind" "$2" && return
	wrong "$1"
	head -n 20 "$out"
}
program='struct s { int a; char c[4]; }; struct s v;
	udp:::send { printf("%s,%d\n", args[2]->ip_saddr, args[4]->udp_dport); trace(-1); exit(0); }
	BEGIN { @c["a,\"b", 1] = count(); @s["a,\"b", 1] = sum(-5); printa(@c, @s); v.a = -3; v.c[0] = 120; print(v); }
	BEGIN { @q = quantize(9); @q = quantize(0); trace("<&>"); stack(); }'

# Completion offers exactly the existing forms.
run --complete options
offered=$(sed -n 's/^oformat=//p' "$out" | sort | tr '\n' ' ')
made=$(sed -n 's/.*\.name = "\([a-z-]*\)".*/\1/p' consumer/oformat/oformat_*.c consumer/oformat/pictures/oformat_*.c | sort | tr '\n' ' ')
checks=$((checks + 1))
[ "$offered" = "$made" ] || wrong "the message offers the forms $offered, but there are $made"
for form in $made; do
	run -r $pcap -q -x oformat="$form" -n BEGIN
	status 0
done

# ---------------------------------------------------------------------------- csv
kind=csv
succeeds -r $pcap -q -x oformat=csv -n "$program"
true_of 'printf(): a column for each argument' '[r for tab in t for r in tab if r[3:6] == ["kernel", "none", "send"]][0] ==
	["1700000000000000000", "0", "udp", "kernel", "none", "send", "192.0.2.1", "53", "-1"]'
true_of 'a heading for each shape' '["key1", "key2", "@c", "@s"] in [tab[0] for tab in t] and
	["timestamp", "cpu", "provider", "module", "function", "name", "ip_saddr", "udp_dport", "value3"] in [tab[0] for tab in t]'
true_of 'all rows as wide as their heading' 'all(len(r) == len(tab[0]) for tab in t for r in tab)'
true_of 'keys are quoted' '["a,\"b", "1", "1", "-5"] in [r for tab in t for r in tab]'
true_of 'buckets are rows' '[tab for tab in t if tab[0] == ["@q_min", "@q_max", "@q_count"]][0][1:] ==
	[["0", "0", "1"], ["8", "15", "1"]]'
# In "x ? A : B", two blank strings are layout, and make no column. Two other strings make a column
# with the name of the variable in x. A repeated name gets a number.
succeeds -r $pcap -q -x oformat=csv -n 'udp:::send { @[args[2]->ip_saddr, args[4]->udp_dport > 99 ? "\n  " : " ",
	probename == "send" ? "->" : "<-", args[2]->ip_saddr] = count(); exit(0); }'
out "ip_saddr,probename,ip_saddr_2,@_
192.0.2.1,'->,192.0.2.1,1"
# A constant string " -> " is layout, too. libxo names keys by their position, and omits layout.
succeeds -r $pcap -q -x oformat=csv -n 'udp:::send { @[args[2]->ip_saddr, " -> ", args[2]->ip_daddr] = count(); exit(0); }'
out 'ip_saddr,ip_daddr,@_
192.0.2.1,192.0.2.2,1'
run -r $pcap -q --libxo json -O -n 'udp:::send { @[args[2]->ip_saddr, " -> ", args[2]->ip_daddr] = count();
	printf("%s%s", args[2]->ip_saddr, args[4]->udp_dport > 99 ? "\n" : " "); exit(0); }'
out_has '"keys":\["192.0.2.1","192.0.2.2"\]'
out_has '"output":\[{"message":"192.0.2.1 "},{"value":"192.0.2.1"}\]'
# A heading that a script prints is not in a table. Widths of %*d, and constants between columns,
# are not data.
run -r $pcap -q -x oformat=csv -n 'BEGIN { printf("%5s %*s\n", "PID", 7, "NAME"); w = 5; } udp:::send { printf("%*d%s%s\n", w, args[4]->udp_dport, " -> ", args[2]->ip_daddr); exit(0); }'
status 0
out 'timestamp,cpu,provider,module,function,name,udp_dport,ip_daddr
1700000000000000000,0,udp,kernel,none,send,53,192.0.2.2'
run -r $pcap -q -x oformat=csv -n 'BEGIN { trace(1); } BEGIN { trace(2); } END { trace(3); @ = count(); }'
out 'timestamp,cpu,provider,module,function,name,value1
1700000000000000000,0,dtrace,,,BEGIN,1
1700000000000000000,0,dtrace,,,BEGIN,2
1700000000009000000,0,dtrace,,,END,3

@_
1'
# printa() ends the row of its record. The rest of the record has a row only if it has data.
run -r $pcap -x oformat=csv -n 'BEGIN { @ = count(); printa(@); } BEGIN { trace(1); printa(@); } BEGIN { printa(@); trace(2); exit(0); }'
out 'timestamp,cpu,provider,module,function,name
1700000000000000000,0,dtrace,,,BEGIN

@_
1

timestamp,cpu,provider,module,function,name,value1
1700000000000000000,0,dtrace,,,BEGIN,1

@_
1

timestamp,cpu,provider,module,function,name
1700000000000000000,0,dtrace,,,BEGIN

@_
1

timestamp,cpu,provider,module,function,name,value1
1700000000000000000,0,dtrace,,,BEGIN,2'
run -r $pcap -q -x oformat=csv -n 'BEGIN { @ = count(); printa(@); } BEGIN { trace(1); printa(@); trace(2); exit(0); }'
out '@_
1

timestamp,cpu,provider,module,function,name,value1
1700000000000000000,0,dtrace,,,BEGIN,1

@_
1

timestamp,cpu,provider,module,function,name,value1
1700000000000000000,0,dtrace,,,BEGIN,2'
run -r $pcap -q -x oformat=csv -x nspec=0 -n 'BEGIN { s = speculation(); trace(*(int *)16); }'
out_has '^1700000000000000000,0,dtrace,,,BEGIN,invalid address,0x10,2,1$'
out_has '^1700000000009000000,,speculation-unavailable,1,1,1 failed speculation \(no speculative buffer available\)$'
run -r $pcap -q -x oformat=csv -n 'BEGIN { @["", ""] = count(); exit(0); }'
out 'key1,key2,@_
,,1'

# Column names come from the expressions, and no two are equal.
run -r $pcap -q -x oformat=csv -n 'udp:::send { this->x = args[2]->ip_plength; a[1] = 2; self->y = 3; printf("%d %s %s", this->x / 10,
	strjoin("a", args[2]->ip_saddr), args[2]->ip_saddr); trace(this->x); trace(a[1]); trace(self->y); trace(timestamp - timestamp);
	trace(timestamp); trace((int)args[4]->udp_dport); trace(execname); trace(1 + 1); printf("text"); exit(0); }'
out_has '^timestamp,cpu,provider,module,function,name,x,strjoin,ip_saddr,x_2,a,y,value7,timestamp_2,udp_dport,execname,value11,message$'
run -r $pcap -q -x oformat=csv -n 'udp:::send { @n[probename, args[2]->ip_daddr, stringof(args[2]->ip_daddr), 7] = count(); exit(0); }'
out 'probename,ip_daddr,ip_daddr_2,key4,@n
send,192.0.2.2,192.0.2.2,7,1'

# -------------------------------------------------------------------------- libxo
for form in json json,pretty; do
	kind=json
	run -r $pcap -q --libxo=$form -n "$program"
	status 0
	true_of "$form: an event" '[e for e in d if e["provider"] == "udp"][0]["output"] == [{"message": "192.0.2.1,53\n"},
		{"value": "192.0.2.1"}, {"value": 53}, {"value": -1}] and
		list(d[0]) == ["timestamp", "cpu", "id", "provider", "module", "function", "name", "output"]'
	true_of "$form: printa()" 'd[0]["output"][:2] == [
		{"aggregation-data": [{"keys": ["a,\"b", 1], "count": 1}], "aggregation-name": "c"},
		{"aggregation-data": [{"keys": ["a,\"b", 1], "sum": -5}], "aggregation-name": "s"}]'
	true_of "$form: print()" 'd[0]["output"][2] == {"type": [
		{"object-name": "vmlinux", "name": "struct s", "ctfid": 0},
		{"member-name": "a", "name": "int", "ctfid": 0, "value": "0xfffffffd"},
		{"member-name": "c", "name": "char [4]", "ctfid": 0, "value": "[ \"x\" ]"}]}'
	true_of "$form: no aggregation at the end" '"q" not in json.dumps(d)'
done
[ "$(wc -l <"$out")" -gt 20 ] || wrong '--libxo xml,pretty prints too few lines'
run -r $pcap -q --libxo json -O -n "$program"
true_of '-O: aggregations at the end' '(d[-1]["name"], d[-1]["output"][0]["aggregation-name"]) == ("AGGREGATION", "q") and
	[b["value"] for b in d[-1]["output"][0]["aggregation-data"][0]["buckets"]] == [-1, 0, 1, 2, 4, 8, 16] and
	sum(b["count"] for b in d[-1]["output"][0]["aggregation-data"][0]["buckets"]) == 2'
run -r $pcap -q --libxo json -n 'BEGIN { n = 1; }'
out '{"dtrace":{"probes":[]}}'
run -r $pcap -q --libxo json -n 'BEGIN { printf("none"); }'
true_of 'printf() without arguments' 'd[0]["output"] == [{"message": "none"}, {"value": 0}]'
run -r $pcap -q --libxo json -x nspec=0 -n 'BEGIN { s = speculation(); }'
true_of 'a drop' '{"cpu": -1, "id": -1, "provider": "dtrace", "module": "INTERNAL", "function": "INTERNAL", "name": "DROP",
	"count": 1, "total": 1, "kind": "DTRACEDROP_SPECUNAVAIL"}.items() <= d[0].items() and "msg" in d[0]'
kind=xml
for args in '--libxo xml' '-x oformat=xml'; do
	# shellcheck disable=SC2086
	run -r $pcap -q $args -n "$program"
	true_of "$args" 'x.tag == "dtrace" and {e.tag for e in x} == {"probes"} and x[0].find("module").text is None and
		[e.findtext("output/message") for e in x if e.findtext("provider") == "udp"] == ["192.0.2.1,53\n"] and
		[k.text for k in x[0].find("output/aggregation-data").iter("keys")] == ["a,\"b", "1"]'
done
out_has '<module/>'
out_has '&lt;&amp;&gt;'
run -r $pcap -q --libxo html -n 'BEGIN { trace("<b>"); }'
out '<div class="line"><div class="data" data-tag="timestamp">1700000000000000000</div><div class="data" data-tag="cpu">0</div><div class="data" data-tag="id">1</div><div class="data" data-tag="provider">dtrace</div><div class="data" data-tag="module"></div><div class="data" data-tag="function"></div><div class="data" data-tag="name">BEGIN</div><div class="data" data-tag="value">&lt;b&gt;</div></div>'
run -r $pcap -q --libxo text -n 'BEGIN { printf("x\n"); }'
out 'x
'
for word in yaml json,warn jso ''; do
	run -r $pcap -q --libxo "$word" -n BEGIN
	status 1
	err "dtrace: failed to set --libxo $word: Invalid value for specified option"
done

# The JSON and XML of --libxo is well-formed for every test program that prints. The cases of lang/
# and replay/ run these programs with sanitizers. One process parses all documents.
checks=$((checks + 1))
plain
mkdir "$tmp/json" "$tmp/xml"
for d in $(grep -L '^/\* ways: live' tests/lang/print/*.d tests/replay/printf/*.d tests/replay/agg/*/*.d); do
	args=$(sed -n '1s,^/\* args: \(.*\) \*/$,\1,p' "$d")
	case $args in *-r*) ;; *) args="$args -r tests/pcap/empty.pcap" ;; esac
	for form in json xml; do
		eval "\"\$DTRACE\" -q --libxo $form -O $args -s '$d'" >"$tmp/$form/${d//\//,}" 2>/dev/null </dev/null
	done
done
[ "$(ls "$tmp/json" | wc -l)" -ge 60 ] || wrong 'too few programs were found'
python3 - "$tmp" >"$out" <<'P' || wrong "$(cat "$out")"
import json, os, sys, xml.etree.ElementTree as E
bad = False
for form, parse in ("json", lambda f: json.load(open(f, encoding="utf-8"))), ("xml", E.parse):
    for name in os.listdir(sys.argv[1] + "/" + form):
        try:
            parse(sys.argv[1] + "/" + form + "/" + name)
        except (ValueError, E.ParseError) as e:
            print(name.replace(",", "/") + ": no " + form + ": " + str(e))
            bad = True
sys.exit(bad)
P
finish
