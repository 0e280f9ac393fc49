/* args: -q */
/* strtok() returns the next word between the given characters, also in later clauses of the firing. */
BEGIN
{
	s = "  one,two;;three ";
	d = " ,;";
	printf("[%s]", strtok(s, d));
	printf("[%s]", strtok(NULL, d));
	printf("[%s]", strtok(NULL, d));
	printf("%d", strtok(NULL, d) == NULL);
	printf("%d\n", strtok(NULL, d) == NULL);
	printf("[%s]", strtok("a:b=c", ":"));
	printf("[%s]", strtok(NULL, "="));
	printf("[%s]\n", strtok(NULL, ""));
	printf("[%s] %d %d\n", strtok("none", ""), strtok("", " ") == NULL, strtok("   ", " ") == NULL);
	this->a = strtok("left right last", " ");
	this->b = strtok(NULL, " ");
	printf("[%s][%s]\n", this->a, this->b);
}
BEGIN { printf("[%s]", strtok(NULL, " ")); printf("[%s]", strtok(strjoin(strtok("x y", " "), "+z"), "+")); }
BEGIN { printf("[%s]\n", strtok(strtok("p,q;r", ";"), ",")); printf("[%s]\n", strtok(NULL, ",")); }
BEGIN { exit(0); }
END { printf("%d\n", strtok(NULL, " ") == NULL); }
END { trace(strtok(NULL, " ")); }
