/* args: -q -r tests/pcap/connections.pcap */
/*
 * An index on the way to a member is evaluated: here the owner's name, which these captures do not
 * have.
 */
char seen[2][2];

ip:::send
{
	@[args[1]->cs_pid] = count();
	seen[args[1]->cs_execname != "curl"][1] = 1;
}

END
{
	printf("%d %d\n", seen[0][1], seen[1][1]);
}
