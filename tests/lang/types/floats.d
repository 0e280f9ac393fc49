/* args: -q */
/* Floats are loaded, stored, copied and printed; there is no arithmetic. */
double d;
float f;
double arr[int];
union { double x; uint64_t raw; } u;
union { float x; uint32_t raw; } w;
struct { double x; float y; } s;
BEGIN
{
	u.raw = 0x3ff8000000000000;
	w.raw = 0xc0200000;
	d = u.x;
	f = w.x;
	printf("%f %e %g\n", d, d, d);
	printf("%f %.3e %g %8.2f|\n", f, f, f, f);
	s.x = d;
	s.y = f;
	self->d = s.x;
	this->e = self->d;
	arr[2] = this->e;
	printf("%g %g %g %g\n", self->d, this->e, arr[2], arr[1]);
	print(s);
	print(f);
	p = (double *)alloca(16);
	p[1] = d;
	printf("%g\n", *(p + 1));
	exit(0);
}
