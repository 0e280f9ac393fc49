/* args: -r tests/pcap/empty.pcap -q */
int y; BEGIN { trace(10 / y); } BEGIN { trace(10 % y); }
