/* args: -q */
/* An element assigned in many places holds the last value; 0 deletes it. */
short s[string, int];
uint64_t big[int];
self char c;

BEGIN
{
	s["a", 1] = 1; s["a", 2] = -2; s["b", 1] = 70000; s["a", 1] = 5;
	s["b", 2] = 0; s["b", 2] = 7; s["b", 2] = 0; s["c", 1] = s["a", 1] + 1; s["a", 2]--;
	big[1] = 1ull << 63; big[2] = 2; big[-1] = 3; big[1]++;
	big[2] = 0; big[3] = big[1]; big[4] = 4; big[4] += 5; big[5] = 6;
	self->c = 1; self->c = 200; self->x = self->c; self->c = 0; self->c = -1;
	self->c++; self->c--; self->c = 65; self->c = 'B';
}
BEGIN
{
	printf("%d %d %d %d %d\n", s["a", 1], s["a", 2], s["b", 1], s["b", 2], s["c", 1]);
	printf("%x %d %d %x %d\n", big[1], big[2], big[-1], big[3], big[4]);
	printf("%d %c\n", self->x, self->c);
	exit(0);
}
