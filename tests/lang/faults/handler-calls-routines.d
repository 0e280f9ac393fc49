/* args: -q */
/* ERROR clauses may use many compiler routines, each a function of the same program. */
int none;
string s;
string of[string, int];

BEGIN { s = "/usr/lib/x"; of[s, 1] = "kept"; }
BEGIN { trace(1 / none); }
ERROR
{
	printf("%s %s %s %s\n", strrchr(s, '/'), strstr(s, "lib"), strchr(s, 'l'), substr(s, 5, 3));
	printf("%s %s %s\n", basename(s), dirname(s), cleanpath("/a/../b"));
	printf("%s %s %d %d\n", toupper(s), tolower("AbC"), index(s, "l"), rindex(s, "/"));
	printf("%s %s %d %d\n", of[s, 1], lltostr(77), strtoll("12"), s < strjoin(s, "y"));
	@a[s, 1] = count();
	@b[strtok(s, "/")] = sum(4);
}
BEGIN { exit(0); }
END { printa("%s %d %@d\n", @a); printa("%s %@d\n", @b); }
