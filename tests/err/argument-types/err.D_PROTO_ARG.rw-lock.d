/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { rw_read_held(curthread); }
