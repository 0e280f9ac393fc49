# Aggregations as metrics: as text, by HTTP, and scraped by a real Prometheus.
. tests/cli/lib.bash
[ "$(id -u)" = 0 ] && tools/need prometheus >"$tmp/need" 2>&1
command -v prometheus >/dev/null || skip "the package prometheus cannot be installed: $(tail -n 1 "$tmp/need" 2>/dev/null)"

program='
	ip:::receive { @bytes[args[2]->ip_saddr, probename] = sum(args[2]->ip_plength); @least = min(args[2]->ip_plength);
		@most = max(args[2]->ip_plength); @mean = avg(args[2]->ip_plength); @spread = stddev(args[2]->ip_plength);
		@sizes[args[2]->ip_ver] = quantize(args[2]->ip_plength); @lin = lquantize(args[2]->ip_plength, 0, 40, 20); }
	BEGIN { @twins["\x01"] = sum(2); @twins["\\x01"] = sum(1); @["a\"b\\\n\xe9", -1] = count(); @["caf\xc3\xa9", 2] = count(); @["caf\xc3\xa9", 2] = count(); }'

# Prints the rows of printa() as NAME KEYS VALUE.
"$DTRACE" -q -r $pcap -n "$program END { printa(\"bytes %s %s %@d\n\", @bytes); printa(\"least %@d\n\", @least); printa(\"most %@d\n\", @most);
	printa(\"mean %@d\n\", @mean); printa(\"spread %@d\n\", @spread); trunc(@sizes); trunc(@lin); trunc(@twins); trunc(@); }" >"$tmp/printa" 2>"$err" ||
	wrong 'the text fails'
printed() { awk -v n="$1" '$1 == n { s += $NF } END { print s + 0 }' "$tmp/printa"; }

succeeds -r $pcap -q -x oformat=prometheus -n "$program"
metric() { # metric SAMPLE VALUE
	checks=$((checks + 1))
	grep -Fxq -- "$1 $2" "$out" && return
	wrong "no $1 of $2"
	grep -F -- "${1%%\{*}" "$out"
}
metric 'dtrace_unnamed_total{key1="a\"b\\\n\\xe9",key2="-1"}' 1
metric 'dtrace_unnamed_total{key1="café",key2="2"}' 2
# Two keys with the same text, as two process names may have.
metric 'dtrace_twins{key1="\\x01"}' 2
metric 'dtrace_twins{key1="\\x01",duplicate="2"}' 1
metric dtrace_least_min "$(printed least)"
metric dtrace_most_max "$(printed most)"
metric dtrace_spread_stddev "$(printed spread)"
metric dtrace_mean_count 10
metric 'dtrace_sizes_count{ip_ver="4"}' 5
metric 'dtrace_sizes_bucket{ip_ver="4",le="+Inf"}' 5
metric 'dtrace_lin_bucket{le="39"}' \
	"$("$DTRACE" -q -r $pcap -n 'ip:::receive /args[2]->ip_plength <= 39/ { n++; } END { printf("%d", n); }' | head -n 1)"
metric 'dtrace_run_lost_total{kind="principal"}' 0
metric dtrace_run_events_total 10
out_has '^# TYPE dtrace_bytes gauge$'
out_has '^# TYPE dtrace_sizes histogram$'
checks=$((checks + 2))
[ "$(awk '/^dtrace_bytes/ { s += $2 } END { print s }' "$out")" = "$(printed bytes)" ] || wrong 'the bytes differ from those that printa() prints'
# All rows of a histogram have the same bounds, and cumulative counts.
bounds() { sed -n "s/^dtrace_sizes_bucket{ip_ver=\"$1\",le=\"\(.*\)\"}.*/\1/p" "$out" | tr '\n' ' '; }
[ "$(bounds 4)" = "$(bounds 6)" ] || wrong "bounds of histograms: $(bounds 4), $(bounds 6)"
checks=$((checks + 1))
promtool check metrics <"$out" >"$tmp/check" 2>&1 || { wrong 'promtool finds faults'; cat "$tmp/check"; }
# promtool finds an error if there is one.
sed 's/ histogram$/ odd/' "$out" | promtool check metrics >/dev/null 2>&1 && wrong 'promtool does not find an error that the test made'

# The key cap keeps the largest keys; a metric counts the others.
run -r $pcap -q -x oformat=prometheus -x promkeys=2 -n 'BEGIN { @[1] = sum(5); @[2] = sum(9); @[3] = sum(7); @[4] = sum(1); }'
metric 'dtrace_unnamed{key1="2"}' 9
metric 'dtrace_unnamed{key1="3"}' 7
metric 'dtrace_run_keys{aggregation="_"}' 4
metric 'dtrace_run_keys_omitted{aggregation="_"}' 2
checks=$((checks + 1))
[ "$(grep -c '^dtrace_unnamed' "$out")" = 2 ] || wrong 'the number of metrics is not 2'

# ------------------------------------------------------------------------ by HTTP
start() { # start ARGS...: sets $pid, and $url of the metrics
	: >"$err"
	"$DTRACE" -x listen=127.0.0.1:0 "$@" >"$out" 2>"$err" &
	pid=$!
	for _ in {1..900}; do
		url=$(sed -n 's/^dtrace: metrics are at //p' "$err")
		[ -n "$url" ] && return
		sleep 0.1
	done
	wrong "no metrics: $(head -n 3 "$err")"
	finish
}
get() { # get METHOD URL: prints the status, writes $tmp/body
	python3 - "$@" >"$tmp/body" <<-'EOT'
		import sys, urllib.request
		try:
		    r = urllib.request.urlopen(urllib.request.Request(sys.argv[2], method=sys.argv[1]), timeout=120)
		except urllib.error.HTTPError as e:
		    r = e
		sys.stdout.write(r.read().decode())
		sys.stderr.write(f"{r.status} {r.headers['Content-Type']}\n")
	EOT
}
end() {
	kill -INT $pid
	wait $pid
	status=$?
}
what='metrics of a capture'
start -r $pcap -x oformat=prometheus -n "$program"
checks=$((checks + 4))
get GET "$url" 2>"$tmp/said"
grep -q '^200 text/plain; version=0.0.4' "$tmp/said" || wrong "said $(cat "$tmp/said")"
for _ in {1..100}; do
	get GET "$url" 2>"$tmp/said"
	grep -q '^dtrace_run_events_total 10$' "$tmp/body" && break
	sleep 0.1
done
grep -q '^dtrace_mean_count 10$' "$tmp/body" || wrong 'the metrics do not count the whole capture'
get GET "${url%metrics}other" 2>"$tmp/said"
grep -q '^404' "$tmp/said" || wrong "another page: $(cat "$tmp/said")"
get POST "$url" 2>"$tmp/said"
grep -q '^405' "$tmp/said" || wrong "POST: $(cat "$tmp/said")"

# A real Prometheus scrapes the metrics.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$tmp/prometheus.yml" <<EOT
global: {scrape_interval: 5s, scrape_timeout: 5s}
scrape_configs:
  - job_name: dtrace
    static_configs: [{targets: ['$(echo "$url" | cut -d/ -f3)']}]
EOT
prometheus --config.file="$tmp/prometheus.yml" --storage.tsdb.path="$tmp/tsdb" --web.listen-address="127.0.0.1:$port" \
	>"$tmp/prometheus.log" 2>&1 &
server=$!
query() { # query PROMQL: prints its value
	python3 - "$port" "$1" <<-'EOT'
		import json, sys, urllib.parse, urllib.request
		try:
		    url = f"http://127.0.0.1:{sys.argv[1]}/api/v1/query?" + urllib.parse.urlencode({"query": sys.argv[2]})
		    r = json.load(urllib.request.urlopen(url, timeout=20))["data"]["result"]
		    print(r[0]["value"][1] if r else "")
		except OSError:
		    print("")
	EOT
}
what='Prometheus'
for _ in {1..120}; do
	[ "$(query 'dtrace_run_events_total')" = 10 ] && break
	sleep 0.5
done
is() { # retries, because one scrape may have been too late
	checks=$((checks + 1))
	local got
	for _ in {1..120}; do
		got=$(query "$1")
		[ "$got" = "$2" ] && return
		sleep 0.5
	done
	wrong "$1 is ${got:-nothing}, not $2: $(tail -n 2 "$tmp/prometheus.log")"
}
is up 1
is 'sum(dtrace_bytes)' "$(printed bytes)"
is dtrace_least_min "$(printed least)"
is dtrace_most_max "$(printed most)"
is 'floor(dtrace_mean_sum / dtrace_mean_count)' "$(printed mean)"
is 'sum(dtrace_sizes_count)' 10
is 'sum(dtrace_sizes_bucket{le="+Inf"})' 10
is 'dtrace_unnamed_total{key1="café"}' 2
is 'sum(dtrace_run_lost_total)' 0
kill $server
wait $server
end
status 0
out ''

# Other output goes to stdout meanwhile, live as in replay.
what='metrics of a live run'
if [ "$(id -u)" = 0 ]; then
	start -x oformat=json -n 'BEGIN { @n[execname] = count(); trace(1); } tick-100ms { @t = count(); }'
	ticks() { # ticks N: waits until the counter exceeds N
		for _ in {1..120}; do
			sleep 0.5
			get GET "$url" 2>"$tmp/said"
			now=$(sed -n 's/^dtrace_t_total //p' "$tmp/body")
			[ "${now:-0}" -gt "$1" ] && return
		done
		wrong "the count is not above $1"
	}
	ticks 0
	grep -q '^dtrace_n_total{execname="dtrace"} 1$' "$tmp/body" || wrong "no count: $(head -n 5 "$tmp/body")"
	ticks "$now"
	end
	out_has '"aggregations":\[\{"name":"n","function":"count","value":1\}\]'
	checks=$((checks + 2))
fi

# A bad address is reported.
for where in nonsense 127.0.0.1 localhost:80 1.2.3.4.5:80 ::1:80 127.0.0.1:99999; do
	run -r $pcap -q -x listen=$where -n BEGIN
	status 1
	err "dtrace: cannot listen at $where: use ADDRESS:PORT, both as numbers"
done
run -r $pcap -q -x listen=192.0.2.1:80 -n BEGIN
status 1
err 'dtrace: cannot listen at 192.0.2.1:80: Cannot assign requested address'
lib=$(ldconfig -p | sed -n 's/.*libmicrohttpd.so.12 .*=> //p' | head -n 1)
if [ "$(id -u)" = 0 ] && [ -n "$lib" ]; then
	what='dtrace without libmicrohttpd'
	unshare -m sh -c 'mount --bind /dev/null "$1" && exec "$2" -r "$3" -q -x listen=:0 -n BEGIN' sh "$(realpath "$lib")" "$DTRACE" $pcap \
		>"$out" 2>"$err" </dev/null
	status=$?
	status 1
	err 'dtrace: cannot listen at :0: cannot load libmicrohttpd.so.12: install the Debian package libmicrohttpd12 (libmicrohttpd12t64 since Debian 13)'
fi
finish
