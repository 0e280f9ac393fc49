/* args: -q -x strsize=1100 */
/* Searches find a match, however many characters are before it. */
BEGIN
{
	t = strjoin("abcdefgh", "abcdefgh");
	t = strjoin(t, t);
	s64 = strjoin(t, t);
	t = strjoin(s64, s64);
	t = strjoin(t, t);
	t = strjoin(t, t);
	s1024 = strjoin(t, t);
	z = strjoin("00000000", "00000000");
	z = strjoin(z, z);
	z = strjoin(z, z);
}
BEGIN { printf("%d %d\n", strlen(s64), strlen(s1024)); }
BEGIN { printf("%d %d\n", index(strjoin(s64, "xy"), "xy"), index(strjoin(s1024, "xy"), "xy")); }
BEGIN { printf("%d %d\n", index(strjoin(s64, "needle-in"), "needle-in"), index(strjoin(s1024, "needle-in"), "needle-in")); }
BEGIN { printf("%d %d\n", rindex(s1024, "abcdefghabcdefgh"), rindex(s1024, "gh")); }
BEGIN { printf("%d\n", index(strjoin(s1024, strjoin(s64, "i")), strjoin(s64, "i"))); }
BEGIN { printf("%s %s\n", strchr(strjoin(s64, "Z!"), 'Z'), strchr(strjoin(s1024, "Z!"), 'Z')); }
BEGIN { printf("%s %d\n", basename(strjoin(s1024, "/end")), strlen(dirname(strjoin(s1024, "/end")))); }
BEGIN { printf("%d\n", strlen(cleanpath(strjoin(strjoin("/", s1024), "//./b")))); }
BEGIN { printf("%d\n", strlen(strtok(strjoin(s1024, ",tail"), ","))); }
BEGIN { printf("%s\n", strtok(NULL, ",")); }
BEGIN { printf("%d %d\n", strtoll(strjoin(z, "42")), strtoll(strjoin(z, "77"), 8)); }
BEGIN { printf("%s\n", json(strjoin(strjoin("{\"k\":\"", s1024), "\",\"v\":17}"), "v")); }
BEGIN { printf("%s\n", json(strjoin(strjoin("{\"", s64), "\": [1, 5]}"), strjoin(s64, "[1]"))); }
BEGIN { exit(0); }
