/* args: -r tests/pcap/empty.pcap -q -x errtags */
string *p;
BEGIN
{
	trace(*p);
}
