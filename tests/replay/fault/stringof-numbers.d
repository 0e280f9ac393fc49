/* args: -q -r tests/pcap/connections.pcap */
/* There is no text at these addresses. */
BEGIN { trace(stringof((char *)5)); }
BEGIN { trace(stringof(arg0)); }
BEGIN { trace((string)htonl(5)); }
BEGIN { trace(stringof(strlen("x"))); }
BEGIN { x = 7; trace(stringof((char *)x)); }
BEGIN { trace(stringof(x = 9)); }
BEGIN { trace(stringof((char *)arg0) == "x"); }
BEGIN { trace(strlen((string)x)); exit(0); }
