/* args: -r tests/pcap/empty.pcap -q -x errtags */
int y;
#pragma D attributes Stable/Stable/Common y
#pragma D attributes Stable/Stable/Common x
BEGIN { }
