/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D option
BEGIN { }
