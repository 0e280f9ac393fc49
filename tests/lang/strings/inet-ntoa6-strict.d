/* args: -q */
/* With a nonzero second argument, "::" replaces at least two groups, as RFC 5952 requires. */
BEGIN
{
	this->p = (unsigned char *)alloca(16);
	this->p[0] = 0x20; this->p[1] = 1; this->p[5] = 1; this->p[7] = 2; this->p[9] = 3; this->p[11] = 4;
	this->p[13] = 5; this->p[15] = 6;
	printf("%s %s %s\n", inet_ntoa6(this->p), inet_ntoa6(this->p, 0), inet_ntoa6(this->p, 1));
	this->p[3] = 7; this->p[5] = 0; this->p[7] = 0;
	printf("%s %s\n", inet_ntoa6(this->p), inet_ntoa6(this->p, 1));
	this->p[7] = 2; this->p[15] = 0;
	printf("%s %s %d\n", inet_ntoa6(this->p), inet_ntoa6(this->p, 1), strlen(inet_ntoa6(this->p, 1)));
	this->s = inet_ntoa6(this->p, 1);
	printf("%d\n", this->s == "2001:7:0:2:3:4:5:0");
	exit(0);
}
