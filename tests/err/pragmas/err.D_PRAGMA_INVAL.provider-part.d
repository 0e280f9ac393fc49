/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D attributes Stable/Stable/Common provider mine probe
provider mine { probe a(int); };
BEGIN { }
