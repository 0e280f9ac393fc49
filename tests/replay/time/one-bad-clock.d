/* args: -r tests/pcap/clocks.pcapng -q */
/* A bad clock neither blocks the time nor turns it back. */
BEGIN { start = timestamp; }
tick-1000s { ticks++; }
ip:::receive { printf("%s %d\n", args[3]->if_name, (timestamp - start) / 1000000); }
END { printf("%d, %d ticks\n", (timestamp - start) / 1000000, ticks); }
