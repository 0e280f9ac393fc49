/* args: -r tests/pcap/empty.pcap -q */
/* After a storage class the type may be left out: int. */
self x;
this y, z;
BEGIN
{
	self->x = 4294967297;
	this->y = -1;
	printf("%d %d %d %d\n", self->x, this->y, this->z, sizeof (self->x));
}
