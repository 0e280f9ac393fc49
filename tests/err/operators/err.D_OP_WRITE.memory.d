/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { curthread->pid = 1; }
