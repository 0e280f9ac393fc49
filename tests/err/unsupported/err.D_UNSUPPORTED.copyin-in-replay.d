/* args: -x errtags -r tests/pcap/empty.pcap */
BEGIN { copyin(1, 2); }
