/* args: -r tests/pcap/empty.pcap -q -x checked */
self int64_t a, b, c, d;
this int64_t e, f, g, h, i, j, k, l, m, n, o, p;
BEGIN
{
	self->a = 1; self->b = 2; self->c = 3; self->d = 4;
	this->e = 5; this->f = 6; this->g = 7; this->h = 8; this->i = 9; this->j = 10; this->k = 11; this->l = 12;
	this->m = 13; this->n = 14; this->o = 15; this->p = 16;
}
BEGIN
{
	printf("%d\n", self->a + 2 * (self->b + 3 * (self->c + 4 * (self->d + 5 * (this->e + 6 * (this->f + 7 *
	    (self->a + 8 * (self->b + 9 * (self->c + 10 * (self->d + 11 * (this->g + 12 * (this->h +
	    self->a * self->b + self->c * self->d + self->a * self->c + self->b * self->d + self->a * self->d +
	    self->b * self->c + self->a * self->a + self->b * self->b + self->c * self->c + self->d * self->d +
	    (self->a - self->b) * (self->c - self->d) + (self->a - self->c) * (self->b - self->d)))))))))))));
	printf("%d\n", this->e + this->f * (this->g - this->h) + this->i * this->j - this->k * this->l +
	    this->m * (this->n + this->o * this->p) + (self->a++ + self->a++ * 10 + self->a++ * 100 + self->a++ * 1000));
}
BEGIN
{
	printf("%d %d %d %d\n", self->a, this->e, this->p, (this->e << 1) + (this->f << 2) + (this->g << 3) + (this->h << 4) +
	    (this->i << 5) + (this->j << 6) + (this->k << 7) + (this->l << 8) + (this->m << 9) + (this->n << 10));
}
