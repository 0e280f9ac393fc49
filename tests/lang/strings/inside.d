/* args: -q */
/*
 * Strings as members of structs, elements of arrays and behind pointers: strsize bytes each,
 * assigned, compared and recorded like any string. NULL cannot be stored there, and reading missing
 * memory is a fault.
 */
struct who { int n; string name; char c; };
struct pair { struct who a; string b; } g;
struct who tab[int], w, list[3];
string names[4];
this struct who l;
self struct pair t;
string *sp;
BEGIN
{
	w.name = "alice"; w.n = 3; w.c = 'x';
	g.a = w;
	g.b = strjoin(w.name, " and bob");
	printf("%s|%s|%s|%d%c\n", w.name, g.a.name, g.b, g.a.n, g.a.c);
	tab[7].name = probename;
	tab[7].n++;
	printf("%s %d [%s]\n", tab[7].name, tab[7].n, tab[8].name);
	list[2] = tab[7];
	names[3] = list[2].name;
	i = 3;
	names[i - 1] = substr(names[i], 1, 2);
	printf("%s %s [%s] %d\n", names[i], names[2], names[0], names[3] == "BEGIN");
	this->l.name = "here"; self->t.b = "there"; self->t.a.name = this->l.name;
	printf("%s %s %s %d %c\n", this->l.name, self->t.b, self->t.a.name, strlen(self->t.b), self->t.b[1]);
	printf("%d %d %d %d\n", sizeof(string), sizeof(struct who), sizeof(names), offsetof(struct who, c));
	sp = alloca(2 * sizeof(string));
	*sp = "first"; sp[1] = w.name;
	printf("%s %s %d\n", *sp, sp[1], &sp[1] - sp);
	@[w.name, g.b] = count();
	w.name = (g.b = "same");
	printf("%s %s\n", w.name, g.b);
	tab[7] = 0;
	printf("[%s]\n", tab[7].name);
	print(w);
}
BEGIN { w.name = strstr("abc", "d"); printf("not shown"); }
BEGIN { sp = NULL; trace(*sp); }
BEGIN { sp = NULL; *sp = "x"; printf("not shown"); }
BEGIN { printf("%s\n", names[i + 1]); }
BEGIN { printf("%s\n", w.name); exit(0); }
