/* args: -r tests/pcap/times.pcap -q */
tick-1hour { n++; } tick-1day { m++; } tick-30m { h++; } END { printf("%d %d %d\n", n, m, h); }
