/* args: -r tests/pcap/empty.pcap -q -x errtags */
int y;
#pragma D attributes Stable/Steady/Common y
BEGIN { }
