/* args: -q -r tests/pcap/seconds.pcap */
/* A precision of %Y keeps the end of the text; %@Y prints the value of an aggregation. */
ip:::receive
/!n++/
{
	@last = max(walltimestamp);
	printf("[%.8Y] [%10.8Y] [%-10.8Y] [%.99Y] [%.0Y]\n", walltimestamp, walltimestamp, walltimestamp, walltimestamp, walltimestamp);
	printa("%@.8Y %@Y\n", @last, @last);
	exit(0);
}
