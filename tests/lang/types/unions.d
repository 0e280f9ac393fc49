/* args: -q */
/* The members of a union share their bytes, little end first. */
union u { uint64_t all; uint32_t half[2]; uint8_t byte[8]; };
union u g;
this union u l;
BEGIN
{
	g.all = 0x1122334455667788;
	printf("%x %x %x %x\n", g.half[0], g.half[1], g.byte[0], g.byte[7]);
	this->l.byte[2] = 1;
	printf("%d %d\n", this->l.half[0], sizeof (union u));
	exit(0);
}
