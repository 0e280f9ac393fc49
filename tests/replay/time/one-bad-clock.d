/* args: -r tests/pcap/clocks.pcapng -q */
/* Time neither stays where the bad clock is nor goes back. */
BEGIN { start = timestamp; }
tick-1000s { ticks++; }
ip:::receive { printf("%s %d\n", args[3]->if_name, (timestamp - start) / 1000000); }
END { printf("%d, %d ticks\n", (timestamp - start) / 1000000, ticks); }
