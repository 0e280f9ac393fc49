/* args: -r tests/pcap/empty.pcap -q -x aggzoom -x droptags -x resolve */
#pragma D option stackindent=4
BEGIN { @ = count(); }
