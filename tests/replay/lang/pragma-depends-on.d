/* args: -r tests/pcap/empty.pcap -q */
#pragma D depends_on provider ip
#pragma D depends_on library ip.d
#pragma D depends_on library net.d
BEGIN { printf("ok\n"); }
