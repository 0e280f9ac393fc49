/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D nosuch
BEGIN { }
