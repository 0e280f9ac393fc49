/* args: -q -r tests/pcap/connections.pcap */
/*
 * An assignment to an element evaluates all indexes. Here one index reads the owner's name, which
 * this capture lacks.
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
