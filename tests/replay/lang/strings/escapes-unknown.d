/* args: -r tests/pcap/empty.pcap -q */
/* An unknown escape keeps its backslash, and so do \? and \'. */
BEGIN { printf("[%s] %d %d\n", "\?\z\q\'\"", '\q', 'a'); }
