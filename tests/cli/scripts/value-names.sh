# In CSV, JSON and Prometheus, values of scripts have true names: a member in ns, us, ms or bytes has
# that unit, and no layout is a value. The expected values come from the times and lengths that
# tests/pcap/mkpcap gives to the packets.
. tests/cli/lib.bash
plain
command -v python3 >/dev/null || skip 'no python3'

what='values of all scripts'
checks=$((checks + 1))
python3 tests/cli/scripts/value-names.py scripts/*.d >"$tmp/names" || wrong "$(cat "$tmp/names")"

# is SCRIPT CAPTURE COLUMN=VALUE... [-- ARGUMENT...]: checks that a row of CSV has these values, and
# that an object of JSON has these members
is() {
	local script=$1 capture=$2 pairs=()
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		pairs+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	for form in csv json; do
		run -q -x oformat=$form -s "scripts/$script.d" -r "tests/pcap/$capture.pcap" "$@"
		checks=$((checks + 1))
		python3 - "$form" "$out" "${pairs[@]}" <<-'PYTHON' || wrong "no row with ${pairs[*]}: $(head -n 3 "$out")"
			import csv, json, sys
			rows = []
			if sys.argv[1] == "csv":
			    for table in open(sys.argv[2], encoding="utf-8").read().split("\n\n"):
			        rows += csv.DictReader(table.splitlines())
			else:
			    for line in open(sys.argv[2], encoding="utf-8"):
			        d = json.loads(line)
			        rows += [p["args"] for p in d.get("output", []) if "args" in p]
			        if "aggregations" in d:
			            rows.append({**d["keys"], **{"@" + a["name"]: a.get("value") for a in d["aggregations"]}})
			want = dict(p.split("=") for p in sys.argv[3:])
			sys.exit(not any(all(str(r.get(k)) == v for k, v in want.items()) for r in rows))
		PYTHON
	done
}

# demo: the connection from 203.0.113.80 is open from 4 ms to 16 ms, and its server sends 3,253 bytes.
is tcplife demo ms=12 SENT=18 RECEIVED=3253 tcps_lport=50000
is tcplife demo ms=11 SENT=3253 tcps_lport=80 -- wide
# sessions: the first SYN of 40001 is lost, and sent again after 1,000 ms; the way there and back takes 2 ms.
is tcpconnlat sessions ms=1002 thousandths=0
is tcpwhy sessions how=in tcps_rport=40000 total=14000 connect=2000 server=8000 client=1000 network=3000 -- -x local=192.0.2.2
is tcpwhy sessions how=out tcps_lport=40000 server=5000 client=3000 -- -x local=192.0.2.1
is gethostlatency dns time_ms=30 ms=30 thousandths=0
is tcpretrans resets time_ms=1007 WHY=syn
is tcpreset sessions time_ms=1500 NAME=closed
is tcpsnoop sessions time_us=1000 flags=SA
is ipio sessions delta_us=2000
is tcpstates sessions in_us=2000 from=syn-sent to=established
is udpsnoop udp time_ms=1 BYTES=2 'direction=<-'
is tcpscan scan HOW=xmas from=198.51.100.7 @times=1 @first_ms=14 @last_ms=14
is tcptracer sessions event=C tcps_lport=40000
is tcpconnlog sessions how=in tcps_lport=80
is tcpstat demo @time=1700000001000000000 @out=28 @kb_out=7
is udpstat udp @in4=5 @bytes_in4=341

# A scrape between two lines of tcpstat has the same unit.
run -q -x oformat=prometheus -s scripts/tcpstat.d -r tests/pcap/demo.pcap
out_has '^dtrace_kb_out '
checks=$((checks + 1))
! grep -q '^dtrace_bytes_out ' "$out" || wrong 'KB are called bytes'
finish
