/* args: -q -r tests/pcap/empty.pcap */
self x;
this y;
extern e;
inline f = 5;
BEGIN
{
	self->x = 0x100000001;
	this->y = 0x100000002;
	printf("%d %d %d %d\n", self->x, this->y, f, sizeof (self->x));
	exit(0);
}
