/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%d %d\n", curthread == NULL, curthread->pid == tid); }
