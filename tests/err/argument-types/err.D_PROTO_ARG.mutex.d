/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { mutex_owned(3); }
