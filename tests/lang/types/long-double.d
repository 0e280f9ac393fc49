/* args: -q -C */
/* A long double takes 16 bytes, is copied, and printed. */
union { long double x; uint64_t raw[2]; } u;
struct { char c; long double x; } s;
long double zero;
BEGIN
{
#ifdef __x86_64__
	u.raw[0] = 0xc000000000000000;
	u.raw[1] = 0x3fff;
#else
	u.raw[1] = 0x3fff800000000000;
#endif
	s.x = u.x;
	printf("%d %d\n", sizeof (long double), sizeof (s));
	printf("%Lf %.2Le %Lg %f\n", u.x, s.x, s.x, zero);
	print(s.x);
	exit(0);
}
