/* args: -q */
/* link_ntop(): an Ethernet or Infiniband address, two digits per byte; another link type is a fault. */
BEGIN
{
	this->p = (unsigned char *)alloca(20);
	this->p[0] = 0x02; this->p[1] = 0xff; this->p[2] = 0x90; this->p[3] = 0xa9; this->p[5] = 0x10;
	this->p[18] = 0xfe; this->p[19] = 0x0d;
	this->type = ARPHRD_ETHER;
	this->s = link_ntop(this->type, this->p);
	printf("%s %d %d\n", this->s, strlen(this->s), this->s == "02:ff:90:a9:00:10");
	printf("%s\n", link_ntop(ARPHRD_INFINIBAND, this->p));
	printf("%s\n", strjoin(link_ntop(1, this->p + 1), "!"));
}
BEGIN { printf("%s", link_ntop(24, (char *)0)); }
BEGIN { printf("%s", link_ntop(ARPHRD_ETHER, NULL)); }
BEGIN { exit(0); }
