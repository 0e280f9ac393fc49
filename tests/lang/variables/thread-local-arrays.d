/* args: -q */
/* Arrays of a fixed size, and arrays with keys. */
self int fixed[4];
self struct { int a; } s[int];
BEGIN
{
	i = 2;
	self->fixed[i] = 8;
	self->fixed[i]--;
	self->fixed[3] = self->fixed[2] * 2;
	printf("%d %d %d\n", self->fixed[0], self->fixed[2], self->fixed[i + 1]);
	self->k["one", 1] = 5;
	self->k["two", 1] += 6;
	printf("%d %d %d\n", self->k["one", 1], self->k["two", 1], self->k["two", 2]);
	self->k["one", 1] = 0;
	self->s[9].a = 1;
	printf("%d %d %d\n", self->k["one", 1], self->s[9].a, self->s[8].a);
}
BEGIN { printf("%d %d\n", self->fixed[3], self->k["two", 1]); exit(0); }
