/* args: -q */
/* && and || stop when the result is known; ?: evaluates one side; ^^ and ',' evaluate both. */
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
