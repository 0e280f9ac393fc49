/* args: -q -r tests/pcap/empty.pcap -x errtags */
BEGIN { trace(d_path(curthread)); }
