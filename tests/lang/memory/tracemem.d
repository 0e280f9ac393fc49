/* args: -q */
/* tracemem() stores the constant size, and shows as many bytes as the computed size. */
struct s { char c[20]; } x;
BEGIN
{
	p = (char *)alloca(8);
	p[0] = 'a'; p[1] = 'b'; p[2] = 'c'; p[3] = 0; p[4] = '\177'; p[5] = 'd';
	n = 4;
	tracemem(p, 6);
	tracemem(p, 8, n);
	tracemem(p, 6, 100);
	tracemem(p, 6, 0);
	x.c[17] = 'x';
	tracemem(&x.c[0], 18);
}
BEGIN { tracemem(NULL, 4); }
BEGIN { exit(0); }
