/* args: -r tests/pcap/empty.pcap -q -x errtags */
#error it is so
BEGIN { }
