# -x capture: the packets of the enabled probes go to a file, with their owners.
. tests/cli/lib.bash
command -v tshark >/dev/null || skip 'no tshark here'

shows() { tshark -n -r "$1" -T fields -e frame.time_epoch -e ip.src -e ip.dst -e ipv6.src -e ipv6.dst -e tcp.seq_raw -e udp.payload "${@:2}" 2>/dev/null; }

# A clause without recording actions prints no line but still runs. exit() still writes its packet.
run -x capture="$tmp/all" -r $pcap -n 'ip:::send { @ = count(); }'
status 0
err_has "description 'ip:::send ' matched 1 probe"
shows $pcap -Y 'ip || ipv6' >"$tmp/wanted"
shows "$tmp/all" >"$tmp/gotten"
equal 'the file has all packets' "$tmp/wanted" "$tmp/gotten"
printf '\n%17d\n' "$(wc -l <"$tmp/wanted")" >"$tmp/count"
equal 'the number of packets' "$tmp/count" "$out"
run -q -x capture="$tmp/one" -r $pcap -n 'ip:::send { exit(3); }'
status 3
shows "$tmp/one" >"$tmp/gotten"
head -n 1 "$tmp/wanted" >"$tmp/first"
equal 'exit() still writes its packet' "$tmp/first" "$tmp/gotten"
# Each firing writes the packet once, however many clauses run. A false predicate writes nothing.
run -q -x capture="$tmp/udp" -r $pcap -n 'udp:::send { a++; } udp:::send { b++; } udp:::send /0/ { c++; } udp:::receive /0/ { }'
shows $pcap -Y udp >"$tmp/wanted"
shows "$tmp/udp" >"$tmp/gotten"
equal 'a packet is written once for several clauses' "$tmp/wanted" "$tmp/gotten"
run -x capture="$tmp/default" -r $pcap -n 'udp:::send'
out_has 'none:send'
shows "$tmp/default" >"$tmp/gotten"
equal 'a clause without actions writes its packets' "$tmp/wanted" "$tmp/gotten"
# Facts about a packet are stored in pcapng's standard options.
run -q -x capture="$tmp/owners" -x local=auto -r tests/pcap/owners.pcapng -n 'tcp:::send, udp:::send'
tshark -n -r "$tmp/owners" -T fields -E occurrence=l -e frame.packet_flags_direction -e frame.comment 2>/dev/null | head -n 2 >"$tmp/gotten"
printf '0x00000002\tPID: 1234\\nCmd: curl\\nUser: alice\\nControl group: /a.slice/docker.scope\\nContainer: box\\nNetwork namespace: web\\nProbe: tcp:::send\n0x00000002\tPID: 80\\nCmd: a-very-long-com\\nContainer: 0123456789ab\\nProbe: tcp:::send\n' >"$tmp/wanted"
equal 'packets have the comments with their owners' "$tmp/wanted" "$tmp/gotten"
run -q -x capture="$tmp/iface" -r tests/pcap/directions.pcapng -x local=auto -n 'ip:::send, ip:::receive'
tshark -n -r "$tmp/iface" -T fields -e frame.interface_name -e frame.packet_flags_direction 2>/dev/null >"$tmp/gotten"
printf 'eth0\t0x0000000%d\n' 2 1 1 2 1 >"$tmp/wanted"
equal 'packets have their interface and direction' "$tmp/wanted" "$tmp/gotten"
# Reading the capture back with the same program gives the same output, including the side that each
# packet was on.
p='tcp:::send, tcp:::receive { @[probename, args[1]->cs_pid, args[1]->cs_execname] = count(); }'
run -q -x capture="$tmp/again" -x local=auto -r tests/pcap/owners.pcapng -n "$p"
cp "$out" "$tmp/wanted"
run -q -r "$tmp/again" -n "$p"
equal 'replaying the file gives the same output' "$tmp/wanted" "$out"
# Without a packet, the output is an empty capture.
run -q -x capture="$tmp/none" -r tests/pcap/empty.pcap -n 'ip:::send'
run -q -r "$tmp/none" -n 'ip:::send { n++; } END { printf("%d", n); }'
status 0
out 0
# -x capture=- writes to a pipe.
"$DTRACE" -q -x capture=- -o "$tmp/text" -r $pcap -n 'udp:::send { @ = count(); }' 2>/dev/null | shows - >"$tmp/gotten"
shows $pcap -Y udp >"$tmp/wanted"
equal 'a capture through a pipe' "$tmp/wanted" "$tmp/gotten"
[ -s "$tmp/text" ] || wrong 'the program'\''s text is not printed'
fails 'failed to set -x capture=-: packets go to stdout, so send other output to a file with -o' -x capture=- -r $pcap -n 'udp:::send'
fails 'failed to set -x capture: the program has no probe with a packet' -x capture="$tmp/x" -n 'BEGIN { exit(0); }' -r $pcap
fails "failed to open the capture '.*/no/x': No such file or directory" -x capture="$tmp/no/x" -r $pcap -n 'udp:::send'
# With -x checked, a truncated packet also keeps both lengths: captured and original.
run -q -x checked -x capture="$tmp/snap" -r tests/pcap/snaplen.pcap -n 'ip:::send'
status 0
err 'dtrace: 3 packets with impossible headers, which hosts drop: UDP length 3'
tshark -n -r "$tmp/snap" -T fields -e frame.cap_len -e frame.len 2>/dev/null >"$tmp/gotten"
tshark -n -r tests/pcap/snaplen.pcap -T fields -e frame.cap_len -e frame.len 2>/dev/null | awk '{ print $1 - 14 "\t" $2 - 14 }' >"$tmp/wanted"
equal 'truncated packets keep both lengths' "$tmp/wanted" "$tmp/gotten"
finish
