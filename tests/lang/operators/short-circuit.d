/* args: -q */
/* && and || stop where they know; ?: takes one side; both sides of ^^ and of ',' are evaluated. */
int n;
BEGIN
{
	this->r = n && n++;
	this->r = 1 || n++;
	this->r = n == 0 && n++;
	this->r = n == 5 || n++;
	this->r = n ? n : n++;
	printf("%d\n", n);
	this->r = n++ ^^ n++;
	this->r = (n++, n++);
	printf("%d %d\n", n, this->r);
	printf("%d\n", n == 6 ? 1 : *(int *)NULL);
	exit(0);
}
