/* args: -r tests/pcap/empty.pcap -q */
/* before */ BEGIN /* between */ { /* in */ printf("a /* b */ c\n"); /* after
 * several lines
 */ } /***/
