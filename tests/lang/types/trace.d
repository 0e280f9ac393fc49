/* args: -q */
/* trace() of a struct or array prints its bytes. */
struct s { int a; char c[16]; } x;
int v[5];
BEGIN
{
	x.a = 0x41024344;
	x.c[0] = 'z';
	v[1] = -2;
	trace(x);
	trace(v);
	exit(0);
}
