/* args: -q -r tests/pcap/connections.pcap */
/* A program may redeclare a name of the kernel; library texts keep the kernel's meaning. */
enum state { TCP_ESTABLISHED = 99, TCP_CLOSE };
int TCP_LISTEN;
tcp:::state-change { n++; }
END { printf("%d %d %d\n", n, TCP_ESTABLISHED, TCP_LISTEN); }
