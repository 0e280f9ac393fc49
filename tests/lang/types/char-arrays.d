/* args: -q -x strsize=16 */
/* Arrays of characters keep all their bytes, of any size, up to and beyond strsize. */
struct s {
	char c1[1];
	char c4[4];
	char c8[8];
	char c9[9];
	char c15[15];
	char c16[16];
	char c17[17];
	char c40[40];
	int8_t i[9];
	uint8_t u[9];
	char two[2][9];
};

struct s g, in[int];
self struct s own;

BEGIN
{
	g.c1[0] = 'a';
	g.c4[0] = 'a'; g.c4[1] = 'b'; g.c4[2] = 'c'; g.c4[3] = 'd';
	g.c8[0] = 'a'; g.c8[1] = 'b'; g.c8[2] = 'c'; g.c8[3] = 'd'; g.c8[4] = 'e'; g.c8[5] = 'f';
	g.c8[6] = 'g'; g.c8[7] = 'h';
	g.c9[0] = 'a'; g.c9[1] = 'b'; g.c9[2] = 'c'; g.c9[3] = 'd'; g.c9[4] = 'e'; g.c9[5] = 'f';
	g.c9[6] = 'g'; g.c9[7] = 'h'; g.c9[8] = 'i';
	g.c15[0] = 'a'; g.c15[1] = 'b'; g.c15[2] = 'c'; g.c15[3] = 'd'; g.c15[4] = 'e';
	g.c15[5] = 'f'; g.c15[6] = 'g'; g.c15[7] = 'h'; g.c15[8] = 'i'; g.c15[9] = 'j';
	g.c15[10] = 'k'; g.c15[11] = 'l'; g.c15[12] = 'm'; g.c15[13] = 'n'; g.c15[14] = 'o';
	g.c16[0] = 'a'; g.c16[1] = 'b'; g.c16[2] = 'c'; g.c16[3] = 'd'; g.c16[4] = 'e';
	g.c16[5] = 'f'; g.c16[6] = 'g'; g.c16[7] = 'h'; g.c16[8] = 'i'; g.c16[9] = 'j';
	g.c16[10] = 'k'; g.c16[11] = 'l'; g.c16[12] = 'm'; g.c16[13] = 'n'; g.c16[14] = 'o';
	g.c16[15] = 'p';
	g.c17[0] = 'a'; g.c17[1] = 'b'; g.c17[2] = 'c'; g.c17[3] = 'd'; g.c17[4] = 'e';
	g.c17[5] = 'f'; g.c17[6] = 'g'; g.c17[7] = 'h'; g.c17[8] = 'i'; g.c17[9] = 'j';
	g.c17[10] = 'k'; g.c17[11] = 'l'; g.c17[12] = 'm'; g.c17[13] = 'n'; g.c17[14] = 'o';
	g.c17[15] = 'p'; g.c17[16] = 'q';
	g.c40[0] = 'a'; g.c40[1] = 'b'; g.c40[2] = 'c'; g.c40[3] = 'd'; g.c40[4] = 'e';
	g.c40[5] = 'f'; g.c40[6] = 'g'; g.c40[7] = 'h'; g.c40[8] = 'i'; g.c40[9] = 'j';
	g.c40[10] = 'k'; g.c40[11] = 'l'; g.c40[12] = 'm'; g.c40[13] = 'n'; g.c40[14] = 'o';
	g.c40[15] = 'p'; g.c40[16] = 'q'; g.c40[17] = 'r'; g.c40[18] = 's'; g.c40[19] = 't';
	g.c40[20] = 'u'; g.c40[21] = 'v'; g.c40[22] = 'w'; g.c40[23] = 'x'; g.c40[24] = 'y';
	g.c40[25] = 'z'; g.c40[26] = 'a'; g.c40[27] = 'b'; g.c40[28] = 'c'; g.c40[29] = 'd';
	g.c40[30] = 'e'; g.c40[31] = 'f'; g.c40[32] = 'g'; g.c40[33] = 'h'; g.c40[34] = 'i';
	g.c40[35] = 'j'; g.c40[36] = 'k'; g.c40[37] = 'l'; g.c40[38] = 'm'; g.c40[39] = 'n';
	g.i[0] = 1; g.i[2] = 5; g.u[0] = 'u'; g.two[1][0] = 't'; g.two[1][8] = 'w';
	in[7] = g;
	self->own = g;
}

BEGIN
{
	trace(g.c1); printf("|%s|%d\n", g.c1, strlen(g.c1));
	trace(stringof(g.c1)); printf("|%s|\n", strjoin("", g.c1));
	print(g.c1);
	text1 = stringof(g.c1);
	printf("%d %d\n", text1 == g.c1, g.c1 == "a");
	seen[g.c1] = 1;
	@[g.c1] = count();
	g.c1[0] = 0;
	trace(g.c1); printf("|%s|%d\n", g.c1, text1 == g.c1);
	printf("%d %d\n", seen[in[7].c1], seen[g.c1]);
	@[g.c1] = count();
}

BEGIN
{
	trace(g.c4); printf("|%s|%d\n", g.c4, strlen(g.c4));
	trace(stringof(g.c4)); printf("|%s|\n", strjoin("", g.c4));
	print(g.c4);
	text4 = stringof(g.c4);
	printf("%d %d\n", text4 == g.c4, g.c4 == "abcd");
	seen[g.c4] = 4;
	@[g.c4] = count();
	g.c4[3] = 0;
	trace(g.c4); printf("|%s|%d\n", g.c4, text4 == g.c4);
	printf("%d %d\n", seen[in[7].c4], seen[g.c4]);
	@[g.c4] = count();
}

