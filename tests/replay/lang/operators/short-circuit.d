/* args: -r tests/pcap/empty.pcap -q */
int n;

BEGIN
{
	this->r = 0 && n++;
	this->r = 1 || n++;
	this->r = 1 && n++;
	this->r = 0 || n++;
	this->r = 1 ? n : n++;
	printf("%d\n", n);
}
