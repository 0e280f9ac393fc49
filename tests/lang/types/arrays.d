/* args: -q */
/* Arrays of numbers of each scope and kind; an index may be computed; char arrays are text. */
int g[5];
this short l[4];
char name[8];
struct s { int n; int v[3]; } arr[2];
BEGIN
{
	i = 3;
	g[i] = 5;
	g[2] = g[i]++ + 1;
	printf("%d %d %d %d\n", g[i], g[i - 1], g[0], sizeof (g));
	this->l[i] = -2;
	this->l[i] <<= 2;
	printf("%d %d\n", this->l[3], this->l[i - 3]);
	name[0] = 'h';
	name[i - 2] = 'i';
	printf("%s %c\n", name, name[1]);
	arr[1].v[i - 1] = 8;
	arr[i - 2].n = 4;
	printf("%d %d %d\n", arr[1].v[2], arr[1].n, arr[i - 3].v[2]);
	exit(0);
}
