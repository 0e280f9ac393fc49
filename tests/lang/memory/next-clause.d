/* args: -q */
/*
 * A later clause of the same firing reads what an earlier one allocated. Strings that it makes do
 * not overwrite these bytes.
 */
BEGIN { this->p = (uint8_t *)alloca(4); this->p[0] = 10; this->p[1] = 0; this->p[2] = 0; this->p[3] = 4; }
BEGIN
{
	s = inet_ntop(AF_INET, this->p);
	t = strjoin(strjoin(lltostr(this->p[0]), "-"), toupper("letters"));
	printf("%s %s %d.%d\n", s, t, this->p[0], this->p[3]);
}
BEGIN { this->q = (int *)alloca(4); *this->q = 7; printf("%d\n", *this->q); }
BEGIN { exit(0); }
