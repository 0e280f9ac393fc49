/* args: -r tests/pcap/empty.pcap -q -x agghist -x aggpack -x aggzoom -x droptags -x resolve */
#pragma D option stackindent=4
BEGIN { @ = count(); }
