/* args: -r tests/pcap/empty.pcap -q */
#pragma D option zdefs
nosuch:::probe { printf("no\n"); }
BEGIN { printf("yes\n"); }
