/* args: -q */
/*
 * String functions also accept a pointer to characters and read up to the NUL. A string assigned or
 * cast to such a pointer becomes characters in the memory of the clause.
 */
string s;
string names[int];
int a[string];
char *cp;
inline string f[string x] = strjoin("<", x);
BEGIN
{
	this->p = (char *)alloca(16);
	bcopy("ab,cd", this->p, 6);
	printf("%d %s %s\n", strlen(this->p), strjoin(this->p, "!"), substr(this->p, 1, 3));
	printf("%d %s %d\n", index(this->p, "cd"), toupper(this->p), strlen(this->p + 3));
	s = this->p;
	names[1] = this->p + 3;
	a[this->p] = 7;
	printf("[%s] [%s] %d %d %d %s\n", s, names[1], a["ab,cd"], s == this->p, this->p < s, f[this->p]);
	printf("%s %s\n", cpu >= 0 ? "x" : this->p, cpu < 0 ? "x" : this->p);
}
BEGIN
{
	this->q = (char *)probeprov;
	cp = probename;
	printf("%s %s %c\n", stringof(this->q), stringof(cp + 2), *cp);
	this->q[0] = 'D';
	printf("%s %s\n", stringof(this->q), probeprov);
	cp = strstr("abc", "d");
	printf("%d\n", cp == NULL);
	bcopy(strjoin("x", "yz"), this->q, 2);
	printf("%s\n", this->q + 0 == this->q ? stringof(this->q) : "");
}
BEGIN { this->p = (char *)0; printf("not shown %d", strlen(this->p)); }
BEGIN { this->p = (char *)16; s = this->p; printf("not shown"); }
BEGIN { printf("%s\n", s); exit(0); }
