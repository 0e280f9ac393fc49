# -x oformat=json prints one object per line. The objects have the same data as the text, for every
# program that tests run in replay.
. tests/cli/lib.bash
plain

json() { # json WHAT PYTHON: the expression is true of the lines, a list of objects
	checks=$((checks + 1))
	python3 -c '
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1], encoding="utf-8")]
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$out" "$2" && return
	wrong "$1"
	head -n 5 "$out"
}

what='all programs'
# shellcheck disable=SC2046
python3 tests/same-in-json.py $(find tests/replay tests/lang -name '*.d' -o -name '*.args' | sort | xargs grep -LE '^/\* ways: live|oformat') ||
	wrong 'text and JSON differ'
checks=$((checks + 1))

# The comparison fails if text and JSON differ.
cat >"$tmp/liar" <<-EOT
	#!/bin/sh
	case "\$*" in *oformat*) exec "$DTRACE" "\$@" ;; esac
	"$DTRACE" "\$@" | sed 's/1/2/'
EOT
chmod +x "$tmp/liar"
what='a dtrace that prints one number wrong'
one=tests/replay/agg/values/clear.d
python3 tests/same-in-json.py $one >"$tmp/log" || wrong 'the comparison fails for the real dtrace'
DTRACE=$tmp/liar python3 tests/same-in-json.py $one >"$tmp/log" && wrong 'the comparison does not find the wrong number'
checks=$((checks + 1))

# Each line of output has the time and place of the firing, and typed values.
run -r $pcap -x oformat=json -q -n 'udp:::send { printf("%s %d\n", args[2]->ip_saddr, args[4]->udp_dport); trace(-1); }'
status 0
json 'a record' 'lines[0]["type"] == "record" and lines[0]["timestamp"] == 1700000000000000000 and
	[lines[0][k] for k in ("provider", "module", "function", "name", "cpu")] == ["udp", "kernel", "none", "send", 0] and
	lines[0]["output"][0]["format"] == "%s %d\n" and lines[0]["output"][1] == {"value": -1}'
json 'its arguments by name' 'lines[0]["output"][0]["message"].split() ==
	[lines[0]["output"][0]["args"]["ip_saddr"], str(lines[0]["output"][0]["args"]["udp_dport"])]'

# Keys and arguments are named like columns of CSV. Layout, widths and constants are not data.
two='udp:::send { printf("%s%*d %s %d\n", args[2]->ip_saddr, 7, args[4]->udp_dport, " -> ", args[4]->udp_dport + args[4]->udp_dport);
	printf("%d", args[4]->udp_dport); @[args[2]->ip_saddr, " -> ", args[4]->udp_dport > 99 ? "\n" : " ",
	probename == "send" ? "->" : "<-", 7, args[2]->ip_saddr] = count(); exit(0); }'
run -r $pcap -x oformat=json -q -x aggout="$tmp/two" -n "$two"
json 'arguments that are data' '[e["args"] for e in lines[0]["output"]] ==
	[{"ip_saddr": "192.0.2.1", "udp_dport": 53, "value3": 106}, {"udp_dport_2": 53}]'
json 'keys that are data' 'lines[1]["keys"] ==
	{"ip_saddr": "192.0.2.1", "probename": "->", "key5": 7, "ip_saddr_2": "192.0.2.1"}'
run -r $pcap -x oformat=csv -q -n "$two"
out_has '^timestamp,cpu,provider,module,function,name,ip_saddr,udp_dport,value3,udp_dport_2$'
out_has '^ip_saddr,probename,key5,ip_saddr_2,@_$'
# An aggregation file keeps the names of keys and the layout fields.
run --merge -x oformat=json "$tmp/two"
json 'keys of a file' 'lines[0]["keys"] ==
	{"ip_saddr": "192.0.2.1", "probename": "->", "key5": 7, "ip_saddr_2": "192.0.2.1"}'
# A generated name never equals the name of another key.
run -r $pcap -x oformat=json -q -n 'BEGIN { a_2 = 1; a = 2; key2 = 3; @[a, 5, a_2, a, key2] = count(); exit(0); }'
json 'names of keys differ' 'lines[0]["keys"] == {"a": 2, "key7": 5, "a_2": 1, "a_7": 2, "key2": 3}'

# A string that is not valid UTF-8 becomes an array of numbers. Control characters are escaped.
run -r $pcap -x oformat=json -q -n 'BEGIN { trace("caf\xe9"); trace("caf\xc3\xa9\001\"\\"); @["\xff"] = count(); exit(0); }'
json 'odd strings' '[e["value"] for e in lines[0]["output"]] == [[99, 97, 102, 233], "caf\u00e9\u0001\"\\"] and
	lines[1]["keys"] == {"key1": [255]}'

