/* args: -r tests/pcap/empty.pcap -q */
#pragma D option defaultargs
#pragma D option strsize=4
#pragma unknown is ignored
BEGIN { a = "abcdef"; printf("%s %d\n", a, $1); }
