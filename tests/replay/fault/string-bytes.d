/* args: -r tests/pcap/empty.pcap -q */
/* These indexes are outside of the strings. */
string array[string];

BEGIN { s = "hello"; i = 256; }
BEGIN { trace(s[i]); }
BEGIN { trace(s[-1]); }
BEGIN { trace(array["k"][0]); }
BEGIN { trace(s[255]); exit(0); }
