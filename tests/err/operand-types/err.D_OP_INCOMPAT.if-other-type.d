/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN
{
	if (1)
		x = 1;
	else
		x = "text";
}
