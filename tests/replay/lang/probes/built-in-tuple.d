/* args: -r tests/pcap/nano.pcap -q */
int ip_id;
BEGIN, END { printf("%s:%s:%s:%s %d\n", probeprov, probemod, probefunc, probename, id); }
ip:::send /ip_id == 0/ { ip_id = id; }
ip:::send { printf("%s:%s:%s:%s %d\n", probeprov, probemod, probefunc, probename, id > 3 && id == ip_id); }
