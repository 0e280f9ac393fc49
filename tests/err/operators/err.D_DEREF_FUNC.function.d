/* args: -r tests/pcap/empty.pcap -q -x errtags */
typedef int fn_t(int);
BEGIN { trace(*(fn_t *)8); }
