/* args: -r tests/pcap/empty.pcap -q -x strsize=5 */
/* Every string has at most strsize bytes, the NUL included. */
BEGIN
{
	x = "abcdefg";
	printf("%s %s %s %s %s\n", "0123456789", x, strjoin("12345", "678"), lltostr(1234567890), probename);
	printf("%d %d %d %d %d\n", strlen("0123456789"), strlen(x), strlen(strjoin("123", "456")),
	    strlen(lltostr(123456789)), strlen(probename));
	printf("%d %d %d\n", "abcdefg" == "abcdxyz", x == "abcd", x == "abcdefgh");
	@["abcdefg"] = count();
	@["abcdx"] = count();
	@[x] = count();
	exit(0);
}
