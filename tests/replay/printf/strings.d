/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%s|%10s|%-10s|%.2s|%5.1s|\n", "abc", "abc", "abc", "abc", "abc");
	printf("%s|%s|\n", "", probename);
	printf("%S\n", "a\tb\n");
	printf("100%%\n");
}
