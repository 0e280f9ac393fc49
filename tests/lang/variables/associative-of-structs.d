/* args: -q */
/*
 * An unassigned element is zeros. After an assignment to one member, the others are zeros.
 * Assigning 0 releases the element.
 */
struct s { int f; int64_t g; char name[4]; };
struct s ii[int];
struct s two[string, int];
BEGIN
{
	printf("%d\n", ii[1].f);
	ii[pid].f = 1;
	ii[pid].f++;
	ii[2].g = -1;
	ii[2].name[1] = 'z';
	ii[2].name[0] = 'y';
	printf("%d %d %d %d %s\n", ii[pid].f, ii[pid].g, ii[2].f, ii[2].g, ii[2].name);
	two["x", 1].f = 3;
	two["x", 2] = two["x", 1];
	two["x", 1] = 0;
	printf("%d %d %d\n", two["x", 1].f, two["x", 2].f, two["y", 2].f);
	ii[3] = ii[2];
	ii[2].g = 0;
	printf("%d %d %s\n", ii[2].g, ii[3].g, ii[3].name);
	exit(0);
}
