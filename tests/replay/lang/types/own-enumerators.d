/* args: -q -r tests/pcap/connections.pcap */
/* A name of the kernel's may be used again: what library texts mean by it stays. */
enum state { TCP_ESTABLISHED = 99, TCP_CLOSE };
int TCP_LISTEN;
tcp:::state-change { n++; }
END { printf("%d %d %d\n", n, TCP_ESTABLISHED, TCP_LISTEN); }
