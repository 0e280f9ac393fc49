/* args: -r tests/pcap/empty.pcap */
#pragma D option quiet
BEGIN { printf("ok\n"); }
