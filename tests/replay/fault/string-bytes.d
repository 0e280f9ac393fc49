/* args: -r tests/pcap/empty.pcap -q */
/* No string has these bytes. */
string array[string];

BEGIN { s = "hello"; i = 256; }
BEGIN { trace(s[i]); }
BEGIN { trace(s[-1]); }
BEGIN { trace(array["k"][0]); }
BEGIN { trace(s[255]); exit(0); }