BEGIN
{
	trace(g.c8); printf("|%s|%d\n", g.c8, strlen(g.c8));
	trace(stringof(g.c8)); printf("|%s|\n", strjoin("", g.c8));
	print(g.c8);
	text8 = stringof(g.c8);
	printf("%d %d\n", text8 == g.c8, g.c8 == "abcdefgh");
	seen[g.c8] = 8;
	@[g.c8] = count();
	g.c8[7] = 0;
	trace(g.c8); printf("|%s|%d\n", g.c8, text8 == g.c8);
	printf("%d %d\n", seen[in[7].c8], seen[g.c8]);
	@[g.c8] = count();
}

BEGIN
{
	trace(g.c9); printf("|%s|%d\n", g.c9, strlen(g.c9));
	trace(stringof(g.c9)); printf("|%s|\n", strjoin("", g.c9));
	print(g.c9);
	text9 = stringof(g.c9);
	printf("%d %d\n", text9 == g.c9, g.c9 == "abcdefghi");
	seen[g.c9] = 9;
	@[g.c9] = count();
	g.c9[8] = 0;
	trace(g.c9); printf("|%s|%d\n", g.c9, text9 == g.c9);
	printf("%d %d\n", seen[in[7].c9], seen[g.c9]);
	@[g.c9] = count();
}

BEGIN
{
	trace(g.c15); printf("|%s|%d\n", g.c15, strlen(g.c15));
	trace(stringof(g.c15)); printf("|%s|\n", strjoin("", g.c15));
	print(g.c15);
	text15 = stringof(g.c15);
	printf("%d %d\n", text15 == g.c15, g.c15 == "abcdefghijklmno");
	seen[g.c15] = 15;
	@[g.c15] = count();
	g.c15[14] = 0;
	trace(g.c15); printf("|%s|%d\n", g.c15, text15 == g.c15);
	printf("%d %d\n", seen[in[7].c15], seen[g.c15]);
	@[g.c15] = count();
}

BEGIN
{
	trace(g.c16); printf("|%s|%d\n", g.c16, strlen(g.c16));
	trace(stringof(g.c16)); printf("|%s|\n", strjoin("", g.c16));
	print(g.c16);
	text16 = stringof(g.c16);
	printf("%d %d\n", text16 == g.c16, g.c16 == "abcdefghijklmno");
	seen[g.c16] = 16;
	@[g.c16] = count();
	g.c16[15] = 0;
	trace(g.c16); printf("|%s|%d\n", g.c16, text16 == g.c16);
	printf("%d %d\n", seen[in[7].c16], seen[g.c16]);
	@[g.c16] = count();
}

BEGIN
{
	trace(g.c17); printf("|%s|%d\n", g.c17, strlen(g.c17));
	trace(stringof(g.c17)); printf("|%s|\n", strjoin("", g.c17));
	print(g.c17);
	text17 = stringof(g.c17);
	printf("%d %d\n", text17 == g.c17, g.c17 == "abcdefghijklmno");
	seen[g.c17] = 17;
	@[g.c17] = count();
	g.c17[16] = 0;
	trace(g.c17); printf("|%s|%d\n", g.c17, text17 == g.c17);
	printf("%d %d\n", seen[in[7].c17], seen[g.c17]);
	@[g.c17] = count();
}

BEGIN
{
	trace(g.c40); printf("|%s|%d\n", g.c40, strlen(g.c40));
	trace(stringof(g.c40)); printf("|%s|\n", strjoin("", g.c40));
	print(g.c40);
	text40 = stringof(g.c40);
	printf("%d %d\n", text40 == g.c40, g.c40 == "abcdefghijklmno");
	seen[g.c40] = 40;
	@[g.c40] = count();
	g.c40[39] = 0;
	trace(g.c40); printf("|%s|%d\n", g.c40, text40 == g.c40);
	printf("%d %d\n", seen[in[7].c40], seen[g.c40]);
	@[g.c40] = count();
}

/* what follows a NUL is part of a key and of a traced value, but not of a text */
BEGIN
{
	trace(g.i); trace(in[7].i); trace(self->own.i); trace(g.u); trace(in[7].two[1]);
	trace(in[7].two[0]); printf("|\n");
	@inside[g.i] = count();
	key[g.i] = 5;
	self->key[g.i] = 55;
	texts[stringof(g.i)] = 5;
	g.i[2] = 6;
	@inside[g.i] = count();
	printf("%d %d %d\n", key[g.i], self->key[g.i], texts[stringof(g.i)]);
	key[g.i] = 6;
	g.i[2] = 5;
	printf("%d %d\n", key[g.i], self->key[g.i]);
	printf("%d %d\n", stringof(g.i) == stringof(in[7].i), strlen(g.i));
}

/* a word of 8 bytes is copied as it is, which must not leak into texts */
BEGIN
{
	g.c8[1] = 0;
	texts[stringof(g.c8)] = 1;
	this->text = stringof(g.c8);
	g.c8[2] = 'Z';
	printf("%d %d %d\n", texts[stringof(g.c8)], texts[this->text], this->text == stringof(g.c8));
}

BEGIN
{
	self->id = speculation();
}

BEGIN
{
	speculate(self->id);
	trace(g.i);
}

BEGIN
{
	commit(self->id);
}

BEGIN
{
	printa("%s %@d\n", @inside);
	printa(@inside);
	exit(0);
}
