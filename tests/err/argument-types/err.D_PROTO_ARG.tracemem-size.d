/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { tracemem(curthread, "5"); }
