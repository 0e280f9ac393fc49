/* args: -r tests/pcap/empty.pcap -q */
#pragma D option zdefs
tcp:::drop { printf("%s\n", args[5]->drop_reason); }
udp:::dro[p] { printf("%s\n", args[5]->drop_reason); }
BEGIN { printf("yes\n"); }
