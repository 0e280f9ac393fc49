/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct sock *x; BEGIN { x = curthread; }
