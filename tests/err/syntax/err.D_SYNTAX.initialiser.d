/* args: -r tests/pcap/empty.pcap -q -x errtags */
int x = 5;
BEGIN { trace(x); }
