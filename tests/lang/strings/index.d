/* args: -q */
/* As in Perl, the start is clamped to the string, and an empty part is found at the start. */
BEGIN
{
	s = "banana";
	a = "an";
	n = "";
	much = "a part of more than eight characters";
	printf("%d %d %d %d %d\n", index(s, a), index(s, a, 1), index(s, a, 2), index(s, a, 4), index(s, a, -7));
	printf("%d %d %d %d %d\n", rindex(s, a), rindex(s, a, 3), rindex(s, a, 2), rindex(s, a, 0), rindex(s, a, 99));
	printf("%d %d %d\n", rindex(s, a, -1), index(s, "x"), rindex(s, "bananas"));
	printf("%d %d %d %d\n", index(s, n), index(s, n, 3), index(s, n, 9), index(s, n, -2));
	printf("%d %d %d %d\n", rindex(s, n), rindex(s, n, 3), rindex(s, n, 9), rindex(s, n, -2));
	printf("%d %d %d %d\n", index(n, n), rindex(n, n), index(n, n, 5), rindex(n, "a"));
	printf("%d %d %d\n", index("banana", "an", 2), rindex("banana", "an", 2), index("banana", ""));
	printf("%d %d\n", index(s, "banana"), rindex(s, "b"));
	printf("%d %d\n", index(strjoin("aaaaaaaab ", much), "a part of more than eight"), index(much, much));
	printf("%d %d\n", index("ababababababababc", "abababababc"), rindex("abababababababab", "ababababab"));
	exit(0);
}
