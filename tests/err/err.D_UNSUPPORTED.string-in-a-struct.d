/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct who {
	int n;
	string name;
};
struct who w;
BEGIN
{
	w.name = "alice";
}
