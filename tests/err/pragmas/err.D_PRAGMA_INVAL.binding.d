/* args: -r tests/pcap/empty.pcap -q -x errtags */
int y;
#pragma D binding "new" y
BEGIN { }
