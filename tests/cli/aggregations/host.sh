# -x host: the variable host, and descriptions for some hosts. -x locked: programs cannot change
# options.
. tests/cli/lib.bash
all='web*:ip:::receive { @w[host, args[2]->ip_saddr] = count(); } *:ip:::send { @s[host] = sum(1); } d?:udp:::send { @u = count(); }'
for host in web1.example.net d1; do
	succeeds -q -r $pcap -x host=$host -x aggout="$tmp/$host" -n "$all"
	cp "$out" "$tmp/$host.out"
done
out_has '^ +10$'
out_has '^  d1 +10$'
checks=$((checks + 1))
grep -q web "$tmp/d1.out" && wrong 'd1 has counted for web*'

what='descriptions for some hosts: each host has its own clauses, and --merge joins their files'
run -q --merge "$tmp/web1.example.net" "$tmp/d1"
out '
  web1.example.net                                    192.0.2.1                                                         5
  web1.example.net                                    2001:db8::1                                                       5
  d1                                                               10
  web1.example.net                                                 10
               10'

# A clause for another host must still compile, but it never fires and is not listed. A program
# without a probe for this host is an error.
fails 'nothing' -q -r $pcap -x host=a -n 'b:ip:::send { @ = sum(nothing); }'
run -q -r $pcap -x host=a -n 'b:ip:::send { @ = count(); }'
status 1
err 'dtrace: no probe of the program is for host a'
run -r $pcap -x host=a -n 'b:ip:::send, :ip:::receive { @ = count(); } END { exit(0) }'
status 0
err_has "matched 2 probes"
run -l -r $pcap -x host=a -n 'b:ip:::send' -n 'a:udp:::send' -n 'tcp:::send'
out_has ' udp '
out_has ' tcp '
checks=$((checks + 1))
grep -q ' ip ' "$out" && wrong 'a clause for host b is listed on host a'
run -q -r $pcap -x host=a -n 'b:nothing:::here { @ = count(); } BEGIN { printf("%s", host); exit(0) }'
status 0
out_has '^a$'

# Without -x host nothing changes: the name host is free, and a description has four fields.
run -q -r $pcap -n 'BEGIN { host = 5; printf("%d", host); exit(0) }'
status 0
out_has '^5$'
fails 'Overspecified probe description' -q -r $pcap -n 'a:ip:::send { @ = count(); }'
for name in '' 'a b' 'a"' 'a*'; do
	fails '^dtrace: failed to set -x host: Invalid value for specified option$' -q -r $pcap -x host="$name" -n BEGIN
done

# With -x locked, a program may not set these options, because each does more than print.
for option in destructive aggout="$tmp/x" capture="$tmp/x" listen=127.0.0.1:0 libdir="$tmp" duration=1s aggsize=1g strsize=8k cpp; do
	run -q -r $pcap -x locked -n "#pragma D option $option
BEGIN { @ = count(); exit(0) }"
	status 1
	err_has "failed to set option '${option%%=*}': with -x locked, programs may only set options of their output"
done
checks=$((checks + 1))
[ ! -e "$tmp/x" ] || wrong 'a file was made'
run -r $pcap -x locked -n '#pragma D option quiet
BEGIN { printf("seen"); exit(0) }'
status 0
out_has '^seen$'
finish
