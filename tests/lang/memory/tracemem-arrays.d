/* args: -q */
/* tracemem() of an array reads from its first element. */
struct s { char c[9]; int n[3]; char two[2][4]; };
struct s g, in[int];
self struct s own;
int arr[4];

BEGIN
{
	g.c[0] = 'a'; g.c[2] = 'b'; g.n[1] = 7; g.two[1][3] = 'z';
	in[4] = g;
	self->own = g;
	this->copy = g;
	arr[2] = 5;
	tracemem(g.c, 9);
	tracemem(g.n, 12);
	tracemem(g.two, 8);
	tracemem(g.two[1], 4);
	tracemem(in[4].c, 9);
	tracemem(self->own.n, 12);
	tracemem(this->copy.c, 9);
	tracemem(arr, 16);
	tracemem(g.c, 20, 3);
	tracemem(arr, 16, arr[2]);
	exit(0);
}
