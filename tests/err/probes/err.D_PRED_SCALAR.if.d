/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN
{
	if ("text")
		exit(0);
}
