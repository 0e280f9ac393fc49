/* args: -r tests/pcap/empty.pcap -q */
ERROR { printf("%d %d %d %d %d\n", arg1, arg2, arg3 != 0, arg4, arg5); } BEGIN { x = 1; trace(*(int *)24); }
