/* args: -r tests/pcap/empty.pcap -q */
/* A declaration with a storage class but no type declares an int. */
self x;
this y, z;
BEGIN
{
	self->x = 4294967297;
	this->y = -1;
	printf("%d %d %d %d\n", self->x, this->y, this->z, sizeof (self->x));
}
