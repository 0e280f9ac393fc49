/* args: -q */
/* Reads this-> variables that only one branch assigned: after the branch, and in the next clause. */
int n;
BEGIN
{
	if (n) this->a = 5; else this->s = "text";
	printf("%d %s\n", this->a, this->s);
	if (this->a) this->a = 1; else { this->a += 7; this->s = strjoin(this->s, "s"); }
}
BEGIN { printf("%d %s\n", this->a, this->s); n++; }
BEGIN { if (this->a == 7) self->t = this->a * 2; if (self->t) a[1] = self->t + n; }
BEGIN { if (a[1] == 15) printf("%d %d\n", self->t, a[1]); exit(0); }
