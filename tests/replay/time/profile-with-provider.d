/* args: -r tests/pcap/seconds.pcap -q */
profile:::tick-1sec { n++; } profile:::profile-1sec { m++; } END { printf("%d %d\n", n, m); }
