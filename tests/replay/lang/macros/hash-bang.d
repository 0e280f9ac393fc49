/* args: -r tests/pcap/empty.pcap -q */
#!/usr/sbin/dtrace -s
BEGIN { printf("ok\n"); }
