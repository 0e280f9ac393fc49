/* args: -r tests/pcap/empty.pcap -q */
#pragma D depends_on provider ip
BEGIN { printf("ok\n"); }
