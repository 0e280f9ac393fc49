/* args: -r tests/pcap/empty.pcap -q */
string name[int];
int number[string, int];

BEGIN
{
	name[1] = "one";
	name[2] = "two";
	number["one", 1] = 11;
	number[name[2], 2] = 22;
	printf("%s %s %d\n", name[1], name[2], name[3] == NULL);
	printf("%d %d %d\n", number[name[1], 1], number["two", 2], number["two", 1]);
	printf("%d\n", name[1] == "one");
}
