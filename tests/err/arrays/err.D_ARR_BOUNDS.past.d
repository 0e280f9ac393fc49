/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(curthread->comm[16]); }
