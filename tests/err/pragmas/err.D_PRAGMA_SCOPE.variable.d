/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D attributes Stable/Stable/Common timestamp
BEGIN { }
