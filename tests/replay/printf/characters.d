/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%c%c%c|%5c|%-5c|\n", 'a', 98, (char)99, 'd', 'e'); printf("%C%C%C\n", 'x', '\n', '\t'); }
