/* args: -q */
/* Characters and strings, plain and escaped, with and without a width. */
BEGIN
{
	printf("c [%c] [%3c] [%-3c]\n", 'a', 'b', 'c');
	printf("C [%C] [%C] [%C]\n", 'a', '\n', (char)7);
	printf("s [%s] [%6s] [%-6s] [%.2s]\n", "text", "abc", "abc", "abc");
	printf("S [%S]\n", "tab\tnewline\nbell\a");
	printf("wide [%wc] [%lc] [%ws] [%ls]\n", 'w', 'l', "ws", "ls");
	printf("p [%p] [%#p] [%?p]\n", 0x1234, 0x1234, 0x1234);
	printf("Y [%Y] T [%T]\n", 1732150111000000000, 1732150111000000000);
	printf("P [%P]\n", (uint16_t)64999);
	exit(0);
}
