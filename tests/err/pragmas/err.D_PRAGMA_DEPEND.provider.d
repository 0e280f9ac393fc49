/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D depends_on provider nosuch
BEGIN { }
