/* args: -x errtags -w -r tests/pcap/empty.pcap */
BEGIN { copyout(NULL, 1, 2); }
