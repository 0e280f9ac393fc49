/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D depends_on library net.d
BEGIN { }
