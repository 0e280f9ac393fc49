/* args: -r tests/pcap/empty.pcap -q */
/* A precision of 0 means no precision. */
BEGIN
{
	printf("[%.0s] [%.*s] [%3.0s]\n", "hello", 0, "hello", "hello");
	printf("[%.0d] [%.*d] [%05.0d]\n", 0, 0, 0, 42);
}
