/* args: -q */
/* An index expression that changes its array is evaluated before the element is looked up. */
self long s[3];
struct e { int v[2]; };
struct e a[int];
BEGIN
{
	printf("%d\n", self->s[(self->s[1] = 7) & 1]);
	printf("%d\n", a[4].v[(a[4].v[0] = 2) & 1]);
	self->s[(self->s[2] = 0) + 2] += 5;
	printf("%d\n", self->s[2]);
	exit(0);
}
