/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN
{
	if (1)
		exit(0)
	else
		exit(1);
}
