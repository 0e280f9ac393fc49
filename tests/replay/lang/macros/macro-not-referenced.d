/* args: -r tests/pcap/empty.pcap -q x 5 */
/* Only the last argument must be referenced. */
BEGIN { printf("%d\n", $2); }
