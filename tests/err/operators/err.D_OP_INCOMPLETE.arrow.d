/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct nosuch; BEGIN { trace(((struct nosuch *)curthread)->m); }
