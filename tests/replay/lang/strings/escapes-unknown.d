/* args: -r tests/pcap/empty.pcap -q */
/* What is no escape of D's keeps its backslash, also \? and \'. */
BEGIN { printf("[%s] %d %d\n", "\?\z\q\'\"", '\q', 'a'); }
