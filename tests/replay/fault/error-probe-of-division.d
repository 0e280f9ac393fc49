/* args: -r tests/pcap/empty.pcap -q */
int y; BEGIN { trace(1 / y); } ERROR { printf("%d %d %d\n", arg1, arg2, arg4); } END { printf("end\n"); }
