/* args: -q -x oformat=json */
/* ways: replay checked */
/* A struct of 4 bytes is a number, a longer one an array of its bytes. */
struct pair { char a; short b; } g;
struct odd { char c[3]; } o;
BEGIN
{
	g.a = 1;
	g.b = 258;
	o.c[2] = 7;
	@[g, o] = count();
	exit(0);
}
