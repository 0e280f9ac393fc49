/* args: -r tests/pcap/seconds.pcap -q */
tick-2hz { h++; } tick-1sec { s++; } tick-1000msec { m++; } tick-1000000us { u++; } tick-1000000000ns { n++; }
tick-1000ms { ms++; } tick-1000000usec { us++; } tick-1000000000nsec { ns++; } tick-2 { bare++; } tick-1m { minute++; }
tick-1min { min2++; } tick-1h { hour++; } tick-1d { day++; }
END { printf("%d %d %d %d %d %d %d %d %d %d %d %d %d\n", h, s, m, u, n, ms, us, ns, bare, minute, min2, hour, day); }
