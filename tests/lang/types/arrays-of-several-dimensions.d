/* args: -q */
/* Elements of the last dimension are adjacent. */
int m[3][4];
this uint8_t c[2][3][4];
BEGIN
{
	i = 1;
	m[i][i + 2] = 44;
	m[2][0] = m[1][3] + 11;
	printf("%d %d %d %d\n", m[1][3], m[i + 1][0], m[0][0], sizeof (m[0]));
	this->c[1][i + 1][3] = 200;
	this->c[i - 1][2][i] += 9;
	printf("%d %d %d\n", this->c[i][2][i + 2], this->c[0][2][1], this->c[1][2][2]);
	exit(0);
}