# Integers keep their sign, and structs are objects.
run -r $pcap -x oformat=json -q -n 'struct s { int a; unsigned b : 3; char c[4]; struct { short d; }; }; struct s v;
	BEGIN { v.a = -3; v.b = 7; v.c[0] = 120; v.d = -1; print(v); trace((uint32_t)4294967295); exit(0); }'
json 'a struct' 'lines[0]["output"][0] == {"type": "struct s", "print": {"a": -3, "b": 7, "c": "x", "d": -1}}'
json 'an unsigned number' 'lines[0]["output"][1] == {"value": 4294967295}'

# Aggregations have a line per key, with everything that printa() shows together. Buckets have bounds.
run -r $pcap -x oformat=json -q -n 'BEGIN { @a["k", 1] = count(); @b["k", 1] = sum(-5); @b["l", 2] = sum(7);
	printa("%s %d %@d %@d\n", @a, @b); @q = quantize(-5); @q = quantize(0); @q = quantize(9);
	@l = lquantize(-1, 0, 100, 10); @l = lquantize(15, 0, 100, 10); @l = lquantize(100, 0, 100, 10); exit(0); }'
json 'printa() says what follows' 'lines[0]["output"] == [{"printa": ["a", "b"], "rows": 2}]'
json 'a row' '{"keys": {"key1": "k", "key2": 1}, "message": "k 1 1 -5\n"}.items() <= lines[2].items() and lines[2]["aggregations"] ==
	[{"name": "a", "function": "count", "value": 1}, {"name": "b", "function": "sum", "value": -5}]'
json 'quantize' 'lines[3]["aggregations"][0]["buckets"] == [{"min": -7, "max": -4, "count": 1},
	{"min": 0, "max": 0, "count": 1}, {"min": 8, "max": 15, "count": 1}]'
json 'lquantize' 'lines[4]["aggregations"][0]["buckets"] == [{"min": None, "max": -1, "count": 1},
	{"min": 10, "max": 19, "count": 1}, {"min": 100, "max": None, "count": 1}]'

# If printa() prints rows in the middle of a record, the rest of the record is another line.
run -r $pcap -x oformat=json -q -n 'BEGIN { @ = count(); printf("a"); printa(@); printf("b"); exit(0); }'
json 'a record in two lines' '[l["type"] for l in lines] == ["record", "aggregation", "record"] and
	lines[2]["continued"] and "continued" not in lines[0]'
run -r $pcap -x oformat=json -x confine=off -q -w -n 'BEGIN { printf("a"); system("echo between"); printf("b"); exit(0); }'
checks=$((checks + 1))
[ "$(sed -n 2p "$out")" = between ] || wrong 'the output of a command is in the wrong place'

# Losses and faults are also lines of JSON. Standard error has the same messages as without JSON.
run -r $pcap -x oformat=json -q -x nspec=0 -n 'BEGIN { s = speculation(); trace(*(int *)16); }'
err 'dtrace: error on enabled probe ID 1 (ID N: dtrace:::BEGIN): invalid address (0x10) in action #2 at DIF offset N
dtrace: 1 failed speculation (no speculative buffer available)'
json 'a fault' 'lines[0]["type"] == "fault" and {"fault": "invalid address", "address": "0x10", "action": 2, "count": 1,
	"name": "BEGIN", "epid": 1}.items() <= lines[0].items()'
json 'a loss' 'lines[1]["type"] == "loss" and {"kind": "speculation-unavailable", "count": 1, "total": 1,
	"message": "1 failed speculation (no speculative buffer available)"}.items() <= lines[1].items()'

# Without -q a firing without data still makes a line. A pragma can choose the form.
run -r $pcap -x oformat=json -n 'BEGIN { n = 1; } BEGIN { } END { }'
json 'records without data' '[(l["name"], l["output"]) for l in lines] == [("BEGIN", []), ("END", [])]'
run -r $pcap -q -x oformat=json -n BEGIN
out ''
cat >"$tmp/x.d" <<-'EOT'
	#pragma D option oformat=json
	#pragma D option quiet
	udp:::send { trace(1); exit(0); }
EOT
run -r $pcap -s "$tmp/x.d"
json 'a pragma' 'lines[0]["timestamp"] == 1700000000000000000 and lines[0]["output"] == [{"value": 1}]'
run -r $pcap -x oformat=yaml -n BEGIN
status 1
err 'dtrace: failed to set -x oformat: Invalid value for specified option: possible values: text, json, csv, prometheus, libxo-json, xml, html, folded, flame, heat, heat-svg, hist-svg, time-svg'
finish
